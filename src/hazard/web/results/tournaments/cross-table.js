// Who took how much from whom: shares with intervals, in words and as strength of colour. A cell leads to its games.

import { h } from "../../lib/dom.js";
import { wide } from "../table.js";
import { hundredths, known, several } from "../words.js";

const STRONGEST = 50; // per cent of colour at a share of 0 or 1

// `choose(agent, against)` is called with the two agents of a cell that was pressed.
export function crossTable(summary, choose) {
  const order = summary.ratings.map(({ agent }) => summary.agents.indexOf(agent)), names = order.map((a) => summary.agents[a]);
  const column = (name, n) => h("th", { scope: "col", title: name, "aria-label": name }, String(n + 1));
  const label = (n) => h("th", { scope: "row", title: names[n] }, h("span", { class: "cross-place" }, n + 1), " ", names[n]);
  const row = (a, n) => h("tr", {}, label(n), order.map((b) => cell(summary, a, b, choose)));
  return h("section", { class: "panel" },
    h("h2", {}, "Who beats whom"),
    wide("cross-table", h("table", { class: "cross" },
      h("caption", { class: "hush" }, "Share of points of the row's agent against the column's, in per cent"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hush" }, "agent")), names.map(column))),
      h("tbody", {}, order.map(row)))),
    h("p", { class: "quiet small" },
      "Per cent of the points that the agent of the row took from that of the column, with 95 % intervals below. ",
      h("span", { class: "cross-key more" }, "blue"), " is more than half, ",
      h("span", { class: "cross-key less" }, "orange"), " less. Press a cell for its games."));
}

function cell(summary, a, b, choose) {
  const found = summary.cross_table[a][b], [one, other] = [summary.agents[a], summary.agents[b]];
  if (a === b) return h("td", { class: "cross-self", "aria-label": "itself" });
  if (!found || !known(found.mean)) return h("td", { class: "quiet", "aria-label": "no games yet" }, "·");
  const off = found.mean - 0.5, strength = `${(2 * STRONGEST * Math.abs(off)).toFixed(1)}%`;
  const [mean, low, high] = [found.mean, found.low, found.high].map(hundredths), games = several(found.games, "game");
  const label = `${one} against ${other}: ${mean} per cent, from ${low} to ${high}, ${games}. Show them`;
  const words = { "aria-label": label, title: `${one} – ${other}, ${games}`, "data-focus": `cross ${one} ${other}` };
  return h("td", { class: Math.abs(off) < 1e-9 ? "" : off > 0 ? "more" : "less", style: { "--strength": strength } },
    h("button", { ...words, onclick: () => choose(one, other) }, h("b", {}, mean), h("small", {}, `${low}–${high}`)));
}
