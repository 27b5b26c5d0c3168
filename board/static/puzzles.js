// The mode of puzzles: a file of them, the task, hints, and the score, which the browser keeps.

import { h, kindName } from "./dom.js";
import { sound } from "./sounds.js";

const EMPTY = { solved: 0, missed: 0, streak: 0, best: 0, last: "" };

// The score is read each time, because other pages of the browser write it as well.
function readScore() {
  try { return { ...EMPTY, ...JSON.parse(localStorage.getItem("puzzles")) }; } catch { return { ...EMPTY }; }
}

export class Puzzles {
  constructor(app) {
    this.app = app;
    this.puzzle = null;
  }

  get solving() { return this.puzzle?.state === "solving"; }

  take(message) {
    const { app } = this;
    const before = this.puzzle;
    this.puzzle = message;
    if (message.attempt !== before?.attempt && this.solving) this.begin();
    this.count();
    if (!app.state) return;
    app.turns.draw();
    if (message.wrong && before) { app.board.choose(null); app.board.setState(app.state, true); sound("wrong"); }
    this.showHint(before?.hint);
    app.panels.draw();
    app.drawResult();
  }

  begin() {
    this.app.flip(this.puzzle.side === 1);
    if (this.app.mode !== "puzzles") this.app.setMode("puzzles");
  }

  // The first fault or the solution decides; each attempt counts once.
  count() {
    const { attempt, missed, state } = this.puzzle;
    const score = readScore();
    if (!attempt || score.last === attempt || !(missed || state === "solved")) return;
    score.last = attempt;
    if (missed) { score.missed += 1; score.streak = 0; } else { score.solved += 1; score.streak += 1; }
    score.best = Math.max(score.best, score.streak);
    localStorage.setItem("puzzles", JSON.stringify(score));
  }

  showHint(before) {
    const { app } = this;
    const { hint } = this.puzzle;
    if (!hint) { if (before) app.board.setLines([]); return; }
    if (hint.to !== null) app.showHint(hint.from, hint.to, hint.drop);
    else if (hint.from !== null) app.board.setLines([{ from: hint.from, to: hint.from, colour: "#1f6fd0" }]);
    else app.board.choose(`@${hint.drop}`);
  }

  // What happened last, or the task.
  words() {
    const { puzzle } = this;
    if (!puzzle?.count) return "";
    if (puzzle.state === "solved") return puzzle.missed ? "Solved, with help" : "Solved!";
    if (puzzle.state === "shown") return "The solution is in the list of moves";
    if (!this.solving) return "";
    if (puzzle.wrong) return `${puzzle.wrong} is wrong; try again`;
    if (puzzle.hint) return this.hintWords(puzzle.hint);
    return puzzle.right ? `Right! ${this.side()}` : this.task();
  }

  side() { return `${this.app.game.sides[this.puzzle.side]} to move`; }

  task() { return [this.side(), this.puzzle.title].filter(Boolean).join(": "); }

  hintWords(hint) {
    if (hint.label) return `Hint: ${hint.label}`;
    const { game, state } = this.app;
    if (hint.drop) return `Hint: drop the ${kindName(game, hint.drop)}`;
    return `Hint: move the ${kindName(game, state.pieces[hint.from] ?? "")}`;
  }

  // Another mode has no puzzle: every move can be tried there.
  leave() { if (this.solving) this.app.send("puzzle_leave"); }

  show(number) { if (this.puzzle?.count) this.app.send("puzzle", { number }); }

  next() { this.show((this.puzzle.number + 1) % this.puzzle.count); }

  hint() { this.app.send("puzzle_hint"); }

  panel() {
    return [...this.files(), ...(this.puzzle?.count ? this.buttons() : [h("p", { class: "note" }, "The command surajang puzzles GAME makes puzzles for any game, in a file puzzles-GAME.pgn. Files in the folder where the board was started are listed here.")]), ...this.score()];
  }

  files() {
    const { app, puzzle } = this;
    const input = h("input", { type: "file", id: "puzzle-file", accept: ".pgn,.txt,text/plain", class: "hidden", tabindex: -1, "aria-label": "File of puzzles", onchange: async () => { const file = input.files[0]; if (file) app.send("puzzles", { name: file.name, text: await file.text() }); input.value = ""; } });
    const open = h("div", { class: "row" }, h("button", { id: "open-puzzles", onclick: () => input.click() }, "Open puzzles ..."), input);
    if (!puzzle?.files.length) return [open];
    const names = puzzle.files.map((name) => h("option", { value: name, selected: name === puzzle.name }, name));
    const other = puzzle.files.includes(puzzle.name) ? [] : [h("option", { value: "", selected: true }, puzzle.name || "choose ...")];
    const choice = h("select", { id: "puzzle-files", onchange: () => { if (choice.value) app.send("puzzles", { file: choice.value }); } }, ...other, ...names);
    return [app.panels.field("File", choice), open];
  }

  buttons() {
    const { app, puzzle } = this;
    const number = h("input", { type: "number", id: "puzzle-number", min: 1, max: puzzle.count, value: puzzle.number + 1, onchange: () => this.show(Math.max(1, Math.min(puzzle.count, Math.round(Number(number.value)) || 1)) - 1) });
    const button = (id, text, action, enabled = true, main = false) => h("button", { id, class: main ? "main" : "", disabled: !enabled, onclick: action }, text);
    return [
      app.panels.field(`Puzzle of ${puzzle.count}`, number),
      h("p", { id: "puzzle-task" }, this.task()),
      h("div", { class: "row" }, button("puzzle-hint", puzzle.hint ? "Show move" : "Hint", () => this.hint(), this.solving && !puzzle.hint?.label), button("puzzle-solution", "Solution", () => app.send("puzzle_solution"), this.solving)),
      h("div", { class: "row" }, button("puzzle-again", "Again", () => this.show(puzzle.number)), button("puzzle-next", "Next", () => this.next(), true, !this.solving)),
    ];
  }

  score() {
    const { solved, missed, streak, best } = readScore();
    const rows = [["Solved", `${solved} of ${solved + missed}`], ["Streak", streak], ["Longest streak", best]];
    const clear = () => { localStorage.setItem("puzzles", JSON.stringify({ ...EMPTY, last: this.puzzle?.attempt ?? "" })); this.app.panels.draw(); };
    return [
      h("table", { class: "plain", id: "puzzle-score" }, h("tbody", {}, ...rows.map(([text, value]) => h("tr", {}, h("th", { scope: "row" }, text), h("td", {}, String(value)))))),
      h("div", { class: "row" }, h("button", { id: "puzzle-clear", disabled: !(solved + missed), onclick: clear }, "Clear the score")),
      h("p", { class: "note" }, "A puzzle counts as solved without a wrong move, a hint or the solution. Another move that wins at once is right, too."),
    ];
  }
}
