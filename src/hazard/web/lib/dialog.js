// Questions and facts in a window of their own. Escape and "Close" leave it.

import { h } from "./dom.js";

// Shows a dialog; `parts` is given a function that closes it. Focus goes back to where it was.
export function dialog(title, parts) {
  const close = () => box.close();
  const box = h("dialog", { class: "dialog", "aria-label": title }, h("h2", {}, title), parts(close));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && close());
  document.body.append(box);
  box.showModal();
  return box;
}

// Asks before something that cannot be undone; whether the person said yes.
export const sure = (title, words, yes, no = "No") =>
  new Promise((answer) => {
    const box = dialog(title, (close) => [
      h("p", {}, words),
      h("div", { class: "row end" },
        h("button", { onclick: close, autofocus: true }, no),
        h("button", { class: "danger", onclick: () => { answer(true); close(); } }, yes)),
    ]);
    box.addEventListener("close", () => answer(false));
  });
