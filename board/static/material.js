// Material beside the names: the surplus pieces of a side, and the difference of the values of all pieces.

import { $, h, picture } from "./dom.js";

const MOST = 8; // pictures of a kind
const PAWN = 100; // centipawns

export function drawBalance(app) {
  const { game, state } = app;
  const worth = new Map(game.pieces.filter((piece) => !piece.royal).map((piece) => [piece.letter, piece.value]));
  const more = new Map([...worth.keys()].map((letter) => [letter, 0])); // White's pieces without Black's
  for (const letter of Object.values(state.pieces)) {
    const kind = letter.toUpperCase();
    if (more.has(kind)) more.set(kind, more.get(kind) + (letter === kind ? 1 : -1));
  }
  let sum = [...more].reduce((total, [letter, count]) => total + count * worth.get(letter), 0);
  state.hands.forEach((hand, side) => { for (const [letter, count] of Object.entries(hand)) sum += (side ? -1 : 1) * count * (worth.get(letter) ?? 0); });
  const kinds = [...more].sort((a, b) => worth.get(b[0]) - worth.get(a[0]));
  for (const side of [0, 1]) {
    const sign = side ? -1 : 1;
    const surplus = game.hand.length ? [] : kinds.flatMap(([letter, count]) => Array(Math.max(0, Math.min(MOST, sign * count))).fill(side ? letter : letter.toLowerCase()));
    const pawns = Math.round((sign * sum) / PAWN);
    $(".balance", app.strip(side)).replaceChildren(...surplus.map(picture), pawns > 0 ? h("b", { title: "Material, in pawns" }, `+${pawns}`) : "");
  }
}
