// The stylesheet of tournaments and papers, loaded once when the first of them is shown.

import { h } from "../lib/dom.js";

let loading = null;

export const dressed = () => (loading ??= new Promise((done) => {
  document.head.append(h("link", { rel: "stylesheet", href: "/static/results/results.css", onload: done, onerror: done }));
}));
