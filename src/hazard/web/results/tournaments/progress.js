// How far a tournament is.

import { h } from "../../lib/dom.js";
import { progressLine } from "../progress.js";
import { STATUS, count } from "../words.js";

export function progress({ name, played, total, status }) {
  if (status === "finished")
    return h("span", { class: "progress-line" }, h("span", { class: "progress-words" }, `${count(played)} games`));
  const words = `${count(played)} of ${count(total)} games`;
  return progressLine({ label: `${name}: games played`, done: played, total, words, kind: status });
}

const SIGNS = { playing: "▶", finished: "✓", stopped: "❚❚" };

export const statusTag = (status) =>
  h("span", { class: `tag status-${status}` }, h("span", { "aria-hidden": "true" }, `${SIGNS[status]} `), STATUS[status]);
