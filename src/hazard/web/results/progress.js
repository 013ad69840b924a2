// How far something is: a bar, and the same in words.

import { h } from "../lib/dom.js";

export function progressLine({ label, done, total, words, kind = "" }) {
  const share = total ? Math.min(1, done / total) : 0;
  const value = { "aria-valuemin": 0, "aria-valuemax": total, "aria-valuenow": done, "aria-valuetext": words };
  const bar = h("span", { class: `progress ${kind}`, role: "progressbar", "aria-label": label, ...value },
    h("span", { class: "progress-fill", style: { width: `${(100 * share).toFixed(2)}%` } }));
  return h("span", { class: "progress-line" }, bar, h("span", { class: "progress-words" }, words));
}
