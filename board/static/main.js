// The page: passes messages of the server to the parts that show them, and actions of the user to the server.

import { Board } from "./board.js";
import { ask } from "./ask.js";
import { Clocks } from "./clocks.js";
import { CommentBox } from "./comment.js";
import { $, definePictures, h, picture, scoreText, withSides } from "./dom.js";
import { EngineBox } from "./enginebox.js";
import { fitBoard } from "./fit.js";
import { Graph } from "./graph.js";
import { Hands } from "./hands.js";
import { LiveBoards } from "./liveboards.js";
import { drawBalance } from "./material.js";
import { Moves } from "./moves.js";
import { Net } from "./net.js";
import { Panels } from "./panels.js";
import { Puzzles } from "./puzzles.js";
import { settings } from "./settings.js";
import { takeLink } from "./share.js";
import { bindSounds, sound, soundOf } from "./sounds.js";
import { TextTab } from "./texts.js";
import { Turns } from "./turns.js";
import { bindKeys, showKeys, showRules } from "./keys.js";
import { inWords } from "./words.js";

class App {
  constructor() {
    this.games = [];
    this.engineList = [];
    this.texts = [];
    this.settings = settings;
    this.undo = null;
    this.chosenText = 0;
    this.game = this.state = this.play = null;
    this.analysis = { on: false, infos: [], lines: 1, threat: false, status: "", engine: 0 };
    this.review = { counts: null };
    this.watch = { match: null };
    this.live = new LiveBoards((number) => this.send("watch_live", { number }));
    this.mode = "play";
    this.board = new Board($("#board"), {
      move: (text) => this.move(text),
      premove: (premove) => this.board.setPremove(premove),
      drawn: (shapes) => this.send("shapes", { node: this.state.node, shapes }),
      put: (square) => this.panels.editor.put(square),
      shift: (from, to) => this.panels.editor.shift(from, to),
    });
    this.sent = {}; // type of request -> its fields, the last time
    this.startNumber = null; // of a shuffled start
    this.moves = new Moves($("#moves"), (node) => this.goto(node), (node, moves) => this.send("line", { node, moves }));
    this.graph = new Graph($("#graph"), (node) => this.goto(node));
    this.engine = new EngineBox($("#engine"), this);
    this.panels = new Panels($("#left"), this);
    this.texts_ = new TextTab($("#text"), this);
    this.comment = new CommentBox($("#comment"), this);
    this.clocks = new Clocks(this);
    this.turns = new Turns(this);
    this.hands = new Hands(this);
    this.puzzles = new Puzzles(this);
    this.bind();
    this.board.flipped = Boolean(settings.flipped);
    if (settings.mode) this.setMode(settings.mode);
    this.net = new Net((message) => this.take(message), (state) => this.connection(state));
    new ResizeObserver(() => this.fit()).observe($(".boardrow"));
    addEventListener("resize", () => this.fit());
  }

  send(type, fields = {}) {
    this.sent[type] = fields;
    if (this.net.send(type, fields)) return;
    this.toast("Nothing was sent: there is no connection to the program.");
    if (this.state) this.board.setState(this.state, true);
  }

  move(text) { this.send("move", { text, node: this.state.node }); }

  goto(node) { this.send("goto", { node }); }

  connection(state) {
    const clocks = this.play?.active && this.play.left ? " Your clock stops after some seconds." : "";
    const words = {
      lost: `The connection is lost; trying again ...${clocks}`,
      gone: "The program does not answer. If you started it again, open the address that it printed.",
      refused: "This page is from an earlier run. Open the address that the program printed.",
    };
    $("#notice").textContent = words[state] ?? "";
  }

  // Messages of the server

  take(message) {
    const handler = this[`on_${message.type}`];
    if (handler) handler.call(this, message);
  }

  on_welcome(message) {
    this.games = message.games;
    this.engineList = message.engines;
    for (const name of ["engine", "first", "second"]) if (settings[name] >= message.engines.length) settings[name] = 0;
    this.engine.setEngines(message.engines, message.rivals);
    takeLink(this);
  }

  on_game(message) {
    this.game = message;
    $("#title").textContent = message.title;
    document.title = `${message.title} – Surajang`;
    this.state = null;
    this.board.state = null;
    this.drawPictures();
    this.panels.editor.open = this.board.editing = false;
    this.board.setGame(message);
    this.hands.build();
    this.fit();
    this.live.setGame(message);
    this.moves.setNotation(localStorage.getItem(`notation ${message.variant}`) ?? "san");
    this.panels.draw();
  }

  on_tree(message) {
    this.tags = message.tags;
    const startsNow = this.startNumber !== message.start;
    this.startNumber = message.start;
    this.moves.setTree(message);
    this.drawWho();
    this.drawGraph();
    if (startsNow) this.panels.draw();
  }

  on_nodes(message) {
    this.moves.update(message.nodes);
    if (this.state && message.nodes.some((node) => node.id === this.state.node)) this.comment.draw();
    this.board.setDrawn(this.moves.node(this.state?.node)?.shapes ?? []);
    clearTimeout(this.graphTimer);
    this.graphTimer = setTimeout(() => this.drawGraph(), 60);
  }

  on_state(message) {
    const before = this.state;
    if (this.panels.editor.open) { this.panels.editor.open = this.board.editing = false; this.state = message; this.panels.draw(); }
    this.state = message;
    if (this.play?.active && this.moves.node(this.play.tip)?.children?.[0] === message.node) this.play.tip = message.node;
    this.board.setState(message);
    this.board.setDrawn(this.moves.node(message.node)?.shapes ?? []);
    this.turns.draw();
    this.moves.mark(message.node);
    this.moves.drawOpening(message.node);
    this.hands.draw();
    this.drawWho();
    drawBalance(this);
    this.drawChoices();
    this.drawGraph();
    this.drawResult();
    this.drawBar();
    this.texts_.drawFen();
    $("#pass").hidden = !this.game.passing;
    $("#pass").disabled = !message.moves.some((move) => move.pass);
    this.comment.draw();
    if (before?.fen !== message.fen) this.traceEval();
    if (before && message.node !== before.node && message.last) sound(soundOf(message));
    if (!this.analysis.on) this.board.setLines([]); // a hint was for the position before
    if (before) this.announce(inWords(this.game, message, this.play?.result));
  }

  on_analysis(message) {
    this.analysis = message;
    this.engine.draw(message);
    this.drawBar();
  }

  on_rival(message) { this.engine.drawRival(message); }

  on_play(message) {
    const was = this.play;
    this.play = message;
    this.playAt = performance.now();
    if (message.active && !was?.active) { this.turns.begin(); this.clocks.begin(); }
    if (was?.active && !message.active && !this.analysis.on) this.board.setLines([]); // the arrow of a hint
    this.turns.draw();
    this.drawWho();
    this.clocks.draw();
    this.drawResult();
    this.panels.draw();
    if (was?.active && message.result && !this.state?.result) sound("end");
    if (was?.active && message.result) this.announce(withSides(this.game, `${message.result.score}. ${message.result.reason}`));
    if (message.offer && message.offer !== was?.offer) this.announce(withSides(this.game, message.offer));
  }

  on_review(message) {
    this.review = message;
    if (this.mode === "review") this.panels.draw();
  }

  on_puzzles(message) { this.puzzles.take(message); }

  on_watch(message) {
    const first = !this.watch.match && message.match;
    this.watch = message;
    this.watchAt = performance.now();
    if (first && !this.settings.mode && !this.play?.active) this.setMode("watch");
    else if (this.mode === "watch") this.panels.draw();
    this.clocks.draw();
    this.drawResult();
  }

  on_live(message) {
    this.live.take(message, this.game);
    if (this.mode === "watch") this.panels.drawLive();
    this.clocks.draw();
  }

  on_games(message) {
    this.texts = message.games;
    const first = !message.fresh && !this.settings.mode && !this.play?.active;
    if (message.games.length && (message.fresh || first) && this.mode !== "review") this.setMode("review");
    this.panels.draw();
  }

  on_chosen(message) {
    this.chosenText = message.number;
    this.panels.chooseGame();
    const node = this.moves.mainLine()[this.linkedPly];
    this.linkedPly = undefined;
    if (node !== undefined) this.goto(node);
  }

  on_undo(message) { this.undo = message; this.comment.drawUndo(); }

  // The request would end a game that is being played.
  async on_confirm(message) {
    const fields = this.sent[message.request];
    if (await ask(`${message.text} End it without a result?`, "End the game", "Go on playing")) this.send(message.request, { ...fields, sure: true });
    else this.panels.draw();
  }

  on_hint(message) {
    if (message.node !== this.state?.node) return;
    const [from, to, drop] = message.squares;
    this.showHint(from, to, drop);
    this.toast(`Hint: ${message.label}`, true);
  }

  // An arrow from a square, or from the hand.
  showHint(from, to, drop) {
    if (to !== null) this.board.setLines([{ from, to, drop: drop && (this.state.turn ? drop.toLowerCase() : drop), colour: "#1f6fd0", width: 7, opacity: 0.8 }]);
  }

  // The engine of a game that was chosen is compiled before its first move.
  on_compile({ title, done, total }) {
    const share = total ? Math.round((100 * done) / total) : null;
    $("#compiling").textContent = share === null ? "" : `engine ${share} %`;
    $("#compiling").title = total ? `The engine of ${title} is being compiled` : "";
  }

  on_found(message) { this.panels.gameList?.take(message.numbers); }

  on_frames(message) { this.texts_.filmed(message); }

  on_picture(message) { this.texts_.pictured(message); }

  on_rules(message) { showRules(message); }

  on_preview(message) { this.engine.preview(message); }

  on_exported(message) { this.texts_.exported(message); }

  // The values of pieces are shown on the board while the tab is open.
  on_eval(message) {
    if ($("#evaluation").hidden || message.node !== this.state.node) return;
    this.board.setWorth(message.pieces);
    $("#evaluation").replaceChildren(...[message.title && h("p", { class: "note" }, message.title), message.text && h("pre", { tabindex: 0 }, message.text)].filter(Boolean));
  }

  on_notice(message) { $("#notice").textContent = message.text; }

  on_error(message) {
    if (message.where === "engine") this.engine.problem.textContent = message.text;
    else if (message.where === "setup" && $("#edit-error")) $("#edit-error").textContent = message.text;
    else if (["fen", "pgn"].includes(message.where) && this.texts_.fail(message)) this.showTab("text", false);
    else if (message.where === "move") { this.toast(withSides(this.game, message.text)); this.board.choose(null); this.board.setState(this.state); $("#movebox input").setAttribute("aria-invalid", "true"); }
    else this.toast(message.text);
  }

  // Parts of the page

  style() {
    const wish = localStorage.getItem(`style ${this.game.variant}`);
    return wish in this.game.pictures ? wish : Object.keys(this.game.pictures)[0];
  }

  drawPictures() {
    const styles = Object.keys(this.game.pictures);
    definePictures(this.game.pictures[this.style()]);
    $("#style").replaceChildren(...styles.map((style) => h("option", { value: style, selected: style === this.style() }, style)));
    $("#style").hidden = styles.length < 2;
    this.drawRotating();
  }

  // Pieces that point at the enemy do so in the hands as well.
  drawRotating() {
    if (!this.game) return;
    this.board.setRotating(this.game.rotating.includes(this.style()));
    document.documentElement.classList.toggle("rotating", this.board.rotating && this.board.flipped);
  }

  setMode(mode) {
    if (this.mode === "puzzles" && mode !== "puzzles") this.puzzles.leave();
    this.mode = this.settings.mode = mode;
    document.documentElement.dataset.mode = mode;
    for (const tab of document.querySelectorAll("#modes [role=tab]")) tab.setAttribute("aria-selected", tab.dataset.mode === mode);
    $("#left").setAttribute("aria-labelledby", `tab-${mode}`);
    $("#graph").hidden = !["review", "watch"].includes(mode);
    if (this.panels.editor.open) this.panels.editor.end();
    this.panels.draw();
    this.drawBar();
    this.drawGraph();
    this.drawResult();
    this.fit();
  }

  showTab(name, fresh = true) {
    for (const tab of document.querySelectorAll("#tabs [role=tab]")) tab.setAttribute("aria-selected", tab.dataset.tab === name);
    $("#tab-panel").setAttribute("aria-labelledby", `tab-${name}`);
    $("#moves").hidden = name !== "moves";
    $("#comment").hidden = name !== "moves";
    $("#text").hidden = name !== "text";
    $("#evaluation").hidden = name !== "eval";
    if (name === "text" && fresh) this.texts_.refresh();
    this.board.setWorth({});
    if (name === "eval") { $("#evaluation").replaceChildren(h("p", { class: "note" }, "The engine evaluates the position ...")); this.traceEval(); }
  }

  // Asks for the evaluation of the position on the board while its tab is open.
  traceEval() { if (!$("#evaluation").hidden) this.send("trace_eval", { engine: this.analysis.engine }); }

  strip(side) { return $(side === Number(this.board.flipped) ? "#strip-near" : "#strip-far"); }

  drawWho() {
    if (!this.state || !this.tags) return;
    for (const side of [0, 1]) {
      const who = $(".who", this.strip(side));
      const name = this.tags[side ? "Black" : "White"];
      who.textContent = name && name !== "?" && name !== "You" ? name : this.game.sides[side];
      who.classList.toggle("turn", this.state.turn === side && !this.state.result);
    }
  }

  drawBar() {
    const bar = $("#bar");
    const info = this.analysis.on && !this.analysis.threat ? this.analysis.infos[0] : null;
    const kept = this.state && this.moves.node(this.state.node)?.eval;
    const score = info ?? kept;
    bar.classList.toggle("shown", Boolean(this.analysis.on || (kept && this.mode !== "play")));
    if (!score) return;
    const share = Math.max(0, Math.min(100, 50 + 50 * score.chance));
    bar.firstElementChild.style.height = `${share}%`;
    bar.setAttribute("aria-valuenow", Math.round(share));
    bar.setAttribute("aria-valuetext", scoreText(score));
    bar.classList.toggle("flipped", this.board.flipped);
    bar.classList.toggle("black", (share < 50) !== this.board.flipped);
    $("span", bar).textContent = scoreText(score).replace("+", "");
  }

  drawGraph() {
    if ($("#graph").hidden || !this.moves.tree || !this.state) return;
    this.graph.draw(this.moves, this.state.node, this.mode === "watch");
  }

  drawResult() {
    const played = this.play?.result && this.state && this.state.node === this.play.tip ? this.play.result : null;
    const watched = !this.watch.running && this.watch.result && this.mode === "watch" && this.atEnd() ? this.watch.result : null;
    const tagged = this.state && this.tags?.Termination && this.tags.Result !== "*" && this.atEnd() && this.mode !== "play" ? { score: this.tags.Result, reason: this.tags.Termination } : null;
    const result = this.state?.result ?? played ?? watched ?? tagged;
    const puzzle = this.mode === "puzzles" ? this.puzzles.words() : "";
    const looking = this.play?.active && this.state && this.state.node !== this.play.tip;
    $("#outcome").classList.toggle("calm", !result && !puzzle);
    $("#outcome").textContent = puzzle ? puzzle : result ? `${result.score.replace("1/2-1/2", "½–½")}  ${withSides(this.game, result.reason)}` : looking ? "An earlier position. The game continues after its last move." : "";
  }

  atEnd() { return this.state && this.moves.tree && this.moves.mainLine().at(-1) === this.state.node; }

  drawChoices() {
    $("#choices")?.remove();
    if (!this.state.choices.length || (this.play?.active && this.play.sides[this.state.turn] !== "person")) return;
    const row = (choice) => h("button", { "data-choice": choice.text, "aria-label": `Arrangement ${choice.row.join(" ")}`, onclick: () => this.move(choice.text) }, ...choice.row.map((letter) => (letter ? picture(letter) : null)));
    $("#board").append(h("div", { id: "choices" }, h("div", { role: "group", "aria-label": "Arrangements" }, h("b", {}, `${this.game.sides[this.state.turn]} chooses an arrangement`), ...this.state.choices.map(row))));
  }

  announce(text) { if (text) $("#live").replaceChildren(h("p", {}, text)); }

  toast(text, calm = false) {
    const toast = $("#toast");
    toast.textContent = text;
    toast.classList.toggle("calm", calm);
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => { toast.textContent = ""; }, 6000);
  }

  // Going through the game

  go(where) {
    if (!this.state) return;
    const node = this.moves.node(this.state.node);
    const line = this.moves.mainLine();
    if (where === "first") this.goto(0);
    else if (where === "back" && node?.parent !== undefined) this.goto(node.parent);
    else if (where === "forward" && node?.children?.length) this.goto(node.children[0]);
    else if (where === "last") {
      let end = node;
      while (end?.children?.length) end = this.moves.node(end.children[0]);
      this.goto(end && end !== node ? end.id : line.at(-1));
    }
  }

  flip(flipped = !this.board.flipped) {
    if (flipped === this.board.flipped) return;
    this.board.flip(flipped);
    this.settings.flipped = flipped;
    this.drawRotating();
    this.hands.build();
    this.drawWho();
    drawBalance(this);
    this.clocks.draw();
    this.drawBar();
    this.board.choose(null);
  }

  bestMove() {
    const info = this.analysis.on && !this.analysis.threat && this.analysis.node === this.state.node && this.analysis.infos[0];
    if (info && info.pv.length) this.move(info.pv[0]);
    else if (!this.analysis.on) this.send("analyse", { on: true });
  }

  // Fits the board to its space before the next frame, once for all requests.
  fit() {
    this.fitting ??= requestAnimationFrame(() => { this.fitting = null; this.fitNow(); });
  }

  fitNow() {
    if (!this.game) return;
    fitBoard(this.game);
    this.board.drawShapes();
  }

  bind() {
    $("#modes").addEventListener("click", (event) => { if (event.target.dataset.mode) this.setMode(event.target.dataset.mode); });
    $("#tabs").addEventListener("click", (event) => { if (event.target.dataset.tab) this.showTab(event.target.dataset.tab); });
    for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.go(button.dataset.go));
    $("#flip").addEventListener("click", () => this.flip());
    $("#pass").addEventListener("click", () => this.pass());
    $("#movebox").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = $("input", event.target);
      input.removeAttribute("aria-invalid");
      if (input.value.trim()) this.move(input.value.trim());
      input.value = "";
    });
    $("#rules").addEventListener("click", () => this.send("rules", { style: this.style() }));
    $("#style").addEventListener("change", (event) => { localStorage.setItem(`style ${this.game.variant}`, event.target.value); this.drawPictures(); });
    $("#ground").addEventListener("change", (event) => this.ground(event.target.value));
    this.ground(settings.ground);
    $("#help").addEventListener("click", () => showKeys());
    bindSounds($("#sound"), (on) => this.toast(on ? "Sounds are on" : "Sounds are off", true));
    addEventListener("hashchange", () => takeLink(this));
    $("#theme").addEventListener("click", () => this.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    this.theme(localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    $(".strip").parentElement.addEventListener("wheel", (event) => {
      if (!event.target.closest("#board") || event.ctrlKey) return;
      event.preventDefault();
      this.go(event.deltaY > 0 ? "forward" : "back");
    }, { passive: false });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", async (event) => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      if (file) this.send("pgn", { text: await file.text() });
    });
    bindKeys(this);
  }

  pass() {
    const move = this.state?.moves.find((one) => one.pass);
    if (move) this.move(move.text);
  }

  // The colours of the board.
  ground(name) {
    document.documentElement.dataset.ground = settings.ground = name;
    $("#ground").value = name;
  }

  theme(name) {
    document.documentElement.dataset.theme = name;
    localStorage.setItem("theme", name);
  }
}

window.board = new App();
