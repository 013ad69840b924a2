// How far a tournament is.

import { h } from "../../lib/dom.js";
import { STATUS, count } from "../words.js";

export function progress({ name, played, total, status }) {
  const share = total ? played / total : 0;
  const words = status === "finished" ? `${count(played)} games` : `${count(played)} of ${count(total)} games`;
  const value = { "aria-valuemin": 0, "aria-valuemax": total, "aria-valuenow": played, "aria-valuetext": words };
  const bar = h("span", { class: `progress ${status}`, role: "progressbar", "aria-label": `${name}: games played`, ...value },
    h("span", { class: "progress-fill", style: { width: `${(100 * share).toFixed(2)}%` } }));
  return h("span", { class: "progress-line" }, status === "finished" ? "" : bar, h("span", { class: "progress-words" }, words));
}

const SIGNS = { playing: "▶", finished: "✓", stopped: "❚❚" };

export const statusTag = (status) =>
  h("span", { class: `tag status-${status}` }, h("span", { "aria-hidden": "true" }, `${SIGNS[status]} `), STATUS[status]);
