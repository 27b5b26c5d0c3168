// A dialog with a question and two answers.

import { $, h } from "./dom.js";

// Whether the user chooses `yes`; closing the dialog means `no`.
export function ask(text, yes, no) {
  const dialog = $("#ask");
  return new Promise((answer) => {
    const button = (label, value, main) => h("button", { class: main ? "main" : "", value, onclick: () => dialog.close(value) }, label);
    dialog.replaceChildren(h("p", {}, text), h("div", { class: "row" }, button(yes, "yes", true), button(no, "no", false)));
    dialog.returnValue = "";
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
    dialog.showModal();
  });
}
