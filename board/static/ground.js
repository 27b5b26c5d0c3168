// The board under the pieces: squares of one or two colours, or a net of lines with palaces and a river; and the
// names of files and ranks.

import { s, squareNumber } from "./dom.js";

export const UNIT = 45;
const EDGE = 13; // beside and below the squares, for the names of ranks and files

// The area of a board: its squares and, if it is `named`, the names beside them.
export function extent(game, named = true) {
  const edge = named ? EDGE : 0;
  return { width: game.files * UNIT + edge, height: game.ranks * UNIT + edge };
}

export function place(game, flipped, square) {
  const file = square % game.files;
  const rank = Math.floor(square / game.files);
  return flipped ? [game.files - 1 - file, rank] : [file, game.ranks - 1 - rank];
}

export function ground(game, flipped, named) {
  const group = s("g", { "aria-hidden": "true" });
  if (game.style === "lines") net(game, flipped, group);
  else if (game.style === "grid") grid(game, group);
  else squares(game, flipped, group);
  if (named) names(game, flipped, group);
  return group;
}

function squares(game, flipped, group) {
  group.append(s("rect", { width: game.files * UNIT, height: game.ranks * UNIT, fill: "var(--light-square)" }));
  let path = "";
  for (let y = 0; y < game.ranks; y++) {
    for (let x = 0; x < game.files; x++) {
      // a1 is dark, on boards of any size and seen from either side.
      if ((x + (game.ranks - 1 - y)) % 2 === 0) path += `M${x * UNIT} ${y * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
    }
  }
  group.append(s("path", { d: path, fill: "var(--dark-square)" }));
  if (game.holes.length) group.append(s("path", { d: holes(game, flipped), fill: "var(--hole)" }));
  const [down, across] = game.cells;
  const lines = down.map((file) => `M${(flipped ? game.files - file : file) * UNIT} 0v${game.ranks * UNIT}`);
  lines.push(...across.map((rank) => `M0 ${(flipped ? rank : game.ranks - rank) * UNIT}h${game.files * UNIT}`));
  if (lines.length) group.append(s("path", { class: "cells", d: lines.join(""), stroke: "var(--net-line)", "stroke-width": 3, fill: "none" }));
}

function holes(game, flipped) {
  const corners = game.holes.map((name) => place(game, flipped, squareNumber(game, name)));
  return corners.map(([x, y]) => `M${x * UNIT} ${y * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`).join("");
}

function grid(game, group) {
  const [width, height] = [game.files * UNIT, game.ranks * UNIT];
  group.append(s("rect", { width, height, fill: "var(--net)" }));
  let path = `M0 0H${width}V${height}H0z`;
  for (let x = 1; x < game.files; x++) path += `M${x * UNIT} 0V${height}`;
  for (let y = 1; y < game.ranks; y++) path += `M0 ${y * UNIT}H${width}`;
  group.append(s("path", { d: path, stroke: "var(--net-line)", "stroke-width": 1.1, fill: "none" }));
  for (const [x, y] of game.stars) group.append(s("circle", { cx: x * UNIT, cy: y * UNIT, r: 3.2, fill: "var(--net-line)" }));
}

function net(game, flipped, group) {
  const middle = UNIT / 2;
  const [width, height] = [game.files * UNIT, game.ranks * UNIT];
  group.append(s("rect", { width, height, fill: "var(--net)" }));
  const centre = (name) => place(game, flipped, squareNumber(game, name)).map((one) => one * UNIT + middle);
  let path = "";
  // Inner files end at the river, which looks the same from both sides.
  const banks = game.river ? [height - (game.river - 0.5) * UNIT, height - (game.river + 0.5) * UNIT] : null;
  for (let x = 0; x < game.files; x++) {
    const at = x * UNIT + middle;
    path += banks && x > 0 && x < game.files - 1 ? `M${at} ${middle}V${banks[1]}M${at} ${banks[0]}V${height - middle}` : `M${at} ${middle}V${height - middle}`;
  }
  for (let y = 0; y < game.ranks; y++) path += `M${middle} ${y * UNIT + middle}H${width - middle}`;
  for (const ends of game.diagonals) {
    const [[x1, y1], [x2, y2]] = ends.map(centre);
    path += `M${x1} ${y1}L${x2} ${y2}`;
  }
  for (const name of game.points) {
    const [x, y] = centre(name);
    for (const side of [-1, 1]) {
      if (x + side * UNIT < 0 || x + side * UNIT > width) continue;
      for (const up of [-1, 1]) path += `M${x + side * 3.5} ${y + up * 10}v${-up * 6.5}h${side * 6.5}`;
    }
  }
  group.append(s("path", { d: path, stroke: "var(--net-line)", "stroke-width": 1.2, fill: "none" }));
}

function names(game, flipped, group) {
  for (let x = 0; x < game.files; x++) {
    const file = "abcdefghijklmnop"[flipped ? game.files - 1 - x : x];
    group.append(s("text", { class: "coord", x: (x + 0.5) * UNIT, y: game.ranks * UNIT + 10, "text-anchor": "middle" }, file));
  }
  for (let y = 0; y < game.ranks; y++) {
    const rank = flipped ? y + 1 : game.ranks - y;
    group.append(s("text", { class: "coord", x: game.files * UNIT + EDGE / 2, y: (y + 0.5) * UNIT + 3.2, "text-anchor": "middle" }, String(rank)));
  }
}
