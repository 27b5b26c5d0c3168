// The board: pieces, marks, arrows, and moves by click, by drag and by keyboard. It knows no rules: the server
// has sent every legal move with what it does elsewhere.

import { h, s, $, picture, pieceKey, pieceName, squareName } from "./dom.js";
import { UNIT, extent, ground, place } from "./ground.js";
import { arrowShape, crossShape, tagShape } from "./shapes.js";

const DRAG = 5; // pixels before a press becomes a drag

export class Board {
  // `root` gets the SVG. `callbacks`: move(text), square(number) for the editor, drawn(arrows).
  constructor(root, callbacks = null) {
    this.root = root;
    this.callbacks = callbacks;
    this.flipped = false;
    this.pieces = new Map(); // square -> {letter, node}
    this.moves = [];
    this.chosen = null; // a square, or "@" and a letter
    this.cursor = 0;
    this.own = []; // arrows that the user drew
    this.lines = []; // arrows of the engine
    this.worth = {}; // square -> what its piece is worth, as text
    this.state = null;
    this.editing = false;
  }

  setGame(game) {
    this.game = game;
    this.pieces.clear();
    this.cursor = Math.floor(game.files / 2) - 1 + game.files;
    this.build();
  }

  build() {
    const { files, ranks } = this.game;
    const { width, height } = extent(this.game);
    this.layers = Object.fromEntries(["marks", "pieces", "worth", "targets", "shapes", "cells", "choice"].map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.svg = s("svg", { viewBox: `0 0 ${width} ${height}` });
    if (this.callbacks) {
      this.svg.setAttribute("role", "grid");
      this.svg.setAttribute("aria-label", `Board of ${files} by ${ranks} squares`);
      this.listen();
    }
    for (const name of ["marks", "pieces", "worth", "targets", "shapes"]) this.layers[name].setAttribute("aria-hidden", "true");
    this.svg.append(ground(this.game, this.flipped), ...Object.values(this.layers));
    this.root.replaceChildren(this.svg);
    this.pieces.clear();
    if (this.callbacks) this.buildCells();
    if (this.state) this.setState(this.state);
  }

  buildCells() {
    const { files, ranks } = this.game;
    this.cells = [];
    for (let y = 0; y < ranks; y++) {
      const row = s("g", { role: "row" });
      for (let x = 0; x < files; x++) {
        const square = this.flipped ? y * files + files - 1 - x : (ranks - 1 - y) * files + x;
        const cell = s("rect", { class: "cell", role: "gridcell", x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT, tabindex: square === this.cursor ? 0 : -1, "data-square": squareName(this.game, square) });
        this.cells[square] = cell;
        row.append(cell);
      }
      this.layers.cells.append(row);
    }
  }

  flip(flipped = !this.flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.closeChoice();
    if (this.game) this.build();
  }

  // Positions

  setState(state, still = false) {
    const news = !this.state || this.state.node !== state.node || this.state.fen !== state.fen;
    this.state = state;
    this.moves = state.moves ?? [];
    if (news) { this.choose(null); this.closeChoice(); this.own = []; this.worth = {}; }
    this.drawPieces(state.pieces, new Set(state.frozen ?? []), still);
    this.drawMarks();
    this.drawWorth();
    this.drawShapes();
    this.label();
  }

  // What each piece is worth: square -> text.
  setWorth(worth) {
    this.worth = worth;
    if (!this.state) return;
    this.drawWorth();
    this.label();
  }

  drawWorth() {
    this.layers.worth.replaceChildren(...Object.entries(this.worth).map(([square, text]) => {
      const [x, y] = this.centre(Number(square));
      return tagShape([x, y + 15], text);
    }));
  }

  centre(square) {
    const [x, y] = place(this.game, this.flipped, square);
    return [(x + 0.5) * UNIT, (y + 0.5) * UNIT];
  }

  drawPieces(wanted, frozen, still) {
    const before = this.pieces;
    const after = new Map();
    const free = [];
    for (const [square, piece] of before) {
      if (wanted[square] === piece.letter) after.set(square, piece);
      else free.push([square, piece]);
    }
    for (const [name, letter] of Object.entries(wanted)) {
      const square = Number(name);
      if (after.has(square)) continue;
      const at = this.nearest(free, square, letter);
      const piece = at === -1 ? this.newPiece(letter) : free.splice(at, 1)[0][1];
      piece.node.classList.toggle("still", still || at === -1 || piece.node === this.dropped);
      this.put(piece.node, square);
      after.set(square, piece);
    }
    for (const [, piece] of free) piece.node.remove();
    for (const [square, piece] of after) piece.node.classList.toggle("frozen", frozen.has(square));
    this.pieces = after;
    this.dropped = null;
  }

  // The place in `free` of the piece of that letter that has the shortest way to a square; -1 for none.
  nearest(free, square, letter) {
    let best = -1;
    let least = Infinity;
    const [x, y] = place(this.game, false, square);
    free.forEach(([other, piece], index) => {
      if (piece.letter !== letter) return;
      const [a, b] = place(this.game, false, other);
      const way = (x - a) ** 2 + (y - b) ** 2;
      if (way < least) [best, least] = [index, way];
    });
    return best;
  }

  newPiece(letter) {
    const node = s("g", { class: "piece" }, s("use", { href: `#p-${pieceKey(letter)}`, width: UNIT, height: UNIT }));
    this.layers.pieces.append(node);
    return { letter, node };
  }

  put(node, square) {
    const [x, y] = place(this.game, this.flipped, square);
    node.style.transform = `translate(${x * UNIT}px, ${y * UNIT}px)`;
  }

  box(square, attributes) {
    const [x, y] = place(this.game, this.flipped, square);
    return s("rect", { x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT, ...attributes });
  }

  drawMarks() {
    const marks = [];
    const last = this.state.last;
    if (last && !last.pass && !last.choice) {
      for (const square of new Set([last.from, last.to])) if (square !== null) marks.push(this.box(square, { fill: "var(--last)" }));
      for (const square of last.gone ?? []) marks.push(this.box(square, { fill: "rgba(200,40,30,.35)", class: "gone" }));
      for (const [from, to] of last.pushed ?? []) {
        marks.push(this.box(to, { fill: "rgba(240,140,20,.4)", class: "pushed" }));
        marks.push(arrowShape(this.centre(from), this.centre(to), { colour: "#d9780f", width: 5, opacity: 0.75 }));
      }
    }
    if (this.state.check !== null && this.state.check !== undefined) {
      const [x, y] = this.centre(this.state.check);
      marks.push(s("circle", { cx: x, cy: y, r: 21, fill: "rgba(220,20,20,.55)", class: "check" }));
    }
    if (typeof this.chosen === "number") marks.push(this.box(this.chosen, { fill: "var(--chosen)" }));
    this.layers.marks.replaceChildren(...marks);
    this.drawTargets();
  }

  drawTargets() {
    const shapes = [];
    for (const [square, moves] of this.targets()) {
      const [x, y] = this.centre(square);
      const does = moves.some((move) => move.gone || move.pushed);
      const colour = does ? "rgba(196,98,10,.85)" : "rgba(20,85,30,.55)";
      const kind = does ? "target does" : "target";
      if (moves.some((move) => move.takes)) shapes.push(s("circle", { class: kind, cx: x, cy: y, r: 20, fill: "none", stroke: colour, "stroke-width": 4 }));
      else if (does) shapes.push(s("path", { class: kind, d: `M${x} ${y - 9}l9 9l-9 9l-9-9z`, fill: colour }));
      else shapes.push(s("circle", { class: kind, cx: x, cy: y, r: 6.5, fill: colour }));
    }
    this.layers.targets.replaceChildren(...shapes);
  }

  // Shows what a move to the square under the pointer would do to others.
  hover(square) {
    if (square === this.hovered) return;
    this.hovered = square;
    this.drawShapes();
  }

  effects() {
    const moves = this.hovered === null || this.hovered === undefined ? null : this.targets().get(this.hovered);
    const move = moves?.[0];
    if (!move) return [];
    const crosses = (move.gone ?? []).map((square) => crossShape(this.centre(square)));
    const pushes = (move.pushed ?? []).map(([from, to]) => arrowShape(this.centre(from), this.centre(to), { colour: "#d9780f", width: 6, opacity: 0.9 }));
    return [...crosses, ...pushes];
  }

  // Arrows of the engine: [{from, to, drop, colour, width, label}]; `from` is null for a drop.
  setLines(lines) {
    this.lines = lines;
    this.drawShapes();
  }

  drawShapes() {
    if (!this.game || !this.layers) return;
    const arrows = [...this.lines, ...this.own].map((line) => this.arrow(line)).filter(Boolean);
    this.layers.shapes.replaceChildren(...arrows, ...this.effects());
  }

  arrow(line) {
    const to = this.centre(line.to);
    if (line.from === line.to) return s("circle", { class: "arrow", cx: to[0], cy: to[1], r: 20, fill: "none", stroke: line.colour, "stroke-width": 3, opacity: 0.8 });
    const from = line.from === null ? this.handPoint(line.drop) : this.centre(line.from);
    if (!from) return s("circle", { class: "arrow", cx: to[0], cy: to[1], r: 19, fill: "none", stroke: line.colour, "stroke-width": 4, opacity: 0.8 });
    return arrowShape(from, to, line);
  }

  // Where a piece of the hand stands, in units of the board.
  handPoint(letter) {
    const slot = $(`.slot[data-piece="${letter}"]`);
    const matrix = this.svg.getScreenCTM();
    if (!slot || !matrix) return null;
    const box = slot.getBoundingClientRect();
    const point = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  label() {
    if (!this.cells) return;
    const targets = this.targets();
    for (let square = 0; square < this.cells.length; square++) {
      const letter = this.state.pieces[square];
      const words = [squareName(this.game, square), letter ? pieceName(this.game, letter) : "empty"];
      if (this.worth[square]) words.push(`worth ${this.worth[square]}`);
      if (square === this.chosen) words.push("chosen");
      if (targets.has(square)) words.push(targets.get(square).some((move) => move.takes) ? "capture here" : "move here");
      if (square === this.state.check) words.push("in check");
      if (this.state.frozen?.includes(square)) words.push("immobile");
      this.cells[square].setAttribute("aria-label", words.join(", "));
      this.cells[square].setAttribute("aria-selected", square === this.chosen);
    }
  }

  // Choosing and moving

  source(move) {
    return move.drop ? `@${move.drop}` : move.from;
  }

  targets() {
    const found = new Map();
    if (this.chosen === null) return found;
    for (const move of this.moves) {
      if (move.pass || this.source(move) !== this.chosen) continue;
      if (!found.has(move.to)) found.set(move.to, []);
      found.get(move.to).push(move);
    }
    return found;
  }

  canMove(source) {
    return this.moves.some((move) => !move.pass && this.source(move) === source);
  }

  choose(source) {
    this.chosen = source !== null && this.canMove(source) ? source : null;
    this.hovered = null;
    for (const slot of document.querySelectorAll(".hand .slot")) {
      const on = this.callbacks && slot.dataset.piece === this.chosenDrop();
      if (this.callbacks) { slot.classList.toggle("chosen", on); slot.setAttribute("aria-pressed", on); }
    }
    if (this.state) { this.drawMarks(); this.drawShapes(); this.label(); }
  }

  chosenDrop() {
    if (typeof this.chosen !== "string") return null;
    const letter = this.chosen.slice(1);
    return this.state.turn ? letter.toLowerCase() : letter;
  }

  // A click, or its like by keyboard.
  act(square) {
    if (this.editing) { this.callbacks.square(square); return; }
    const moves = this.targets().get(square);
    if (moves) this.go(moves, square);
    else this.choose(square === this.chosen ? null : square);
  }

  go(moves, square) {
    if (moves.length === 1) { this.send(moves[0]); return; }
    this.openChoice(moves, square);
  }

  send(move) {
    this.choose(null);
    this.callbacks.move(move.text);
  }

  openChoice(moves, square) {
    const { files, ranks } = this.game;
    const [x, y] = place(this.game, this.flipped, square);
    const down = y < ranks / 2;
    const inward = x < files / 2 ? 1 : -1;
    const turn = this.state.turn;
    const layer = this.layers.choice;
    const order = [...moves].sort((a, b) => Boolean(b.becomes) - Boolean(a.becomes));
    layer.replaceChildren(s("rect", { width: files * UNIT, height: ranks * UNIT, fill: "rgba(0,0,0,.45)", onpointerdown: (event) => { event.stopPropagation(); this.closeChoice(true); } }));
    const buttons = order.map((move, index) => {
      const room = down ? ranks - y : y + 1;
      const column = x + inward * Math.floor(index / room);
      const row = y + (down ? 1 : -1) * (index % room);
      const stays = this.state.pieces[move.from];
      const letter = move.becomes ? (turn ? move.becomes.toLowerCase() : move.becomes) : stays;
      const button = s("g", { role: "button", tabindex: 0, "aria-label": move.becomes ? `Promote to ${pieceName(this.game, letter)}` : "Do not promote", "data-becomes": move.becomes ?? "", transform: `translate(${column * UNIT} ${row * UNIT})`, style: "cursor:pointer" },
        s("rect", { x: 1, y: 1, width: UNIT - 2, height: UNIT - 2, rx: 8, fill: "var(--panel)", stroke: "var(--accent)", "stroke-width": 1.5 }),
        s("use", { href: `#p-${pieceKey(letter)}`, width: UNIT, height: UNIT }));
      const take = (event) => { event.preventDefault(); event.stopPropagation(); this.closeChoice(); this.send(move); };
      button.addEventListener("pointerdown", take);
      button.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") take(event);
        else if (event.key === "Escape") { event.stopPropagation(); this.closeChoice(true); }
        else if (event.key.startsWith("Arrow")) {
          event.preventDefault(); event.stopPropagation();
          const step = ["ArrowDown", "ArrowRight"].includes(event.key) ? 1 : -1;
          buttons[(index + step + buttons.length) % buttons.length].focus();
        }
      });
      return button;
    });
    layer.append(...buttons);
    buttons[0].focus({ preventScroll: true });
  }

  closeChoice(refocus = false) {
    if (!this.layers?.choice.firstChild) return;
    this.layers.choice.replaceChildren();
    if (this.state) { for (const [square, piece] of this.pieces) this.put(piece.node, square); }
    if (refocus) this.choose(null);
  }

  // Pointer and keyboard

  squareAt(x, y) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    const [column, row] = [Math.floor(point.x / UNIT), Math.floor(point.y / UNIT)];
    const { files, ranks } = this.game;
    if (column < 0 || row < 0 || column >= files || row >= ranks) return null;
    return this.flipped ? row * files + files - 1 - column : (ranks - 1 - row) * files + column;
  }

  listen() {
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.drag(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointercancel", () => this.endDrag());
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focusin", (event) => { if (event.target.dataset.square) this.hover(this.cells.indexOf(event.target)); });
  }

  press(event) {
    const square = this.squareAt(event.clientX, event.clientY);
    if (square === null) return;
    if (event.button === 2) { this.drawing = square; return; }
    if (event.button !== 0) return;
    if (this.own.length) { this.own = []; this.drawShapes(); }
    this.held = { square, x: event.clientX, y: event.clientY, was: this.chosen, moving: false };
    if (!this.editing && !this.targets().has(square) && square !== this.chosen) this.choose(square);
  }

  drag(event) {
    const square = this.squareAt(event.clientX, event.clientY);
    this.hover(square);
    const held = this.held;
    const piece = held && this.pieces.get(held.square);
    if (!held) { this.svg.classList.toggle("own", square !== null && (this.editing || this.canMove(square) || this.targets().has(square))); return; }
    if (!piece || this.editing || this.chosen !== held.square) return;
    if (!held.moving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG) return;
    if (!held.moving) { held.moving = true; this.svg.setPointerCapture(event.pointerId); piece.node.classList.add("still"); this.layers.pieces.append(piece.node); }
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    piece.node.style.transform = `translate(${point.x - UNIT / 2}px, ${point.y - UNIT / 2}px)`;
  }

  release(event) {
    const square = this.squareAt(event.clientX, event.clientY);
    if (event.button === 2) { this.draw(square); return; }
    const held = this.held;
    this.held = null;
    if (!held) return;
    if (!held.moving) {
      if (square !== held.square) return;
      if (this.editing || held.was === square || this.targets().has(square)) this.act(square);
      return;
    }
    const piece = this.pieces.get(held.square);
    const moves = square === null ? null : this.targets().get(square);
    if (moves) {
      this.put(piece.node, square);
      this.dropped = piece.node;
      this.go(moves, square);
    } else if (piece) this.put(piece.node, held.square);
  }

  endDrag() {
    const piece = this.held && this.pieces.get(this.held.square);
    if (piece) this.put(piece.node, this.held.square);
    this.held = null;
  }

  // Arrows by the right button; the same one again takes it away.
  draw(square) {
    const from = this.drawing;
    this.drawing = null;
    if (from === null || from === undefined || square === null) return;
    const same = (line) => line.from === from && line.to === square;
    this.own = this.own.some(same) ? this.own.filter((line) => !same(line)) : [...this.own, { from, to: square, colour: "#15781b", width: 6, opacity: 0.75 }];
    this.drawShapes();
  }

  // A press on a piece of the hand: it is chosen, and may be dragged to the board.
  pressHand(event, letter) {
    if (event.button !== 0) return;
    const source = `@${letter}`;
    const was = this.chosen;
    this.choose(source);
    if (this.chosen !== source) return;
    const start = [event.clientX, event.clientY];
    const size = this.svg.getScreenCTM().a * UNIT;
    let ghost = null;
    const move = (moved) => {
      if (!ghost && Math.hypot(moved.clientX - start[0], moved.clientY - start[1]) < DRAG) return;
      if (!ghost) {
        ghost = h("div", { class: "ghost", style: `width:${size}px;height:${size}px` }, picture(this.chosenDrop() ?? letter));
        document.body.append(ghost);
      }
      ghost.style.left = `${moved.clientX}px`;
      ghost.style.top = `${moved.clientY}px`;
      this.hover(this.squareAt(moved.clientX, moved.clientY));
    };
    const up = (ended) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      if (!ghost) { if (was === source) this.choose(null); return; }
      ghost.remove();
      const square = this.squareAt(ended.clientX, ended.clientY);
      const moves = this.targets().get(square);
      if (moves) this.go(moves, square);
      else this.choose(null);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  key(event) {
    const square = this.cells.indexOf(event.target);
    if (square === -1) return;
    const { files, ranks } = this.game;
    const steps = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (steps[event.key]) {
      const sign = this.flipped ? -1 : 1;
      const file = (square % files) + sign * steps[event.key][0];
      const rank = Math.floor(square / files) + sign * steps[event.key][1];
      if (file >= 0 && file < files && rank >= 0 && rank < ranks) this.focus(rank * files + file);
    } else if (event.key === "Enter" || event.key === " ") this.act(square);
    else if (event.key === "Escape") this.choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(square) {
    this.cells[this.cursor]?.setAttribute("tabindex", -1);
    this.cursor = square;
    this.cells[square].setAttribute("tabindex", 0);
    this.cells[square].focus({ preventScroll: true });
  }
}
