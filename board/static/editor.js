// The position editor: pieces on squares, hands, the side to move. The server checks the position.

import { h, picture } from "./dom.js";
import { carry } from "./pointer.js";

const WALL = "*"; // in place of a letter

export class Editor {
  constructor(app) {
    this.app = app;
    this.open = false;
  }

  start() {
    const { state } = this.app;
    this.open = true;
    this.piece = null;
    this.pieces = { ...state.pieces };
    this.walls = new Set(state.walls);
    this.hands = state.hands.map((hand) => ({ ...hand }));
    this.turn = state.turn;
    this.castling = state.fen.split(" ")[2];
    this.show();
  }

  show() {
    this.app.board.editing = this.open;
    this.app.board.setWorth({});
    this.app.board.setState({ ...this.app.state, pieces: this.pieces, walls: [...this.walls], moves: [], last: null, check: null, frozen: [] }, true);
    this.app.panels.draw();
  }

  end() {
    this.open = false;
    this.app.board.editing = false;
    this.app.board.setState(this.app.state, true);
    this.app.panels.draw();
    this.app.traceEval();
  }

  put(square) {
    if (!this.open) return;
    const walled = this.walls.delete(square);
    if (this.piece === WALL && !walled) this.walls.add(square);
    if (this.piece && this.piece !== WALL && this.pieces[square] !== this.piece) this.pieces[square] = this.piece;
    else delete this.pieces[square];
    this.show();
  }

  // A piece was dragged to another square, or off the board.
  shift(from, to) {
    if (!this.open) return;
    const letter = this.pieces[from];
    delete this.pieces[from];
    if (to !== null) this.pieces[to] = letter;
    this.walls.delete(to);
    this.show();
  }

  // A piece was dragged from the palette to a square.
  place(square, letter) {
    if (!this.open || square === null) return;
    this.pieces[square] = letter;
    this.walls.delete(square);
    this.show();
  }

  panel() {
    const { game } = this.app;
    const palette = (black) => h("div", { class: "palette" }, ...game.pieces.map((piece) => {
      const letter = black ? piece.letter.toLowerCase() : piece.letter;
      const on = this.piece === letter;
      return h("button", { class: on ? "on" : "", "aria-pressed": on, "aria-label": `${game.sides[Number(black)]} ${piece.name}`, "data-letter": letter, onpointerdown: (event) => carry(event, this.app.board, letter, (square) => this.place(square, letter)), onclick: () => { this.piece = on ? null : letter; this.show(); } }, picture(letter));
    }));
    const hand = (side) => h("div", { class: "handedit" }, ...game.hand.map((letter) => {
      const input = h("input", { type: "number", min: 0, max: 99, value: this.hands[side][letter] ?? 0, "aria-label": `${game.sides[side]}'s ${letter} in hand`, onchange: () => { this.hands[side][letter] = Number(input.value); } });
      return h("label", {}, picture(side ? letter.toLowerCase() : letter), input);
    }));
    const wall = h("button", { class: this.piece === WALL ? "on" : "", "aria-pressed": this.piece === WALL, "data-letter": WALL, onclick: () => { this.piece = this.piece === WALL ? null : WALL; this.show(); } }, "Wall");
    const turn = h("select", { id: "edit-turn", onchange: () => { this.turn = Number(turn.value); } }, h("option", { value: 0, selected: !this.turn }, game.sides[0]), h("option", { value: 1, selected: this.turn === 1 }, game.sides[1]));
    const castling = h("input", { id: "edit-castling", value: this.castling, onchange: () => { this.castling = castling.value.trim() || "-"; } });
    return [
      h("h2", {}, game.sides[1]), palette(true), ...(game.hand.length ? [hand(1)] : []),
      h("h2", {}, game.sides[0]), palette(false), ...(game.hand.length ? [hand(0)] : []),
      ...(game.walls ? [h("div", { class: "palette" }, wall)] : []),
      h("label", {}, "To move", turn), h("label", {}, "Castling", castling),
      h("div", { class: "row" }, h("button", { onclick: () => { this.pieces = {}; this.walls = new Set(); this.hands = [{}, {}]; this.show(); } }, "Clear"), h("button", { onclick: () => this.start() }, "Reset")),
      h("p", { class: "error", id: "edit-error", role: "alert" }),
      h("div", { class: "row" }, h("button", { class: "main", id: "edit-done", onclick: () => this.app.send("setup", { pieces: this.pieces, walls: [...this.walls], hands: this.hands, turn: this.turn, castling: this.castling }) }, "Done"), h("button", { onclick: () => this.end() }, "Cancel")),
      h("p", { class: "note" }, "Drag pieces, or choose one and click squares. A second click, or no piece, clears a square; so does dragging a piece off the board."),
    ];
  }
}
