// The tab with FEN and PGN: in, out, and what is wrong with them.

import { h } from "./dom.js";

export class TextTab {
  constructor(root, app) {
    this.app = app;
    this.fen = h("input", { type: "text", id: "fen", "aria-label": "FEN", spellcheck: "false" });
    this.fenError = h("p", { class: "error", id: "fen-error", role: "alert" });
    this.pgn = h("textarea", { id: "pgn", "aria-label": "PGN", spellcheck: "false" });
    this.pgnError = h("p", { class: "error", id: "pgn-error", role: "alert" });
    const load = (name, id, error) => h("button", { id, onclick: () => { error.textContent = ""; app.send(name, name === "fen" ? { fen: this.fen.value } : { text: this.pgn.value }); } }, "Load");
    const copy = (field) => h("button", { onclick: () => { field.select(); navigator.clipboard?.writeText(field.value); app.toast("Copied", true); } }, "Copy");
    root.append(h("h2", {}, "FEN"), this.fen, this.fenError, h("div", { class: "row" }, load("fen", "load-fen", this.fenError), copy(this.fen)),
      h("h2", {}, "PGN"), this.pgn, this.pgnError, h("div", { class: "row" }, load("pgn", "load-pgn", this.pgnError), copy(this.pgn), h("button", { onclick: () => this.save() }, "Save"), h("button", { onclick: () => app.send("export") }, "Show current")));
  }

  drawFen() {
    if (document.activeElement !== this.fen) { this.fen.value = this.app.state.fen; this.fenError.textContent = ""; }
  }

  exported(message) {
    this.pgn.value = message.pgn;
    this.fen.value = message.fen;
    this.pgnError.textContent = "";
  }

  // Shows an error at its field; what the user wrote stays.
  fail(message) {
    (message.where === "fen" ? this.fenError : this.pgnError).textContent = message.text;
    return true;
  }

  save() {
    const link = h("a", { href: URL.createObjectURL(new Blob([this.pgn.value], { type: "application/x-chess-pgn" })), download: `${this.app.game.variant}.pgn` });
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
