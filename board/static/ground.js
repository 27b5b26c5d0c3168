// What lies under the pieces: squares, or a net of lines with palaces; and the names of files and ranks.

import { s } from "./dom.js";

export const UNIT = 45;
const EDGE = 13; // beside and below the squares, for the names of ranks and files

// The part of the plane that a board takes: its squares, and where it is `named` the names beside them.
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
  if (game.style === "lines") net(game, group);
  else squares(game, group);
  if (named) names(game, flipped, group);
  return group;
}

function squares(game, group) {
  group.append(s("rect", { width: game.files * UNIT, height: game.ranks * UNIT, fill: "var(--light-square)" }));
  let path = "";
  for (let y = 0; y < game.ranks; y++) {
    for (let x = 0; x < game.files; x++) {
      // a1 is dark, and so is the corner across it on any board, seen from either side.
      if ((x + (game.ranks - 1 - y)) % 2 === 0) path += `M${x * UNIT} ${y * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
    }
  }
  group.append(s("path", { d: path, fill: "var(--dark-square)" }));
}

function net(game, group) {
  const middle = UNIT / 2;
  const [width, height] = [game.files * UNIT, game.ranks * UNIT];
  group.append(s("rect", { width, height, fill: "var(--net)" }));
  let path = "";
  for (let x = 0; x < game.files; x++) path += `M${x * UNIT + middle} ${middle}V${height - middle}`;
  for (let y = 0; y < game.ranks; y++) path += `M${middle} ${y * UNIT + middle}H${width - middle}`;
  for (const ends of game.diagonals) {
    const [[x1, y1], [x2, y2]] = ends.map((name) => {
      const [file, rank] = [name.charCodeAt(0) - 97, Number(name.slice(1))];
      return [file * UNIT + middle, (game.ranks - rank) * UNIT + middle];
    });
    path += `M${x1} ${y1}L${x2} ${y2}`;
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
