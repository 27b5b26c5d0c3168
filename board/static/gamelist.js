// The games of a PGN file, with a search by players, results, rounds, and by the position on the board.

import { h } from "./dom.js";

const MOST = 2000; // rows that are shown

export class GameList {
  // `choose` gets the number of a game; `find` asks for the games with the position on the board.
  constructor(games, choose, find) {
    this.numbers = null; // of the games with the position, null without that search
    this.games = games.map((game, number) => ({ number, text: `${number + 1}. ${game.White || "?"} – ${game.Black || "?"}  ${game.Result}`, words: Object.values(game).join(" ").toLowerCase() }));
    this.list = h("div", { class: "games", role: "group", "aria-label": "Games of the file" });
    this.found = h("p", { class: "note", role: "status", id: "games-found" });
    this.field = h("input", { type: "search", id: "find-game", placeholder: "Find: player, 1-0, round", "aria-label": "Find games", oninput: () => this.draw() });
    this.position = h("button", { id: "find-position", "aria-pressed": "false", title: "Only games that reach the position on the board", onclick: () => this.toggle(find) }, "This position");
    this.root = h("section", { "aria-label": "Games" }, h("div", { class: "find" }, this.field, this.position), this.found, this.list);
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) choose(Number(button.dataset.number));
    });
    this.draw();
  }

  toggle(find) {
    if (this.numbers) this.take(null);
    else { this.found.textContent = "Searching ..."; find(); }
  }

  // The numbers of the games that were found by position; null ends that search.
  take(numbers) {
    this.numbers = numbers && new Set(numbers);
    this.position.classList.toggle("on", Boolean(numbers));
    this.position.setAttribute("aria-pressed", Boolean(numbers));
    this.draw();
  }

  draw() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.games.filter((game) => (!this.numbers || this.numbers.has(game.number)) && words.every((word) => game.words.includes(word)));
    this.list.replaceChildren(...found.slice(0, MOST).map((game) => h("button", { "data-number": game.number }, game.text)));
    this.found.textContent = found.length > MOST ? `${found.length} games; the first ${MOST} are listed` : found.length === this.games.length ? `${found.length} games` : `${found.length} of ${this.games.length} games`;
    this.mark(this.chosen);
  }

  mark(number) {
    this.chosen = number;
    this.list.querySelector(".here")?.classList.remove("here");
    this.list.querySelector(`[data-number="${number}"]`)?.classList.add("here");
  }
}
