// The editor: pieces put on squares, hands, the side to move. The server says whether the position can be.

import { h, picture } from "./dom.js";

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
    this.hands = state.hands.map((hand) => ({ ...hand }));
    this.turn = state.turn;
    this.castling = state.fen.split(" ")[2];
    this.show();
  }

  show() {
    this.app.board.editing = this.open;
    this.app.board.setWorth({});
    this.app.board.setState({ ...this.app.state, pieces: this.pieces, moves: [], last: null, check: null, frozen: [] }, true);
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
    if (this.piece && this.pieces[square] !== this.piece) this.pieces[square] = this.piece;
    else delete this.pieces[square];
    this.show();
  }

  panel() {
    const { game } = this.app;
    const palette = (black) => h("div", { class: "palette" }, ...game.pieces.map((piece) => {
      const letter = black ? piece.letter.toLowerCase() : piece.letter;
      const on = this.piece === letter;
      return h("button", { class: on ? "on" : "", "aria-pressed": on, "aria-label": `${black ? "Black" : "White"} ${piece.name}`, "data-letter": letter, onclick: () => { this.piece = on ? null : letter; this.show(); } }, picture(letter));
    }));
    const hand = (side) => h("div", { class: "handedit" }, ...game.hand.map((letter) => {
      const input = h("input", { type: "number", min: 0, max: 99, value: this.hands[side][letter] ?? 0, "aria-label": `${side ? "Black's" : "White's"} ${letter} in hand`, onchange: () => { this.hands[side][letter] = Number(input.value); } });
      return h("label", {}, picture(side ? letter.toLowerCase() : letter), input);
    }));
    const turn = h("select", { id: "edit-turn", onchange: () => { this.turn = Number(turn.value); } }, h("option", { value: 0, selected: !this.turn }, "White"), h("option", { value: 1, selected: this.turn === 1 }, "Black"));
    const castling = h("input", { id: "edit-castling", value: this.castling, onchange: () => { this.castling = castling.value.trim() || "-"; } });
    return [
      h("h2", {}, "Black"), palette(true), ...(game.hand.length ? [hand(1)] : []),
      h("h2", {}, "White"), palette(false), ...(game.hand.length ? [hand(0)] : []),
      h("label", {}, "To move", turn), h("label", {}, "Castling", castling),
      h("div", { class: "row" }, h("button", { onclick: () => { this.pieces = {}; this.hands = [{}, {}]; this.show(); } }, "Clear"), h("button", { onclick: () => this.start() }, "Reset")),
      h("p", { class: "error", id: "edit-error", role: "alert" }),
      h("div", { class: "row" }, h("button", { class: "main", id: "edit-done", onclick: () => this.app.send("setup", { pieces: this.pieces, hands: this.hands, turn: this.turn, castling: this.castling }) }, "Done"), h("button", { onclick: () => this.end() }, "Cancel")),
      h("p", { class: "note" }, "Choose a piece, then click squares. A second click, or no piece, clears a square."),
    ];
  }
}
