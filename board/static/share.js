// A link that holds the game in its fragment, and files for the user.

import { h } from "./dom.js";

const PIXELS = 1200; // the longer side of a PNG

export function save(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const saveSvg = (name, svg) => save(`${name}.svg`, new Blob([svg], { type: "image/svg+xml" }));

export async function savePng(name, svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = PIXELS / Math.max(image.width, image.height);
  const canvas = h("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(`${name}.png`, blob), "image/png");
}

// The address of this page with a game in its fragment, and the ply of the position that it shows.
export function linkOf(pgn, ply) {
  const fields = new URLSearchParams({ pgn });
  if (ply >= 0) fields.set("ply", ply);
  return `${location.href.split("#")[0]}#${fields}`;
}

// The PGN and ply of a link; null for another text.
export function linked(text) {
  if (!/^[a-z]+:\/\/\S*#\S*$/i.test(text.trim())) return null;
  const fields = new URLSearchParams(text.trim().split("#")[1]);
  return fields.has("pgn") ? { pgn: fields.get("pgn"), ply: fields.has("ply") ? Number(fields.get("ply")) : undefined } : null;
}

// Shows the game of the page's address once, so that a reload keeps later changes.
export function takeLink(app) {
  const game = linked(location.href);
  if (!game) return;
  history.replaceState(null, "", location.href.split("#")[0]);
  showLinked(app, game);
}

export function showLinked(app, { pgn, ply }) {
  app.linkedPly = ply;
  app.send("pgn", { text: pgn });
}
