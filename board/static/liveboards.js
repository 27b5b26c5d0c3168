// Small boards of the games that a match is playing: last move, clocks, scores. A click shows a game large.

import { Board } from "./board.js";
import { clockText, h, scoreText } from "./dom.js";

export class LiveBoards {
  // `choose` gets the number of the game that was clicked.
  constructor(choose) {
    this.choose = choose;
    this.root = h("div", { id: "live-games", role: "group", "aria-label": "Games in play" });
    this.tiles = new Map(); // number -> {root, board, clocks, scores}
    this.games = [];
    this.shown = null;
    this.game = null;
  }

  setGame(game) {
    this.game = game;
    for (const tile of this.tiles.values()) tile.board.root.replaceChildren();
    for (const tile of this.tiles.values()) tile.board.game = null;
    this.draw();
  }

  take(message) {
    this.games = message.games;
    this.shown = message.shown;
    this.variant = message.variant;
    this.at = performance.now();
    this.draw();
  }

  draw() {
    const wanted = new Set(this.games.map((game) => game.number));
    for (const [number, tile] of this.tiles) {
      if (wanted.has(number)) continue;
      tile.root.remove();
      this.tiles.delete(number);
    }
    this.games.forEach((game, index) => {
      const tile = this.tiles.get(game.number) ?? this.tile(game);
      if (this.root.children[index] !== tile.root) this.root.insertBefore(tile.root, this.root.children[index] ?? null);
      this.fill(tile, game);
    });
    this.drawClocks();
  }

  tile(game) {
    const place = h("div", { "aria-hidden": "true" });
    const side = () => ({ name: h("span", { class: "name" }), score: h("span", { class: "score" }), clock: h("span", { class: "clock" }) });
    const sides = [side(), side()];
    const rows = sides.map((one) => h("div", { class: "side" }, one.name, one.score, one.clock));
    const plies = h("span", { class: "hidden" });
    const root = h("button", { class: "live", id: `live-${game.number}`, "data-game": game.number, onclick: () => this.choose(game.number) }, h("span", { class: "hidden" }, `Game ${game.number + 1} `), rows[1], place, rows[0], plies);
    const tile = { root, board: new Board(place), sides, plies };
    this.tiles.set(game.number, tile);
    return tile;
  }

  fill(tile, game) {
    tile.root.classList.toggle("here", game.number === this.shown);
    tile.root.setAttribute("aria-pressed", game.number === this.shown);
    tile.plies.textContent = game.ply === 1 ? " 1 ply" : ` ${game.ply} plies`;
    tile.sides.forEach((side, index) => {
      side.name.textContent = index ? game.black : game.white;
      side.score.textContent = scoreText(game.scores[index]);
    });
    // There are no pictures for pieces of another game.
    if (!this.game || this.game.variant !== this.variant) return;
    if (tile.board.game !== this.game) tile.board.setGame(this.game);
    tile.board.setState({ node: game.number, fen: game.ply, pieces: game.pieces, walls: game.walls, last: game.last }, true);
  }

  drawClocks() {
    for (const game of this.games) {
      const tile = this.tiles.get(game.number);
      for (const side of [0, 1]) {
        const { text, ticking } = this.time(game, side);
        const clock = tile.sides[side].clock;
        if (clock.textContent !== text) clock.textContent = text;
        clock.classList.toggle("ticking", ticking);
      }
    }
  }

  time(game, side) {
    const ticking = game.turn === side && game.running !== null;
    if (game.clocks[side] === null) return { text: "", ticking: false, low: false };
    const run = ticking ? game.running + (performance.now() - this.at) / 1000 : 0;
    return { text: clockText(game.clocks[side] - run), ticking, low: false };
  }

  // The clock of a side of the game on the large board, or null.
  clock(side) {
    const game = this.shown === null ? null : this.games.find((one) => one.number === this.shown);
    return game && game.clocks[side] !== null ? this.time(game, side) : null;
  }
}
