// The board: pieces, marks, arrows, and moves by click, by drag and by keyboard. It does not know the rules: the server
// sends every legal move with its effects on other pieces.

import { s, $, pieceKey, pieceName, squareName, squareNumber } from "./dom.js";
import { UNIT, extent, ground, place } from "./ground.js";
import { Pointer } from "./pointer.js";
import { arrowShape, crossShape, tagShape } from "./shapes.js";

const DRAWN = { G: "#15781b", R: "#b01818", Y: "#c98a00", B: "#1b5fb0" }; // colours of arrows and circles

export class Board {
  // `root` gets the SVG. `callbacks`: move(text), premove({source, to, wall} or null), drawn(shapes); put(square) and
  // shift(from, to) for the editor.
  constructor(root, callbacks = null) {
    this.root = root;
    this.callbacks = callbacks;
    this.flipped = false;
    this.rotating = false; // pieces turn with the board
    this.pieces = new Map(); // square -> {letter, node}
    this.moves = [];
    this.chosen = null; // a square, or "@" and a letter
    this.step = null; // a move whose wall is to be chosen
    this.cursor = 0;
    this.drawn = []; // arrows and circles of the user: a colour, and one or two squares
    this.premover = null; // the side that may choose its next move while the other one thinks
    this.premove = null; // {source, to}, and `wall` where it has been chosen
    this.locked = false; // nobody can move here now
    this.lines = []; // arrows of the engine
    this.worth = {}; // square -> the value of its piece, as text
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
    const named = Boolean(this.callbacks);
    const { width, height } = extent(this.game, named);
    this.layers = Object.fromEntries(["walls", "marks", "pieces", "worth", "targets", "shapes", "cells", "choice"].map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.svg = s("svg", { viewBox: `0 0 ${width} ${height}` });
    if (this.callbacks) {
      this.layers.cells.setAttribute("role", "grid");
      this.layers.cells.setAttribute("aria-label", `Board of ${files} by ${ranks} squares`);
      this.layers.choice.setAttribute("role", "group"); // beside the grid, which may hold only rows
      this.layers.choice.setAttribute("aria-label", "Choice of a piece");
      this.pointer = new Pointer(this);
    }
    for (const name of ["walls", "marks", "pieces", "worth", "targets", "shapes"]) this.layers[name].setAttribute("aria-hidden", "true");
    this.svg.append(ground(this.game, this.flipped, named), ...Object.values(this.layers));
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

  // Whether pieces turn with the board depends on their pictures.
  setRotating(rotating) {
    if (rotating === this.rotating) return;
    this.rotating = rotating;
    if (this.game) this.build();
  }

  // Positions

  setState(state, still = false) {
    const news = !this.state || this.state.node !== state.node || this.state.fen !== state.fen;
    const chosen = this.premover === null || !this.sameOwn(state) ? null : this.chosen;
    this.state = state;
    this.moves = state.moves ?? [];
    if (news) { this.choose(chosen); this.closeChoice(); this.worth = {}; }
    this.layers.walls.replaceChildren(...(state.walls ?? []).map((square) => this.box(square, { class: "wall", fill: "var(--hole)", rx: 6 })));
    this.drawPieces(state.pieces, new Set(state.frozen ?? []), still);
    this.drawMarks();
    this.drawWorth();
    this.drawShapes();
    this.label();
  }

  // Whether a piece that is chosen during the other side's turn is still there.
  sameOwn(state) {
    if (typeof this.chosen !== "number") return true;
    return state.pieces[this.chosen] !== undefined && state.pieces[this.chosen] === this.state?.pieces[this.chosen];
  }

  // Who may move here: any side in its turn, nobody (`locked`), or `premover` before its turn.
  setTurns({ locked = false, premover = null }) {
    if (locked === this.locked && premover === this.premover) return;
    this.locked = locked;
    this.premover = premover;
    if (this.state) this.choose(this.chosen);
  }

  setPremove(premove) {
    this.premove = premove;
    if (this.state) this.drawMarks();
  }

  // The value of each piece: square -> text.
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
      if (wanted[square] === piece.letter) { after.set(square, piece); this.put(piece.node, square); } // the user may have dragged it
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

  figure(letter) {
    return s("use", { href: `#p-${pieceKey(letter)}`, width: UNIT, height: UNIT, transform: this.rotating && this.flipped ? `rotate(180 ${UNIT / 2} ${UNIT / 2})` : null });
  }

  newPiece(letter) {
    const node = s("g", { class: "piece" }, this.figure(letter));
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
    if (last?.wall !== undefined) marks.push(this.box(last.wall, { fill: "none", stroke: "var(--last)", "stroke-width": 4, class: "built" }));
    if (last && !last.pass && !last.choice) {
      for (const square of new Set([last.from, last.to])) if (square !== null) marks.push(this.box(square, { fill: "var(--last)" }));
      for (const square of last.gone ?? []) marks.push(this.box(square, { fill: "rgba(200,40,30,.35)", class: "gone" }));
      for (const [from, to] of last.pushed ?? []) {
        marks.push(this.box(to, { fill: "rgba(240,140,20,.4)", class: "pushed" }));
        marks.push(arrowShape(this.centre(from), this.centre(to), { colour: "#d9780f", width: 5, opacity: 0.75 }));
      }
    }
    for (const square of [this.premove?.source, this.premove?.to]) if (typeof square === "number") marks.push(this.box(square, { fill: "var(--premove)", class: "premove" }));
    if (this.premove?.wall !== undefined) marks.push(this.box(this.premove.wall, { fill: "none", stroke: "var(--premove)", "stroke-width": 6, class: "premove" }));
    if (typeof this.chosen === "number") marks.push(this.box(this.chosen, { fill: "var(--chosen)" }));
    if (this.state.check !== null && this.state.check !== undefined) {
      const [x, y] = this.centre(this.state.check);
      marks.push(s("circle", { cx: x, cy: y, r: 21, fill: "var(--check)", class: "check" }));
    }
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

  // Shows the effects on other pieces of a move to the square under the pointer.
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
    const arrows = [...this.lines, ...this.drawn.map((shape) => this.drawnLine(shape))].map((line) => this.arrow(line)).filter(Boolean);
    this.layers.shapes.replaceChildren(...arrows, ...this.effects());
  }

  // Arrows and circles of the user: "Ge2e4", "Rd5".
  setDrawn(shapes) {
    if (String(shapes) === String(this.drawn)) return;
    this.drawn = shapes;
    this.drawShapes();
  }

  drawnLine(shape) {
    const squares = shape.slice(1).match(/[a-p]\d+/g).map((name) => squareNumber(this.game, name));
    return { from: squares[0], to: squares.at(-1), colour: DRAWN[shape[0]], width: 6, opacity: 0.75 };
  }

  // Drawing the same shape again removes it.
  toggleShape(colour, from, to) {
    const shape = colour + squareName(this.game, from) + (from === to ? "" : squareName(this.game, to));
    const others = this.drawn.filter((one) => one.slice(1) !== shape.slice(1));
    this.callbacks.drawn(this.drawn.includes(shape) ? others : [...others, shape]);
  }

  arrow(line) {
    const to = this.centre(line.to);
    if (line.from === line.to) return s("circle", { class: "arrow", cx: to[0], cy: to[1], r: 20, fill: "none", stroke: line.colour, "stroke-width": 3, opacity: 0.8 });
    const from = line.from === null ? this.handPoint(line.drop) : this.centre(line.from);
    if (!from) return s("circle", { class: "arrow", cx: to[0], cy: to[1], r: 19, fill: "none", stroke: line.colour, "stroke-width": 4, opacity: 0.8 });
    return arrowShape(from, to, line);
  }

  // The place of a piece in hand, in units of the board.
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
      const words = [squareName(this.game, square), letter ? pieceName(this.game, letter) : this.state.walls?.includes(square) ? "wall" : "empty"];
      if (this.worth[square]) words.push(`worth ${this.worth[square]}`);
      if (square === this.chosen) words.push("chosen");
      if (targets.has(square)) words.push(targets.get(square).some((move) => move.takes) ? "capture here" : this.step ? "wall here" : "move here");
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
    if (this.chosen === null || this.locked || this.premover !== null) return found;
    if (this.step) return new Map(this.step.walls.map((square) => [square, [{ text: this.step.before + squareName(this.game, square), to: square }]]));
    for (const move of this.moves) {
      if (move.pass || this.source(move) !== this.chosen) continue;
      if (!found.has(move.to)) found.set(move.to, []);
      found.get(move.to).push(move);
    }
    // Moving the king onto its rook castles as well.
    for (const move of this.moves) {
      const rook = move.castles && move.from === this.chosen ? move.pushed?.[0]?.[0] : undefined;
      if (rook !== undefined && !found.has(rook)) found.set(rook, [move]);
    }
    return found;
  }

  canMove(source) {
    if (this.locked) return false;
    if (this.premover === null) return this.moves.some((move) => !move.pass && this.source(move) === source);
    if (typeof source === "string") return Boolean(this.state.hands[this.premover][source.slice(1)]);
    return source !== null && this.isOwn(source, this.premover);
  }

  isOwn(square, side) {
    const letter = this.state.pieces[square];
    return letter !== undefined && (letter[0] === letter[0].toUpperCase() ? 0 : 1) === side;
  }

  choose(source) {
    this.chosen = source !== null && this.canMove(source) ? source : null;
    if (this.step) this.forgetStep();
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
    return this.premover ?? this.state.turn ? letter.toLowerCase() : letter;
  }

  // A click, or the same by keyboard.
  act(square) {
    if (this.editing) { this.callbacks.put(square); return; }
    const moves = this.targets().get(square);
    if (moves) this.go(moves, square);
    else if (this.premover !== null) this.actBefore(square);
    else this.choose(square === this.chosen ? null : square);
  }

  // A click during the other side's turn: it chooses a piece, or the target square of a premove, or its wall.
  actBefore(square) {
    if (this.takesWall(square)) { this.callbacks.premove({ ...this.premove, wall: square }); return; }
    const source = this.chosen;
    if (source === null || source === square) { this.choose(source === square ? null : square); this.callbacks.premove(null); return; }
    this.choose(null);
    this.callbacks.premove({ source, to: square });
  }

  // Whether a click there chooses the wall of the premove. It may be on the square that the piece leaves, or on one that
  // the other side has left by then.
  takesWall(square) {
    if (!this.game.choosesWalls || this.premover === null || this.chosen !== null || !this.premove || this.premove.wall !== undefined) return false;
    const { source, to } = this.premove;
    return square !== null && square !== to && (square === source || !this.isOwn(square, this.premover));
  }

  // `wall` is a square that was chosen before the move.
  go(moves, square, wall) {
    if (moves.length === 1 && moves[0].from !== moves[0].to) { this.send(moves[0], wall); return; }
    this.openChoice(moves, square, wall);
  }

  // The piece of a move has been chosen; a wall may be left to choose. A click elsewhere takes the move back.
  send(move, wall) {
    const known = move.walls?.includes(wall);
    if (move.walls?.length > 1 && !known) { this.chooseWall(move); return; }
    if (move.walls) move = { text: move.before + squareName(this.game, known ? wall : move.walls[0]) };
    this.step = null; // its piece stays where it is
    this.choose(null);
    this.callbacks.move(move.text);
  }

  chooseWall(move) {
    this.step = move;
    this.hovered = null;
    const piece = this.pieces.get(move.from);
    if (piece) { this.put(piece.node, move.to); this.layers.pieces.append(piece.node); this.dropped = piece.node; }
    this.drawMarks();
    this.drawShapes();
    this.label();
  }

  forgetStep() {
    const piece = this.pieces.get(this.step.from);
    this.step = null;
    this.dropped = null;
    if (piece) this.put(piece.node, [...this.pieces].find(([, one]) => one === piece)[0]);
  }

  openChoice(moves, square, wall) {
    const { files, ranks } = this.game;
    const [x, y] = place(this.game, this.flipped, square);
    const down = y < ranks / 2;
    const inward = x < files / 2 ? 1 : -1;
    const turn = this.state.turn;
    const layer = this.layers.choice;
    const order = [...moves].sort((a, b) => Boolean(b.becomes ?? b.enters) - Boolean(a.becomes ?? a.enters));
    const gated = moves.some((move) => move.enters);
    layer.replaceChildren(s("rect", { width: files * UNIT, height: ranks * UNIT, fill: "rgba(0,0,0,.45)", onpointerdown: (event) => { event.stopPropagation(); this.closeChoice(true); } }));
    const buttons = order.map((move, index) => {
      const room = down ? ranks - y : y + 1;
      const column = x + inward * Math.floor(index / room);
      const row = y + (down ? 1 : -1) * (index % room);
      const stays = this.state.pieces[move.from];
      const made = move.becomes ?? move.enters;
      const letter = made ? (turn ? made.toLowerCase() : made) : stays;
      const on = move.enters ? squareName(this.game, move.on) : "";
      const label = move.becomes ? `Promote to ${pieceName(this.game, letter)}` : move.enters ? `${pieceName(this.game, letter)} enters on ${on}` : gated ? "No piece enters" : "Do not promote";
      const button = s("g", { role: "button", tabindex: 0, "aria-label": label, "data-becomes": made ?? "", "data-on": on, transform: `translate(${column * UNIT} ${row * UNIT})`, style: "cursor:pointer" },
        s("rect", { x: 1, y: 1, width: UNIT - 2, height: UNIT - 2, rx: 8, fill: "var(--panel)", stroke: "var(--accent)", "stroke-width": 1.5 }),
        this.figure(letter),
        ...(move.enters && move.castles ? [s("text", { x: UNIT - 5, y: UNIT - 6, "text-anchor": "end", "font-size": UNIT / 5, fill: "var(--text)" }, on)] : []));
      const take = (event) => { event.preventDefault(); event.stopPropagation(); this.closeChoice(); this.send(move, wall); };
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

  focus(square) {
    this.cells[this.cursor]?.setAttribute("tabindex", -1);
    this.cursor = square;
    this.cells[square].setAttribute("tabindex", 0);
    this.cells[square].focus({ preventScroll: true });
  }
}
