// The left column: the actions of each mode.

import { h, withSides } from "./dom.js";
import { Editor } from "./editor.js";
import { GameList } from "./gamelist.js";

const CLOCKS = [["No clock", 0, 0], ["1 + 0", 60, 0], ["3 + 2", 180, 2], ["5 + 3", 300, 3], ["10 + 5", 600, 5], ["15 + 10", 900, 10], ["30 + 20", 1800, 20]];
const TIMES = [...CLOCKS.map(([text], index) => [index, text]), ["own", "own ..."]]; // to choose from
// Elo from which a level has a name. The names are a guide: every engine has its own scale.
const LEVELS = [[2800, "superhuman"], [2500, "grandmaster"], [2200, "master"], [1900, "expert"], [1600, "club player"], [1200, "casual player"], [800, "novice"], [0, "beginner"]];
const levelText = (elo) => `${elo}, ${LEVELS.find(([least]) => elo >= least)[1]}`;
const NOTATIONS = { san: "SAN", hodges: "Hodges", hosking: "Hosking", usi: "USI", wxf: "WXF", korean: "Korean" };
const PHASES = ["in the opening", "in the middle game", "in the ending"];
const DAY = 86400; // seconds
const options = (pairs, chosen) => pairs.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text));

export class Panels {
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.wishes = app.settings;
    this.editor = new Editor(app);
  }

  draw() {
    if (!this.app.game || !this.app.play) return;
    // Do not replace a field while the user edits it.
    if (this.root.contains(document.activeElement) && ["INPUT", "SELECT"].includes(document.activeElement.tagName) && this.drawn === this.key()) return;
    const focused = this.root.contains(document.activeElement) ? document.activeElement.id : "";
    this.drawn = this.key();
    const lists = [...this.root.querySelectorAll(".games")].map((list) => [list.getAttribute("aria-label"), list.scrollTop]);
    this.root.replaceChildren(...this[this.app.mode]().flat().filter(Boolean));
    for (const [name, top] of lists) { const list = this.root.querySelector(`.games[aria-label="${name}"]`); if (list) list.scrollTop = top; }
    if (focused) document.getElementById(focused)?.focus();
  }

  key() {
    const { mode, game, play, watch } = this.app;
    return [mode, game.variant, play.active, this.editor.open, watch?.running].join();
  }

  field(text, control) { return h("label", {}, h("span", {}, text), control); }

  select(name, pairs, change = () => {}) {
    const control = h("select", { id: `wish-${name}`, onchange: () => { this.wishes[name] = control.value; change(control.value); } }, ...options(pairs, this.wishes[name]));
    return control;
  }

  game() {
    const { app } = this;
    const games = app.games.map((game) => [game.name, game.title]);
    if (!app.games.some((game) => game.name === app.game.variant)) games.unshift([app.game.variant, app.game.title]);
    const control = h("select", { id: "variant", onchange: () => app.send("new", { variant: control.value, setup: this.wishes.setup }) }, ...options(games, app.game.variant));
    return this.field("Game", control);
  }

  // The notation of the list of moves, in games that have more than one.
  notation() {
    const { app } = this;
    if (!app.game.notations.length) return null;
    const names = ["san", ...app.game.notations].map((name) => [name, NOTATIONS[name]]);
    const control = h("select", { id: "notation", onchange: () => { localStorage.setItem(`notation ${app.game.variant}`, control.value); app.moves.setNotation(control.value); } }, ...options(names, app.moves.notation));
    return this.field("Notation", control);
  }

  // The clock of the wish `name`, one of some pairs of a value and a text. The fields of the user's own clock are shown
  // while it is chosen.
  clocks(name, pairs) {
    const { wishes } = this;
    const number = (wish, text, min, max) => {
      const input = h("input", { type: "number", id: `wish-${wish}`, min, max, step: "any", value: wishes[wish], onchange: () => { wishes[wish] = Math.max(min, Math.min(max, Number(input.value) || 0)); input.value = wishes[wish]; } });
      return this.field(text, input);
    };
    const own = [number("minutes", "Minutes", 0, 1440), number("increment", "Seconds a move", 0, 3600), number("byoyomi", "Byoyomi (seconds)", 0, 3600)];
    const days = number("days", "Days a move", 1, 14);
    const draw = () => {
      for (const field of own) field.hidden = wishes[name] !== "own";
      days.hidden = wishes[name] !== "days";
    };
    draw();
    return [this.field("Clock", this.select(name, pairs, draw)), ...own, days];
  }

  // The clock that the wish `name` means, in seconds.
  control(name) {
    const { wishes } = this;
    if (wishes[name] === "own") return { base: 60 * wishes.minutes, increment: wishes.increment, byoyomi: wishes.byoyomi };
    if (wishes[name] === "days") return { base: 0, increment: 0, byoyomi: DAY * wishes.days };
    const [, base, increment] = CLOCKS[wishes[name]];
    return { base, increment, byoyomi: 0 };
  }

  // Shuffled starts: on or off, and the number of the start.
  starts() {
    const { app } = this;
    const { game } = app;
    if (!game.shuffled) return [];
    const mixed = h("input", { type: "checkbox", id: "shuffled", checked: game.starts > 1, disabled: !game.fixed, onchange: () => app.send("new", { variant: mixed.checked ? game.shuffled : game.fixed }) });
    const parts = [this.field("Shuffled start (960)", mixed)];
    if (game.starts < 2) return parts;
    const number = h("input", { type: "number", id: "start-number", min: 0, max: game.starts - 1, value: app.startNumber ?? "", onchange: () => this.choose(number) });
    return [...parts, this.field(`Start, 0 to ${game.starts - 1}`, number), h("div", { class: "row" }, h("button", { id: "random-start", onclick: () => app.send("new") }, "Random start"))];
  }

  // Shows the start with the number of a field.
  choose(field) {
    const { app } = this;
    const number = Math.round(Number(field.value));
    if (field.value.trim() && number >= 0 && number < app.game.starts) app.send("new", { number });
    else field.value = app.startNumber ?? "";
  }

  engines() { return this.app.engineList.map((engine, index) => [index, engine.name]); }

  play() {
    const { app, wishes } = this;
    if (app.play.active) return this.playing();
    const level = h("input", { type: "range", id: "level", min: 200, max: 3200, step: 50, value: wishes.level, disabled: wishes.full, "aria-label": "Level", oninput: () => { wishes.level = Number(level.value); tell(); } });
    const shown = h("output", { for: "level", id: "level-name" });
    const tell = () => { shown.textContent = wishes.full ? "full" : levelText(wishes.level); level.setAttribute("aria-valuetext", levelText(wishes.level)); };
    const full = h("input", { type: "checkbox", id: "full", checked: wishes.full, onchange: () => { wishes.full = full.checked; level.disabled = full.checked; tell(); } });
    tell();
    const setup = h("input", { type: "checkbox", id: "setup", checked: wishes.setup, onchange: () => { wishes.setup = setup.checked; app.send("new", { setup: setup.checked }); } });
    return [
      this.game(),
      this.field("You play", this.select("side", [["white", app.game.sides[0]], ["black", app.game.sides[1]], ["random", "either, by chance"], ["both", "both sides"], ["none", "neither"]])),
      app.engineList.length > 1 && this.field("Engine", this.select("engine", this.engines())),
      h("label", {}, h("span", {}, "Level (Elo)"), shown), level,
      this.field("Full strength", full),
      ...this.clocks("clock", [...TIMES, ["days", "days ..."]]),
      app.game.setup && this.field("With setup phase", setup),
      ...this.starts(),
      this.notation(),
      h("div", { class: "row" }, h("button", { id: "start", class: "main", onclick: () => this.start() }, "New game")),
      app.play.result && h("div", { class: "row" }, h("button", { id: "rematch", onclick: () => this.rematch() }, "Rematch")),
      h("div", { class: "row" }, h("button", { id: "from-here", onclick: () => this.start(true) }, "Play from here")),
      h("p", { class: "note" }, "Levels are numbers of the engine's own scale, and their names are a guide."),
    ];
  }

  start(here = false) {
    const { app, wishes } = this;
    const side = wishes.side === "random" ? (Math.random() < 0.5 ? "white" : "black") : wishes.side;
    const sides = { white: ["person", "engine"], black: ["engine", "person"], both: ["person", "person"], none: ["engine", "engine"] }[side];
    if (!here) this.restart();
    if (side === "white" || side === "black") app.flip(side === "black");
    app.send("play", { sides, level: wishes.full ? null : Number(wishes.level), engine: Number(wishes.engine), ...this.control("clock") });
  }

  // The start of the game; of a shuffled one the start that is on the board, if it is still there.
  restart() {
    const { app } = this;
    const number = app.state.ply === 0 ? app.startNumber : null;
    app.send("new", { setup: this.wishes.setup, number });
  }

  // The same game again, with the sides exchanged.
  rematch() {
    const { app, wishes } = this;
    const { sides, level, engine, base, increment, byoyomi } = app.play;
    app.send("new", { setup: wishes.setup, number: app.startNumber });
    app.send("play", { sides: [...sides].reverse(), level, engine, base, increment, byoyomi });
  }

  playing() {
    const { app } = this;
    const engine = app.play.sides.includes("engine");
    return [
      h("p", {}, h("b", {}, app.game.title), app.startNumber !== null && app.game.starts > 1 && `, start ${app.startNumber}`),
      h("p", { class: "note" }, engine ? `${app.engineList[app.play.engine].name}, ${app.play.level === null ? "full strength" : `level ${levelText(app.play.level)}`}` : "Two players at this board"),
      h("p", { class: "note", id: "thinking", role: "status" }, app.play.thinking ? "The engine thinks ..." : "Your move"),
      h("div", { class: "row" }, h("button", { id: "takeback", onclick: () => app.send("takeback") }, "Take back"), h("button", { id: "hint", disabled: app.play.thinking, title: "Hint (h)", onclick: () => app.send("hint") }, "Hint")),
      h("div", { class: "row" }, h("button", { id: "draw", onclick: () => app.send("draw") }, "Draw"), h("button", { id: "resign", onclick: (event) => this.sure(event.target, "resign") }, "Resign")),
      app.play.left && h("div", { class: "row" }, h("button", { id: "pause", "aria-pressed": app.play.paused, disabled: !app.play.paused && (!app.play.ticking || app.play.thinking), onclick: () => app.send("pause") }, app.play.paused ? "Continue the clock" : "Stop the clock")),
      h("div", { class: "row" }, h("button", { id: "stop-play", onclick: () => app.send("stop_play") }, "End without result")),
      app.play.offer && h("p", { role: "status" }, withSides(app.game, app.play.offer)),
      app.play.note && h("p", { role: "status", id: "clock-note" }, app.play.note),
    ];
  }

  // A button that must be pressed twice.
  sure(button, type) {
    if (button.dataset.sure) { this.app.send(type); return; }
    button.dataset.sure = "yes";
    button.textContent = "Really?";
    setTimeout(() => { delete button.dataset.sure; button.textContent = "Resign"; }, 3000);
  }

  analyse() {
    const { app } = this;
    if (this.editor.open) return this.editor.panel();
    return [
      this.game(),
      h("div", { class: "row" }, h("button", { id: "start", onclick: () => app.send("new", { setup: this.wishes.setup, number: app.startNumber }) }, "Start position"), h("button", { id: "edit", onclick: () => this.editor.start() }, "Edit position")),
      h("div", { class: "row" }, h("button", { id: "to-play", onclick: () => { app.setMode("play"); } }, "Play from here")),
      ...this.starts(),
      this.notation(),
      h("p", { class: "note" }, "Moves that you try become variations. Click a move of the engine's lines to play it. FEN and PGN go in and out in the tab at the right; drop a PGN file anywhere."),
      h("p", { class: "note" }, "Right button: arrows. Space: the engine's move. x: the threat."),
    ];
  }

  review() {
    const { app, wishes } = this;
    const review = app.review;
    const seconds = h("input", { type: "number", id: "seconds", min: 0.05, max: 60, step: 0.05, value: wishes.seconds, onchange: () => { wishes.seconds = Number(seconds.value); } });
    const parts = [
      this.file(),
      this.games(),
      this.field("Seconds a move", seconds),
      this.notation(),
    ];
    if (review.running) parts.push(h("progress", { max: review.total || 1, value: review.done, "aria-label": "Progress of the review" }), h("div", { class: "row" }, h("span", {}, `${review.done} of ${review.total}`), h("button", { id: "cancel-review", onclick: () => app.send("cancel_review") }, "Cancel")));
    else parts.push(h("div", { class: "row" }, h("button", { id: "review", class: "main", onclick: () => app.send("review", { seconds: wishes.seconds, engine: app.analysis.engine }) }, "Review the game")));
    if (review.error) parts.push(h("p", { class: "error", role: "alert" }, review.error));
    if (review.counts && review.counts.some((side) => side.loss !== null)) parts.push(this.counts(review.counts));
    parts.push(h("p", { class: "note" }, "Marks: ?! a tenth of the chances lost, ? two tenths, ?? three."));
    return parts;
  }

  puzzles() { return this.app.puzzles.panel(); }

  counts(sides) {
    const rows = [["Inaccuracies", "?!"], ["Mistakes", "?"], ["Blunders", "??"]].map(([text, glyph]) => h("tr", {}, h("td", {}, `${text} ${glyph}`), ...sides.map((side) => h("td", {}, String(side[glyph])))));
    const percent = (loss) => h("td", {}, loss === null ? "–" : `${loss} %`);
    const losses = [["Chances lost a move", (side) => side.loss], ["Accuracy", (side) => side.accuracy], ...PHASES.map((text, index) => [text, (side) => side.phases[index]])].map(([text, loss]) => h("tr", {}, h("td", {}, text), ...sides.map((side) => percent(loss(side)))));
    const names = this.app.game.sides.map((name) => h("th", {}, name));
    return h("table", { class: "plain", id: "counts" }, h("thead", {}, h("tr", {}, h("th", {}, "Marks"), ...names)), h("tbody", {}, ...rows, ...losses));
  }

  file() {
    const input = h("input", { type: "file", id: "pgn-file", accept: ".pgn,.txt,text/plain", class: "hidden", tabindex: -1, "aria-label": "PGN file", onchange: async () => { if (input.files[0]) this.app.send("pgn", { text: await input.files[0].text() }); input.value = ""; } });
    return h("div", { class: "row" }, h("button", { id: "open-pgn", onclick: () => input.click() }, "Open a PGN ..."), input);
  }

  games() {
    const { app } = this;
    if (app.texts.length < 2) return null;
    // The list is made once per file, so that it keeps its scroll position.
    if (this.listed !== app.texts) {
      this.listed = app.texts;
      this.gameList = new GameList(app.texts, (number) => app.send("choose", { number }), () => app.send("find"));
    }
    this.gameList.mark(app.chosenText);
    return this.gameList.root;
  }

  // Another game of the file is on the board.
  chooseGame() { this.gameList?.mark(this.app.chosenText); }

  watch() {
    const { app, wishes } = this;
    const watch = app.watch;
    const parts = [];
    if (watch.match) parts.push(...this.match(watch));
    if (watch.running) return [...parts, h("div", { class: "row" }, h("button", { id: "stop-watch", onclick: () => app.send("stop_watch") }, "Stop the game")), ...this.thoughts(watch)];
    const names = this.engines();
    parts.push(
      h("h2", {}, "Two engines"), this.game(),
      this.field(app.game.sides[0], this.select("first", names)), this.field(app.game.sides[1], this.select("second", names)),
      ...this.clocks("watchClock", TIMES.slice(1)),
      h("div", { class: "row" }, h("button", { id: "watch", class: "main", onclick: () => app.send("watch", { engines: [Number(wishes.first), Number(wishes.second)], ...this.control("watchClock") }) }, "Let them play from here")),
      app.engineList.length < 2 && h("p", { class: "note" }, "More engines: surajang board --engine \"cmd=... proto=uci\""),
    );
    return parts;
  }

  thoughts(watch) {
    return watch.thoughts.map((said, index) => h("section", { "aria-label": `Thoughts of ${watch.names[index]}` }, h("h2", {}, watch.names[index]), h("div", {}, h("b", {}, said.score), ` for ${this.app.game.sides[0]}, depth ${said.depth}, ${(said.nps / 1e6).toFixed(2)} million nodes/s`), h("div", { class: "note" }, said.line.split(" ").slice(0, 8).join(" "))));
  }

  // The small boards come first, and keep their elements when the panel is redrawn.
  drawLive() {
    if (!this.app.live.games.length !== !this.root.contains(this.app.live.root)) this.draw();
  }

  match(watch) {
    const { app } = this;
    const table = h("table", { class: "plain", id: "standings" }, h("thead", {}, h("tr", {}, ...["Engine", "+", "=", "−", "%", "depth"].map((text) => h("th", {}, text)))), h("tbody", {}, ...watch.match.standings.map((row) => h("tr", {}, ...[row.name, row.wins, row.draws, row.losses, row.percent, row.depth].map((text) => h("td", {}, String(text)))))));
    const games = watch.match.games.map((game, index) => h("button", { class: index === watch.shown ? "here" : "", title: game.reason, onclick: () => app.send("watch_game", { number: index }) }, `${index + 1}. ${game.white} – ${game.black}  ${game.score}`)).reverse();
    const follow = h("input", { type: "checkbox", id: "follow", checked: watch.follow, onchange: () => app.send("watch_game", { follow: follow.checked, number: watch.shown ?? 0 }) });
    const live = app.live.games.length ? [h("h2", {}, "In play"), app.live.root] : [];
    return [h("h2", {}, `Match ${watch.match.folder}`), table, ...live, this.field("Show each new game", follow), h("div", { class: "games", role: "group", "aria-label": "Games of the match" }, ...games)];
  }
}
