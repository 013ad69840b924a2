// The pictures of a study; pressed, one fills the window.

import { dialog } from "../../lib/dialog.js";
import { h } from "../../lib/dom.js";

const at = (file) => `/api/pictures/${encodeURIComponent(file)}`;
const image = ({ file, title }, loading = "lazy") => h("img", { src: at(file), alt: title, loading });

export function figures(all) {
  if (!all.length) return null;
  const one = (figure) => h("figure", {},
    h("button", { class: "figure-button", "aria-label": `${figure.title}: show large`, onclick: () => enlarge(figure) },
      image(figure)),
    h("figcaption", {}, h("b", {}, figure.title), ". ", figure.caption));
  return h("section", { class: "panel" }, h("h2", {}, "Pictures"), h("div", { class: "figures" }, all.map(one)));
}

function enlarge(figure) {
  const box = dialog(figure.title, (close) => [
    h("div", { class: "figure-large" }, image(figure, "eager")),
    h("p", { class: "quiet small" }, figure.caption),
    h("div", { class: "row end" },
      h("a", { class: "button", href: at(figure.file), download: figure.file }, "Download"),
      h("button", { class: "primary", onclick: close, autofocus: true }, "Close")),
  ]);
  box.classList.add("figure-dialog");
}
