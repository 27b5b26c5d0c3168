// The last move in words, for screen readers.

import { kindName, squareName, withSides } from "./dom.js";

export function inWords(game, state, result) {
  const last = state.last;
  const words = [];
  if (last) {
    const side = game.sides[last.side];
    const to = squareName(game, last.to);
    if (last.pass) words.push(`${side} passes`);
    else if (last.drop) words.push(`${side} drops ${kindName(game, last.drop)} on ${to}`);
    else if (last.choice) words.push(`${side} chooses an arrangement`);
    else {
      const piece = state.pieces[last.to];
      const moved = piece ? kindName(game, piece) : "piece";
      words.push(`${side}: ${moved} ${squareName(game, last.from)} ${last.takes ? "takes" : "to"} ${to}`);
      if (last.becomes) words.push("promotes");
      if (last.wall !== undefined) words.push(`wall on ${squareName(game, last.wall)}`);
      if (last.enters) words.push(`${kindName(game, last.enters)} enters on ${squareName(game, last.on)}`);
    }
    if (last.gone) words.push(`captures on ${last.gone.map((square) => squareName(game, square)).join(", ")}`);
    for (const [from, to_] of last.pushed ?? []) words.push(`moves ${squareName(game, from)} to ${squareName(game, to_)}`);
  }
  const end = state.result ?? result;
  if (end) words.push(`${end.score === "1/2-1/2" ? "draw" : end.score}: ${withSides(game, end.reason)}`);
  else if (state.check !== null) words.push("check");
  return words.join(", ");
}
