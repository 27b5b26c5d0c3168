// The graph of winning chances by move; a click or a drag goes to the move.

import { h, s, scoreText } from "./dom.js";

const COLOURS = { "??": "#d03a2e", "?": "#e08a1e", "?!": "#c9a800" };

export class Graph {
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    this.line = [];
    root.addEventListener("pointerdown", (event) => { this.held = true; root.setPointerCapture(event.pointerId); this.pick(event); });
    root.addEventListener("pointermove", (event) => { if (this.held) this.pick(event); });
    root.addEventListener("pointerup", () => { this.held = false; });
  }

  pick(event) {
    if (this.line.length < 2) return;
    const box = this.root.getBoundingClientRect();
    const place = Math.round(((event.clientX - box.x) / box.width) * (this.line.length - 1));
    const node = this.line[Math.max(0, Math.min(this.line.length - 1, place))];
    if (node.id !== this.last) { this.last = node.id; this.onChoose(node.id); }
  }

  // With `two` each side has its own curve: the scores of that colour's engine.
  draw(moves, here, two = false) {
    this.line = moves.mainLine().map((id) => moves.node(id));
    this.last = here;
    const width = 1000;
    const step = width / Math.max(1, this.line.length - 1);
    const y = (node) => 50 - 46 * node.eval.chance;
    const known = this.line.map((node, index) => [node, index * step]).filter(([node]) => node.eval);
    const svg = s("svg", { viewBox: `0 0 ${width} 100`, preserveAspectRatio: "none", role: "img", "aria-label": this.words(moves) });
    for (const run of this.runs()) {
      // Moves without a score have a neutral colour.
      const [from, to] = [run[0] * step - (run.length > 1 ? 0 : step / 2), run.at(-1) * step + (run.length > 1 ? 0 : step / 2)];
      const line = run.length > 1 ? run.map((index) => `${(index * step).toFixed(1)} ${y(this.line[index]).toFixed(1)}`) : [`${from} ${y(this.line[run[0]])}`, `${to} ${y(this.line[run[0]])}`];
      svg.append(s("rect", { class: "ground", x: from.toFixed(1), width: (to - from).toFixed(1), height: 100 }));
      svg.append(s("path", { class: "area", d: `M${from.toFixed(1)} 100L${line.join("L")}L${to.toFixed(1)} 100z` }));
    }
    if (known.length) {
      const points = known.map(([node, x]) => `${x.toFixed(1)} ${y(node).toFixed(1)}`);
      const parity = (place) => Math.round(place / step) % 2;
      const curves = two ? [1, 0].map((side) => points.filter((_, index) => parity(known[index][1]) === side)) : [];
      if (two) curves.forEach((own, index) => { if (own.length) svg.append(s("path", { class: index ? "curve black" : "curve", d: `M${own.join("L")}` })); });
      else svg.append(s("path", { class: "curve", d: `M${points.join("L")}` }));
    }
    svg.append(s("line", { class: "axis", x1: 0, x2: width, y1: 50, y2: 50 }));
    const dots = [];
    for (const [node, x] of known) {
      if (!COLOURS[node.glyph]) continue;
      dots.push(h("div", { title: `${node.label}${node.glyph} ${scoreText(node.eval)}`, style: `position:absolute;width:9px;height:9px;border-radius:50%;pointer-events:none;background:${COLOURS[node.glyph]};left:calc(${x / 10}% - 4.5px);top:calc(${y(node)}% - 4.5px);border:1px solid #fff` }));
    }
    const at = this.line.findIndex((node) => node.id === here);
    if (at >= 0) svg.append(s("line", { class: "cursor", x1: at * step, x2: at * step, y1: 0, y2: 100 }));
    this.root.replaceChildren(svg, ...dots);
  }

  // Lists of consecutive places with known scores.
  runs() {
    const found = [];
    this.line.forEach((node, index) => {
      if (!node.eval) return;
      if (found.at(-1)?.at(-1) === index - 1) found.at(-1).push(index);
      else found.push([index]);
    });
    return found;
  }

  words() {
    const bad = this.line.filter((node) => COLOURS[node.glyph]).length;
    return `Winning chances over ${this.line.length - 1} moves, ${bad} marked`;
  }
}
