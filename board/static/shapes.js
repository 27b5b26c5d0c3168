// Arrows, crosses and short texts on the board.

import { s } from "./dom.js";

// An arrow between two points in units of the board, with a `label` in its middle.
export function arrowShape([x1, y1], [x2, y2], { colour = "#15781b", width = 7, opacity = 0.7, label = "" } = {}) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = width * 2.2;
  const half = width * 1.5;
  const end = Math.max(0, length - 6);
  const neck = Math.max(0, end - head);
  const at = (along, aside) => `${(x1 + dx * along - dy * aside).toFixed(1)} ${(y1 + dy * along + dx * aside).toFixed(1)}`;
  const start = Math.min(8, neck);
  const path = `M${at(start, width / 2)}L${at(neck, width / 2)}L${at(neck, half)}L${at(end, 0)}L${at(neck, -half)}L${at(neck, -width / 2)}L${at(start, -width / 2)}z`;
  const group = s("g", { class: "arrow", opacity }, s("path", { d: path, fill: colour, "stroke-linejoin": "round" }));
  if (label) group.append(tagShape([(x1 + x2) / 2, (y1 + y2) / 2], label));
  return group;
}

// A short text on a dark ground.
export const tagShape = ([x, y], text) => s("g", { class: "tag" },
  s("rect", { x: x - 4 - text.length * 2.9, y: y - 7.5, width: 8 + text.length * 5.8, height: 13, rx: 4, fill: "#1c1c1c" }),
  s("text", { x, y: y + 2.6, "text-anchor": "middle", "font-size": 9.5, "font-weight": 700, fill: "#fff" }, text));

// A cross: a piece disappears here.
export const crossShape = ([x, y]) => s("path", { class: "arrow cross", d: `M${x - 13} ${y - 13}l26 26m0-26l-26 26`, stroke: "#d01818", "stroke-width": 6, "stroke-linecap": "round", opacity: 0.85 });
