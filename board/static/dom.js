// Small helpers for HTML, SVG and the names of squares.

const NS = "http://www.w3.org/2000/svg";
export const $ = (selector, root = document) => root.querySelector(selector);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const s = (name, attributes = {}, ...children) => fill(document.createElementNS(NS, name), attributes, children);

export const squareName = (game, square) => "abcdefghijklmnop"[square % game.files] + (Math.floor(square / game.files) + 1);

export const squareNumber = (game, name) => "abcdefghijklmnop".indexOf(name[0]) + (Number(name.slice(1)) - 1) * game.files;

// A text of the server with this game's names of the sides, such as Cho for White in Janggi.
export const withSides = (game, text) => text.replace(/\b(White|Black)\b/g, (word) => game.sides[word === "White" ? 0 : 1]);

export const pieceKey = (letter) => (letter[0] === letter[0].toUpperCase() ? "w" : "b") + letter.toUpperCase();

export function kindName(game, letter) {
  const piece = game.pieces.find((one) => one.letter === letter.toUpperCase());
  return piece ? piece.name.toLowerCase() : letter;
}

export const pieceName = (game, letter) => `${game.sides[letter[0] === letter[0].toUpperCase() ? 0 : 1].toLowerCase()} ${kindName(game, letter)}`;

// A picture of a piece outside the board.
export const picture = (letter) => s("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" }, s("use", { href: `#p-${pieceKey(letter)}` }));

export function definePictures(pictures) {
  const defs = $("#defs");
  defs.replaceChildren();
  for (const [key, markup] of Object.entries(pictures)) {
    const symbol = s("symbol", { id: `p-${key}`, viewBox: "0 0 45 45", overflow: "visible" });
    symbol.innerHTML = markup;
    defs.append(symbol);
  }
}

export const scoreText = (info) => {
  if (!info) return "";
  if (info.over) return info.over === "1/2-1/2" ? "½" : info.over;
  if (info.mate !== undefined) return `${info.mate < 0 ? "−" : ""}M${Math.abs(info.mate)}`;
  if (info.cp === undefined) return "";
  return `${info.cp < 0 ? "−" : "+"}${(Math.abs(info.cp) / 100).toFixed(Math.abs(info.cp) >= 10000 ? 0 : 1)}`;
};

export const clockText = (seconds) => {
  const left = Math.max(0, seconds);
  const minutes = Math.floor(left / 60);
  if (left >= 86400) return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
  if (left < 10) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const rest = String(Math.floor(left % 60)).padStart(2, "0");
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
};
