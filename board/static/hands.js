// The pieces in hand beside the board, which can be clicked, dragged or chosen by keyboard.

import { $, h, picture } from "./dom.js";

export class Hands {
  constructor(app) { this.app = app; }

  build() {
    const { game, state } = this.app;
    for (const side of [0, 1]) {
      const strip = this.app.strip(side);
      strip.classList.toggle("bare", !game.hand.length);
      $(".hand", strip).replaceChildren(...game.hand.map((letter) => this.slot(side, letter)));
    }
    if (state) this.draw();
  }

  slot(side, letter) {
    const shown = side ? letter.toLowerCase() : letter;
    const name = this.app.game.pieces.find((piece) => piece.letter === letter).name;
    const slot = h("button", { class: "slot empty", "data-piece": shown, "data-name": name, "aria-pressed": "false" }, picture(shown));
    slot.addEventListener("mousedown", (event) => event.preventDefault());
    slot.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      if (this.app.turns.mine(side)) this.app.board.pointer.pressHand(event, letter);
    });
    slot.addEventListener("keydown", (event) => {
      if (!["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!this.app.turns.mine(side)) return;
      this.app.board.choose(`@${letter}`);
      this.app.board.focus(this.app.board.cursor);
    });
    return slot;
  }

  draw() {
    const { app } = this;
    for (const side of [0, 1]) {
      for (const slot of app.strip(side).querySelectorAll(".slot")) {
        const letter = slot.dataset.piece.toUpperCase();
        const count = app.state.hands[side][letter] ?? 0;
        slot.classList.toggle("empty", !count);
        slot.classList.toggle("mine", app.turns.mine(side));
        slot.disabled = !count;
        slot.setAttribute("aria-label", `${slot.dataset.name} in ${app.game.sides[side]}'s hand: ${count}`);
        $("b", slot)?.remove();
        if (count) slot.append(h("b", {}, String(count)));
      }
    }
  }
}
