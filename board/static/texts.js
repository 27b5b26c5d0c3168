// The tab with FEN and PGN: input, output and errors.

import { h } from "./dom.js";
import { gifOf } from "./gif.js";
import { linkOf, linked, save, savePng, saveSvg, showLinked } from "./share.js";

export class TextTab {
  constructor(root, app) {
    this.app = app;
    this.fen = h("input", { type: "text", id: "fen", "aria-label": "FEN", spellcheck: "false" });
    this.fenError = h("p", { class: "error", id: "fen-error", role: "alert" });
    this.pgn = h("textarea", { id: "pgn", "aria-label": "PGN", spellcheck: "false", oninput: () => { this.typed = true; } });
    this.typed = false; // the user writes in the field of the PGN
    this.pgnError = h("p", { class: "error", id: "pgn-error", role: "alert" });
    this.link = h("input", { type: "text", id: "link", "aria-label": "Link to this position", readonly: true, hidden: true, onfocus: () => this.link.select() });
    const load = (name, id, error) => h("button", { id, onclick: () => { error.textContent = ""; name === "fen" ? app.send("fen", { fen: this.fen.value }) : this.loadPgn(); } }, "Load");
    const copy = (field) => h("button", { onclick: () => this.copy(field) }, "Copy");
    const picture = (kind) => h("button", { id: `save-${kind}`, onclick: () => app.send("picture", { kind, style: app.style(), flipped: app.board.flipped }) }, kind.toUpperCase());
    this.film = h("button", { id: "save-gif", title: "The whole game as a moving picture", onclick: () => { this.film.disabled = true; app.send("frames", { style: app.style(), flipped: app.board.flipped }); } }, "GIF");
    root.append(h("h2", {}, "FEN"), this.fen, this.fenError, h("div", { class: "row" }, load("fen", "load-fen", this.fenError), copy(this.fen)),
      h("h2", {}, "PGN"), this.pgn, this.pgnError, h("div", { class: "row" }, load("pgn", "load-pgn", this.pgnError), copy(this.pgn), h("button", { onclick: () => this.save() }, "Save"), h("button", { onclick: () => this.refresh() }, "Show current")),
      h("h2", {}, "Share"), h("div", { class: "row" }, h("button", { id: "make-link", onclick: () => { this.wantsLink = true; app.send("export"); } }, "Link"), picture("svg"), picture("png"), this.film), this.link);
  }

  drawFen() {
    if (document.activeElement !== this.fen) { this.fen.value = this.app.state.fen; this.fenError.textContent = ""; }
  }

  // Asks for the game as it stands; what the user left in the field goes.
  refresh() {
    this.typed = false;
    this.app.send("export");
  }

  // A text that the user began meanwhile stays.
  exported(message) {
    if (!this.typed) { this.pgn.value = message.pgn; this.pgnError.textContent = ""; }
    if (document.activeElement !== this.fen) this.fen.value = message.fen;
    if (this.wantsLink) this.makeLink(message.pgn);
  }

  // Shows an error at its field; the user's text stays.
  fail(message) {
    (message.where === "fen" ? this.fenError : this.pgnError).textContent = message.text;
    return true;
  }

  save() { save(`${this.app.game.variant}.pgn`, new Blob([this.pgn.value], { type: "application/x-chess-pgn" })); }

  // The field of the PGN takes a link as well, from another machine or an earlier run.
  loadPgn() {
    const game = linked(this.pgn.value);
    if (game) showLinked(this.app, game);
    else this.app.send("pgn", { text: this.pgn.value });
  }

  copy(field) {
    field.select();
    navigator.clipboard?.writeText(field.value).catch(() => {}); // the browser may refuse; the text is selected
    this.app.toast("Copied", true);
  }

  makeLink(pgn) {
    const { moves, state } = this.app;
    this.wantsLink = false;
    this.link.value = linkOf(pgn, moves.mainLine().indexOf(state.node));
    this.link.hidden = false;
    this.copy(this.link);
  }

  async filmed({ svgs }) {
    try { save(`${this.app.game.variant}.gif`, await gifOf(svgs)); } finally { this.film.disabled = false; }
  }

  pictured({ kind, svg }) { (kind === "svg" ? saveSvg : savePng)(this.app.game.variant, svg); }
}
