// The engine box: on and off, lines with scores, depth and speed, a board on hover.

import { h, $, scoreText } from "./dom.js";
import { Board } from "./board.js";

const COLOURS = ["#1f6fd0", "#4f8fd0", "#6fa3d4", "#8cb5dc", "#a5c4e2"];
const short = (n) => (n >= 1e9 ? `${(n / 1e9).toFixed(1)}G` : n >= 1e6 ? `${(n / 1e6).toFixed(1)}M` : n >= 1e3 ? `${Math.round(n / 1e3)}k` : String(n));

const facts = (best) => `depth ${best.depth}${best.seldepth ? `/${best.seldepth}` : ""} · ${short(best.nodes)} nodes · ${short(best.nps)}/s`;

export class EngineBox {
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.switch = h("button", { id: "analyse", "aria-pressed": "false", onclick: () => app.send("analyse", { on: !app.analysis.on }) }, "Engine");
    this.score = h("span", { class: "score" });
    this.facts = h("span", { class: "facts" });
    this.count = h("select", { "aria-label": "Lines", title: "Lines", onchange: () => app.send("analyse", { lines: Number(this.count.value) }) }, ...[1, 2, 3, 4, 5].map((n) => h("option", { value: n }, String(n))));
    this.engines = h("select", { "aria-label": "Analysing engine", onchange: () => app.send("analyse", { engine: Number(this.engines.value) }) });
    this.threat = h("button", { id: "threat", "aria-pressed": "false", title: "Show the threat (x)", onclick: () => app.send("analyse", { on: true, threat: !app.analysis.threat }) }, "Threat");
    this.list = h("ol", { "aria-label": "Lines of the engine" });
    this.compare = h("select", { id: "compare", "aria-label": "Compare with another engine", title: "Compare with another engine", onchange: () => app.send("analyse", { on: true, compare: this.compare.value === "" ? null : Number(this.compare.value) }) });
    this.rival = { on: false, infos: [] };
    this.rivalFacts = h("div", { class: "facts" });
    this.rivalList = h("ol", { "aria-label": "Lines of the second engine" });
    this.rivalBox = h("div", { id: "rival", hidden: true }, this.rivalFacts, this.rivalList);
    this.status = h("div", { class: "note" });
    this.problem = h("div", { class: "error" });
    root.append(h("div", { class: "head" }, this.switch, this.score, this.facts), h("div", { class: "head", style: "margin-top:5px" }, this.engines, this.count, this.threat, this.compare), this.status, this.problem, this.list, this.rivalBox);
    this.popup = $("#preview");
    this.popupBoard = new Board(this.popup);
    for (const list of [this.list, this.rivalList]) {
      list.addEventListener("pointerover", (event) => this.hover(event));
      list.addEventListener("pointerleave", () => this.hide());
      list.addEventListener("click", (event) => {
        const move = event.target.closest(".pv");
        if (move) { app.send("line", { node: this.analysisOf(move).node, moves: this.movesOf(move) }); this.hide(); }
      });
    }
  }

  setEngines(engines, rivals) {
    this.engines.replaceChildren(...engines.map((engine, index) => h("option", { value: index }, engine.name)));
    this.compare.replaceChildren(h("option", { value: "" }, "compare ..."), ...rivals.map((name, index) => h("option", { value: index }, name)));
    this.rivals = rivals;
  }

  // The analysis to which a line belongs.
  analysisOf(element) { return this.rivalList.contains(element) ? this.rival : this.app.analysis; }

  movesOf(element) {
    return this.analysisOf(element).infos[element.dataset.line].pv.slice(0, Number(element.dataset.move) + 1);
  }

  draw(analysis) {
    this.switch.classList.toggle("on", analysis.on);
    this.switch.setAttribute("aria-pressed", analysis.on);
    this.threat.classList.toggle("on", analysis.threat);
    this.threat.setAttribute("aria-pressed", analysis.threat);
    this.count.value = analysis.lines;
    this.engines.value = analysis.engine;
    this.compare.value = analysis.compare ?? "";
    this.status.textContent = analysis.status;
    const best = analysis.on ? analysis.infos[0] : null;
    this.score.textContent = best ? scoreText(best) : "";
    this.facts.textContent = best ? facts(best) : "";
    if (best) this.problem.textContent = "";
    this.rows(this.list, analysis);
    this.drawArrows();
  }

  // The second engine.
  drawRival(rival) {
    this.rival = rival;
    this.rivalBox.hidden = !rival.on;
    const best = rival.on ? rival.infos[0] : null;
    this.rivalFacts.textContent = [this.rivals?.[rival.engine], rival.status || (best && facts(best))].filter(Boolean).join(": ");
    this.rows(this.rivalList, rival);
    this.drawArrows();
  }

  // The first move of the second engine lies below the arrows of the first one.
  drawArrows() {
    const { analysis, board, state } = this.app;
    const second = state && this.rival.on ? this.arrows({ ...this.rival, infos: this.rival.infos.slice(0, 1) }) : [];
    board.setLines([...second.map((line) => ({ ...line, colour: "#d9780f", width: 11 })), ...this.arrows(analysis)]);
  }

  // The current lines; unchanged lines keep their elements, so that hovering continues.
  rows(list, analysis) {
    const infos = analysis.on ? analysis.infos : [];
    while (list.children.length > infos.length) list.lastChild.remove();
    infos.forEach((info, line) => {
      const key = `${scoreText(info)} ${info.labels.join(" ")}`;
      const old = list.children[line];
      if (old?.dataset.key === key) return;
      const moves = info.labels.map((label, index) => h("button", { class: "pv", "data-line": line, "data-move": index, tabindex: index ? -1 : 0, "aria-label": index ? null : `Play ${label}` }, label));
      const row = h("li", { "data-key": key }, h("b", {}, scoreText(info)), h("div", {}, ...moves));
      if (old) old.replaceWith(row);
      else list.append(row);
    });
  }

  arrows(analysis) {
    if (!analysis.on) return [];
    return analysis.infos.filter((info) => info.squares).map((info, index) => {
      const [from, to, drop] = info.squares;
      const turn = this.app.state.turn ^ Number(analysis.threat);
      const colour = analysis.threat ? "#c22a22" : COLOURS[index];
      return { from, to, drop: drop && (turn ? drop.toLowerCase() : drop), colour, width: index ? 4.5 : 7, opacity: index ? 0.6 : 0.8, label: analysis.infos.length > 1 || analysis.threat ? scoreText(info) : "" };
    }).reverse();
  }

  hover(event) {
    const move = event.target.closest(".pv");
    if (!move) { this.hide(); return; }
    const box = move.getBoundingClientRect();
    this.popup.style.left = `${Math.max(4, Math.min(innerWidth - 250, box.x - 60))}px`;
    this.popup.dataset.y = box.bottom + 6;
    this.wanted = `${this.analysisOf(move) === this.rival ? "rival " : ""}${move.dataset.line}.${move.dataset.move}`;
    this.app.send("preview", { node: this.analysisOf(move).node, moves: this.movesOf(move), key: this.wanted });
  }

  preview(message) {
    if (message.key !== this.wanted) return;
    this.popupBoard.flip(this.app.board.flipped);
    this.popupBoard.setRotating(this.app.board.rotating);
    if (this.popupBoard.game !== this.app.game) this.popupBoard.setGame(this.app.game);
    this.popup.hidden = false;
    const [from, to] = message.last;
    this.popupBoard.setState({ pieces: message.pieces, walls: message.walls, last: message.last.length ? { from, to } : null }, true);
    const height = this.popup.offsetHeight;
    this.popup.style.top = `${Math.min(Number(this.popup.dataset.y), innerHeight - height - 4)}px`;
  }

  hide() {
    this.wanted = null;
    this.popup.hidden = true;
  }
}
