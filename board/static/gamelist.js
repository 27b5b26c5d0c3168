// The games of a PGN file, with a search by players, results and rounds.

import { h } from "./dom.js";

const MOST = 2000; // rows that are shown

export class GameList {
  constructor(games, choose) {
    this.games = games.map((game, number) => ({ number, text: `${number + 1}. ${game.White || "?"} – ${game.Black || "?"}  ${game.Result}`, words: Object.values(game).join(" ").toLowerCase() }));
    this.list = h("div", { class: "games", role: "group", "aria-label": "Games of the file" });
    this.found = h("p", { class: "note", role: "status", id: "games-found" });
    this.field = h("input", { type: "search", id: "find-game", placeholder: "Find: player, 1-0, round", "aria-label": "Find games", oninput: () => this.draw() });
    this.root = h("section", { "aria-label": "Games" }, this.field, this.found, this.list);
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) choose(Number(button.dataset.number));
    });
    this.draw();
  }

  draw() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.games.filter((game) => words.every((word) => game.words.includes(word)));
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
