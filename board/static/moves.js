// The tree of moves: the main line in pairs, variations below, marks, scores and comments.

import { $, h, scoreText } from "./dom.js";

const GLYPH = { "??": "g-bad", "?": "g-bad", "?!": "g-warn", "!?": "g-warn", "!": "g-good", "!!": "g-good" };

export class Moves {
  // `onChoose` gets a node; `onLine` a node and the moves that were clicked in a line of a review.
  constructor(root, onChoose, onLine) {
    this.root = root;
    this.tree = null;
    this.buttons = new Map();
    root.addEventListener("click", (event) => {
      const button = event.target.closest(".mv");
      if (button) onChoose(Number(button.dataset.node));
      const move = event.target.closest(".pv");
      if (move) onLine(Number(move.dataset.from), move.dataset.moves.split(" "));
    });
  }

  // The notation in which moves are listed.
  setNotation(name) {
    if (name === this.notation) return;
    this.notation = name;
    if (this.tree) this.draw();
  }

  setTree(tree) {
    this.tree = tree;
    this.byId = new Map(tree.nodes.map((node) => [node.id, node]));
    this.draw();
  }

  update(nodes) {
    for (const node of nodes) this.byId.set(node.id, node);
    if (this.waiting) return;
    // Many nodes may come at once; the list is drawn once for all of them.
    this.waiting = requestAnimationFrame(() => { this.waiting = null; this.draw(); });
  }

  // The name of the opening: of the last position with a name on the way to a node.
  drawOpening(id) {
    let node = this.node(id);
    while (node && !node.opening) node = this.node(node.parent);
    $("#opening").textContent = node ? node.opening.filter(Boolean).join(" ") : "";
  }

  node(id) { return this.byId?.get(id); }

  ply(id) {
    let count = 0;
    for (let node = this.node(id); node && node.parent !== undefined; node = this.node(node.parent)) count++;
    return count;
  }

  // The side to move at a node.
  turn(id) { return (this.tree.firstTurn + this.ply(id)) % 2; }

  mainLine() {
    const found = [0];
    for (let node = this.node(0); node?.children?.length;) {
      node = this.node(node.children[0]);
      if (!node) break;
      found.push(node.id);
    }
    return found;
  }

  draw() {
    this.buttons.clear();
    const rows = [];
    const first = this.tree.firstTurn;
    const root = this.node(0);
    if (root.comment) rows.push(h("div", { class: "says" }, root.comment));
    let row = null;
    let ply = first;
    for (let parent = root; parent?.children?.length;) {
      const node = this.node(parent.children[0]);
      if (!node) break;
      const black = ply % 2 === 1;
      if (!black || !row) {
        row = h("div", { class: "pair" }, h("i", {}, `${this.number(ply)}.`));
        if (black) row.append(h("span", { class: "mv" }, "…"));
        rows.push(row);
      }
      row.append(this.button(node, true));
      const others = parent.children.slice(1).map((id) => this.node(id)).filter(Boolean);
      if (node.comment || node.best || others.length) {
        if (node.best) rows.push(this.line("Better:", node.parent, node.best));
        if (node.refutation) rows.push(this.line("Answer:", node.id, node.refutation));
        if (node.comment) rows.push(h("div", { class: "says" }, node.comment));
        for (const other of others) rows.push(this.variation(other, ply));
        row = null;
      }
      parent = node;
      ply += 1;
    }
    if (!rows.length) rows.push(h("p", { class: "note" }, "No moves yet. Click a piece or type a move."));
    this.root.replaceChildren(...rows);
    this.mark(this.here, false);
    this.drawOpening(this.here);
  }

  number(ply) { return this.tree.firstNumber + Math.floor(ply / 2); }

  // A variation and those in it, with a loop along the line, so that long ones need no deep recursion.
  variation(start, ply) {
    const box = h("div", { class: "side" });
    let node = start;
    let numbered = true;
    for (;;) {
      const black = ply % 2 === 1;
      if (!black || numbered) box.append(`${this.number(ply)}${black ? "…" : "."}\u00a0`);
      box.append(this.button(node, false), " ");
      numbered = Boolean(node.comment);
      if (node.comment) box.append(h("span", { class: "says" }, node.comment), " ");
      const next = (node.children ?? []).map((id) => this.node(id)).filter(Boolean);
      if (!next.length) return box;
      ply += 1;
      for (const other of next.slice(1)) { box.append(this.variation(other, ply)); numbered = true; }
      node = next[0];
    }
  }

  // A line of the review at a mistake; each of its moves plays the line up to there from a node.
  line(title, from, text) {
    const labels = text.split(" ");
    const moves = labels.map((label, index) => h("button", { class: "pv", "data-from": from, "data-moves": labels.slice(0, index + 1).join(" "), tabindex: index ? -1 : 0, "aria-label": `Play ${label}` }, label));
    return h("div", { class: `says line ${title === "Answer:" ? "answer" : ""}` }, `${title} `, ...moves);
  }

  button(node, wide) {
    const glyph = node.glyph ? h("span", { class: GLYPH[node.glyph] ?? "" }, node.glyph) : null;
    const words = h("span", {}, node.notations?.[this.notation] ?? node.label, glyph);
    const button = h("button", { class: "mv", "data-node": node.id, tabindex: -1 }, wide ? words : words.textContent, wide && node.eval ? h("em", {}, scoreText(node.eval)) : null);
    this.buttons.set(node.id, button);
    return button;
  }

  // Marks the move that led to the position on the board.
  mark(node, scroll = true) {
    this.buttons.get(this.here)?.classList.remove("here");
    this.buttons.get(this.here)?.removeAttribute("aria-current");
    this.here = node;
    const button = this.buttons.get(node);
    if (!button) { if (scroll && node === 0) this.root.parentElement.scrollTop = 0; return; }
    button.classList.add("here");
    button.setAttribute("aria-current", "true");
    const pane = this.root.parentElement;
    const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
    if (top < pane.scrollTop + 20 || bottom > pane.scrollTop + pane.clientHeight - 20) pane.scrollTop = top - pane.clientHeight / 2;
  }
}
