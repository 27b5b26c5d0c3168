// Keys for the whole page, and the two cards: keys, and the rules with pictures of how pieces move.

import { $, h, picture } from "./dom.js";

const KEYS = [["← →", "back, forward"], ["↑ ↓ / Home End", "first, last move"], ["f", "flip the board"], ["Space", "play the engine's move"], ["a", "engine on or off"], ["x", "show the threat"], ["p", "pass"], ["h", "a hint, in a game or a puzzle"], ["n", "the next puzzle"], ["s", "sounds on or off"], ["m", "type a move"], ["b", "go to the board: arrows move, Enter chooses"], ["Ctrl Z / Ctrl Y", "undo, redo"], ["c", "clear arrows and circles"], ["Esc", "give up a choice"], ["?", "this list"]];

export function bindKeys(app) {
  const actions = {
    ArrowLeft: () => app.go("back"), ArrowRight: () => app.go("forward"), ArrowUp: () => app.go("first"), ArrowDown: () => app.go("last"), Home: () => app.go("first"), End: () => app.go("last"),
    f: () => app.flip(), " ": () => app.bestMove(), a: () => app.send("analyse", { on: !app.analysis.on }), x: () => app.send("analyse", { on: true, threat: !app.analysis.threat }),
    p: () => app.pass(), m: () => $("#movebox input").focus(), b: () => app.board.focus(app.board.cursor), "?": () => showKeys(), Escape: () => { app.board.choose(null); app.board.setPremove(null); app.board.closeChoice(true); },
    h: () => { if (app.play?.active) app.send("hint"); else if (app.puzzles.solving) app.puzzles.hint(); },
    n: () => { if (app.mode === "puzzles" && app.puzzles.puzzle?.count) app.puzzles.next(); },
    s: () => $("#sound").click(),
    c: () => app.board.callbacks.drawn([]),
  };
  addEventListener("keydown", (event) => {
    const target = event.target;
    if ((event.ctrlKey || event.metaKey) && ["z", "y", "Z"].includes(event.key) && !target.closest("input, textarea, dialog")) {
      event.preventDefault();
      app.send(event.key === "z" ? "undo" : "redo");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest("input, textarea, select, dialog")) { if (event.key === "Escape") target.blur(); return; }
    if (event.key === " " && target.closest("button")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

// A button must not take the space bar after a mouse click.
addEventListener("click", (event) => { if (event.detail) event.target.closest?.("button")?.blur(); });

function open(dialog, ...content) {
  dialog.replaceChildren(h("button", { class: "shut", "aria-label": "Close", onclick: () => dialog.close() }, "✕"), ...content);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.showModal();
}

export function showKeys() {
  open($("#keys"), h("h2", {}, "Keys"), h("table", { class: "plain" }, h("tbody", {}, ...KEYS.map(([key, text]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, text))))));
}

export function showRules({ card }) {
  const pieces = card.pieces.map((piece) => {
    const diagram = h("div", { class: "diagram" });
    diagram.innerHTML = piece.diagram ?? "";
    return h("figure", {}, h("figcaption", {}, picture(piece.letter), `${piece.name} (${piece.letter})`), diagram, h("div", { class: "note" }, [...piece.moves, ...piece.notes].join(" ")));
  });
  const legend = card.legend.map(({ sign, meaning }) => {
    const mark = h("span", { class: "sign" });
    mark.innerHTML = sign;
    return h("span", { class: "meaning" }, mark, meaning);
  });
  const rules = card.paragraphs.map(({ heading, sentences }) => h("section", {}, h("h3", {}, heading), h("ul", {}, ...sentences.map((text) => h("li", {}, text)))));
  open($("#card"), h("h2", {}, card.title), h("div", { class: "legend" }, ...legend), h("div", { class: "cards" }, ...pieces), ...rules, h("p", { class: "note" }, "Source: ", card.source));
}
