// The turn on this page: which pieces can be moved, and the premove.

export class Turns {
  constructor(app) { this.app = app; }

  // Whether a side's pieces in hand can be taken now.
  mine(side) {
    const { board, state } = this.app;
    return Boolean(state) && !board.locked && (board.premover ?? state.turn) === side;
  }

  // A game has begun: the person's side is below.
  begin() {
    const persons = this.persons();
    if (persons.length === 1) this.app.flip(persons[0] === 1);
  }

  // The sides that people play; both where no game is being played.
  persons() {
    const { play } = this.app;
    return [0, 1].filter((side) => !play?.active || play.sides[side] === "person");
  }

  // Who may move pieces on the board now.
  draw() {
    const { board, play, puzzles, state } = this.app;
    if (!state) return;
    if (puzzles.solving) {
      const { side, tip } = puzzles.puzzle;
      board.setTurns({ locked: state.node !== tip || state.turn !== side });
      this.app.hands.draw();
      return;
    }
    const persons = this.persons();
    const atTip = !play?.active || state.node === play.tip;
    const waits = atTip && persons.length === 1 && persons[0] !== state.turn;
    board.setTurns({ locked: !atTip || !persons.length, premover: waits ? persons[0] : null });
    this.app.hands.draw();
    if (!play?.active || !atTip || !waits) this.playPremove(persons);
  }

  // The premove, if it is legal now. Where a wall cannot be built as it was chosen, another one is to be chosen.
  playPremove(persons) {
    const { board, play, state } = this.app;
    if (!board.premove || (play?.active && state.node !== play.tip)) return;
    const { source, to, wall } = board.premove;
    board.setPremove(null);
    if (!play?.active || !persons.includes(state.turn)) return;
    board.choose(source);
    const moves = board.targets().get(to);
    if (moves) board.go(moves, to, wall);
    else board.choose(null);
  }
}
