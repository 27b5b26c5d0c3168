// Mouse, touch and keyboard on the board: clicks, drags, arrows by the right button, the pieces of the editor.

import { h, picture } from "./dom.js";
import { UNIT } from "./ground.js";

const DRAG = 5; // pixels before a press becomes a drag

// The colour of an arrow by the keys that are held with the right button, as on lichess.
const colourOf = (event) => (event.shiftKey || event.ctrlKey ? (event.altKey ? "Y" : "R") : event.altKey ? "B" : "G");

// A picture that follows the pointer until the button is released; `ended` gets the square below, or null. Without a drag
// it is a click, and `clicked` is called.
export function carry(event, board, letter, ended, clicked) {
  const start = [event.clientX, event.clientY];
  let ghost = null;
  const move = (moved) => {
    if (!ghost && Math.hypot(moved.clientX - start[0], moved.clientY - start[1]) < DRAG) return;
    if (!ghost) {
      const size = board.svg.getScreenCTM().a * UNIT;
      ghost = h("div", { class: "ghost", style: `width:${size}px;height:${size}px` }, picture(letter));
      document.body.append(ghost);
    }
    ghost.style.left = `${moved.clientX}px`;
    ghost.style.top = `${moved.clientY}px`;
    board.hover(board.pointer.squareAt(moved.clientX, moved.clientY));
  };
  const up = (last) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", up);
    if (!ghost) { clicked?.(); return; }
    ghost.remove();
    ended(last.type === "pointercancel" ? null : board.pointer.squareAt(last.clientX, last.clientY));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
}

export class Pointer {
  constructor(board) {
    this.board = board;
    const { svg } = board;
    // Only the keyboard focuses squares, because a click must not take the arrow keys from the list of moves.
    svg.addEventListener("mousedown", (event) => { event.preventDefault(); if (document.activeElement !== document.body) document.activeElement?.blur(); });
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", () => this.endDrag());
    svg.addEventListener("pointerleave", () => board.hover(null));
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", (event) => { if (event.target.dataset.square) board.hover(board.cells.indexOf(event.target)); });
  }

  squareAt(x, y) {
    const matrix = this.board.svg.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    const [column, row] = [Math.floor(point.x / UNIT), Math.floor(point.y / UNIT)];
    const { files, ranks } = this.board.game;
    if (column < 0 || row < 0 || column >= files || row >= ranks) return null;
    return this.board.flipped ? row * files + files - 1 - column : (ranks - 1 - row) * files + column;
  }

  press(event) {
    const { board } = this;
    const square = this.squareAt(event.clientX, event.clientY);
    if (square === null) return;
    if (event.button === 2) { this.drawing = square; return; }
    if (event.button !== 0) return;
    this.held = { square, x: event.clientX, y: event.clientY, was: board.chosen, moving: false };
    if (board.editing || board.targets().has(square) || square === board.chosen || board.takesWall(square)) return;
    if (board.premover === null || board.canMove(square)) board.choose(square);
  }

  drag(event) {
    const { board, held } = this;
    const square = this.squareAt(event.clientX, event.clientY);
    board.hover(square);
    const piece = held && board.pieces.get(held.square);
    if (!held) { board.svg.classList.toggle("own", square !== null && (board.editing || board.canMove(square) || board.targets().has(square))); return; }
    if (!piece || board.step) return;
    if (!held.moving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG) return;
    if (board.takesWall(held.square)) board.choose(held.square); // another premove of the same piece
    if (!board.editing && board.chosen !== held.square) return;
    if (!held.moving) { held.moving = true; board.svg.setPointerCapture(event.pointerId); piece.node.classList.add("still"); board.layers.pieces.append(piece.node); }
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.svg.getScreenCTM().inverse());
    piece.node.style.transform = `translate(${point.x - UNIT / 2}px, ${point.y - UNIT / 2}px)`;
  }

  release(event) {
    const { board, held } = this;
    const square = this.squareAt(event.clientX, event.clientY);
    if (event.button === 2) { this.draw(event, square); return; }
    this.held = null;
    if (!held) return;
    if (!held.moving) {
      if (square !== held.square) return;
      const before = board.premover !== null;
      if (board.editing || held.was === square || board.takesWall(square) || (board.chosen !== square && board.targets().has(square)) || (before && (held.was !== null && board.chosen === held.was))) board.act(square);
      else if (before && board.chosen === null) board.callbacks.premove(null);
      return;
    }
    if (board.editing) { board.callbacks.shift(held.square, square); return; }
    this.drop(held.square, square);
  }

  // A piece was dragged from its square to another one, or off the board (null).
  drop(from, square) {
    const { board } = this;
    const piece = board.pieces.get(from);
    const moves = square === null || square === from ? null : board.targets().get(square);
    if (moves) {
      board.put(piece.node, square);
      board.dropped = piece.node;
      board.go(moves, square);
      return;
    }
    if (piece) board.put(piece.node, from);
    if (board.premover !== null && square !== null && square !== from) board.actBefore(square);
  }

  endDrag() {
    const piece = this.held && this.board.pieces.get(this.held.square);
    if (piece) this.board.put(piece.node, this.held.square);
    this.held = null;
  }

  // Arrows and circles by the right button, which also cancels a premove.
  draw(event, square) {
    const from = this.drawing;
    this.drawing = null;
    if (from === null || from === undefined || square === null) return;
    if (this.board.premove) { this.board.callbacks.premove(null); return; }
    this.board.toggleShape(colourOf(event), from, square);
  }

  // A press on a piece in hand: it is chosen, and can be dragged to the board.
  pressHand(event, letter) {
    if (event.button !== 0) return;
    const { board } = this;
    const source = `@${letter}`;
    const was = board.chosen;
    board.choose(source);
    if (board.chosen !== source) return;
    carry(event, board, board.chosenDrop() ?? letter, (square) => {
      const moves = board.targets().get(square);
      if (moves) board.go(moves, square);
      else if (board.premover !== null && square !== null) board.actBefore(square);
      else board.choose(null);
    }, () => { if (was === source) board.choose(null); });
  }

  key(event) {
    const { board } = this;
    const square = board.cells.indexOf(event.target);
    if (square === -1) return;
    const { files, ranks } = board.game;
    const steps = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (steps[event.key]) {
      const sign = board.flipped ? -1 : 1;
      const file = (square % files) + sign * steps[event.key][0];
      const rank = Math.floor(square / files) + sign * steps[event.key][1];
      if (file >= 0 && file < files && rank >= 0 && rank < ranks) board.focus(rank * files + file);
    } else if (event.key === "Enter" || event.key === " ") board.act(square);
    else if (event.key === "Escape" && board.chosen !== null) board.choose(null);
    else if (event.key === "Escape") event.target.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
