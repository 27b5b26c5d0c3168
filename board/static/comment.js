// The user's mark and comment on the current move, and actions on it in the tree.

import { h } from "./dom.js";

const GLYPHS = [["!!", "very good"], ["!", "good"], ["!?", "interesting"], ["?!", "doubtful"], ["?", "bad"], ["??", "very bad"]];

export class CommentBox {
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.glyphs = GLYPHS.map(([glyph, meaning]) => h("button", { "data-glyph": glyph, title: meaning, "aria-label": `${meaning} move`, "aria-pressed": "false", onclick: () => this.mark(glyph) }, glyph));
    this.area = h("textarea", { "aria-label": "Comment on this move", placeholder: "Comment", onchange: () => app.send("comment", { node: this.shown, text: this.area.value }) });
    this.promote = h("button", { id: "promote", onclick: () => app.send("promote", { node: app.state.node }) }, "Main line");
    this.remove = h("button", { id: "delete", onclick: () => app.send("delete", { node: app.state.node }) }, "Delete from here");
    this.undo = h("button", { id: "undo", title: "Undo (Ctrl+Z)", "aria-label": "Undo", onclick: () => app.send("undo") }, "↶");
    this.redo = h("button", { id: "redo", title: "Redo (Ctrl+Y)", "aria-label": "Redo", onclick: () => app.send("redo") }, "↷");
    root.append(h("div", { class: "row glyphs", role: "group", "aria-label": "Mark of this move" }, ...this.glyphs), this.area,
      h("div", { class: "row" }, this.promote, this.remove, this.undo, this.redo));
  }

  // Choosing the same mark again removes it.
  mark(glyph) {
    const { app } = this;
    const node = app.moves.node(app.state.node);
    app.send("glyph", { node: node.id, glyph: node.glyph === glyph ? "" : glyph });
  }

  draw() {
    const { app } = this;
    const node = app.moves.node(app.state.node);
    for (const button of this.glyphs) {
      const on = node?.glyph === button.dataset.glyph;
      button.disabled = !node?.id;
      button.classList.toggle("on", on);
      button.setAttribute("aria-pressed", on);
    }
    // Do not overwrite a text while the user writes it.
    if (document.activeElement !== this.area || this.shown !== app.state.node) this.area.value = node?.comment ?? "";
    this.shown = app.state.node;
    this.promote.disabled = this.remove.disabled = !node?.id || Boolean(app.play?.active);
    this.drawUndo();
  }

  drawUndo() {
    const { play, undo } = this.app;
    this.undo.disabled = Boolean(play?.active) || !undo?.undo;
    this.redo.disabled = Boolean(play?.active) || !undo?.redo;
  }
}
