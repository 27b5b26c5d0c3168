// The clocks of both sides: of the current game, or at the move that is shown.

import { $, clockText } from "./dom.js";
import { sound } from "./sounds.js";

const LOW = 10; // seconds

// A clock that had `left` seconds, and then the byoyomi, at the time `at` of the page.
function shown(left, byoyomi, ticking, at) {
  const now = left - (ticking ? (performance.now() - at) / 1000 : 0);
  const all = now + byoyomi; // until the loss on time
  return { text: clockText(now > 0 ? now : all), ticking, low: ticking && all < LOW };
}

export class Clocks {
  constructor(app) {
    this.app = app;
    this.begin();
    setInterval(() => this.draw(), 100);
  }

  draw() {
    const { app } = this;
    if (app.mode === "watch") app.live.drawClocks();
    for (const side of [0, 1]) {
      const clock = $(".clock", app.strip(side));
      const { text, ticking, low } = this.clock(side);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("ticking", ticking);
      if (low && !clock.classList.contains("low")) this.warn(side);
      clock.classList.toggle("low", low);
    }
  }

  // One warning for each side that a person plays.
  warn(side) {
    if (this.warned[side] || !this.app.play?.active || !this.app.turns.persons().includes(side)) return;
    this.warned[side] = true;
    sound("low");
  }

  begin() { this.warned = [false, false]; }

  clock(side) {
    const { live, play: game, state, watch } = this.app;
    const none = { text: "", ticking: false, low: false };
    if (game?.left && (game.active || state?.node === game.tip)) {
      const turn = this.liveTurn();
      const ticking = game.active && game.ticking && turn === side;
      return shown(game.left[side], game.byoyomi, ticking, this.app.playAt);
    }
    if (watch.running && watch.clocks[0] !== null) return shown(watch.clocks[side] - (this.liveTurn() === side ? watch.ran : 0), watch.byoyomi, this.liveTurn() === side, this.app.watchAt);
    const followed = live.clock(side);
    if (followed) return followed;
    const at = state && this.clockAt(state.node, side);
    return at === undefined || at === null ? none : { text: clockText(at), ticking: false, low: false };
  }

  // The side to move at the end of the game, even if another position is shown.
  liveTurn() {
    const { moves, play } = this.app;
    if (!moves.tree) return 0;
    return moves.turn(play?.active ? play.tip : moves.mainLine().at(-1));
  }

  // The clock of a side at a node, from the last move of that side.
  clockAt(id, side) {
    const { moves } = this.app;
    let node = moves.node(id);
    if (!node) return null;
    let mover = 1 - moves.turn(id);
    for (let steps = 0; node && steps < 2; steps++) {
      if (mover === side && node.clock !== undefined) return node.clock;
      node = moves.node(node.parent);
      mover = 1 - mover;
    }
    return null;
  }
}
