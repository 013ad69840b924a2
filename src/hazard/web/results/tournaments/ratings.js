// Ratings with their intervals: a row for each agent, on one scale.

import { h } from "../../lib/dom.js";
import { table } from "../table.js";
import { count, hundredths, known, signed } from "../words.js";

const PLACES = { name: "", label: "place", kind: "number" }, DRAWN = { name: "", label: "Elo and interval drawn", kind: "drawn" };
const numbers = (...names) => names.map((name) => ({ name, kind: "number" }));

export function ratings(summary) {
  const rows = summary.ratings, scale = scaleOf(rows), ranked = summary.seats > 2;
  const columns = [PLACES, "Agent", ...numbers("Elo ± 95 %"), DRAWN, ...numbers("Points", "Games")];
  if (ranked) columns.push(...numbers("Mean rank"));
  const cells = (row, place) => [
    String(place + 1), h("th", { scope: "row" }, row.agent), elo(row), track(row, scale),
    `${hundredths(share(summary, row))} %`, count(row.games), ...(ranked ? [row.mean_rank?.toFixed(2) ?? "–"] : []),
  ];
  return h("section", { class: "panel" },
    h("h2", {}, "Ratings"),
    table("Ratings, best first", columns, rows.map(cells), "ratings"),
    h("p", { class: "quiet small" }, notes(rows).join(" ")));
}

const notes = (rows) => [
  "The mean of all is 0, drawn as a dashed line; 100 Elo more are about 64 wins in 100 games.",
  "Bars are 95 % intervals: where two overlap widely, it is open who is better.",
  rows.some(({ group }) => group > 1) ? "Agents of different groups never met; their ratings cannot be compared." : "",
  rows.some((row) => row.one_sided) ? "Somebody never loses here: a large difference means no more than “much stronger”." : "",
];

// Points an agent took, of those there were to take.
function share(summary, { agent }) {
  const a = summary.agents.indexOf(agent), met = summary.cross_table[a].filter((cell) => cell && known(cell.mean));
  const games = met.reduce((sum, cell) => sum + cell.games, 0);
  return games ? met.reduce((sum, cell) => sum + cell.mean * cell.games, 0) / games : null;
}

function elo({ elo: value, error }) {
  if (!known(value)) return "–";
  return [h("b", {}, signed(value)), h("span", { class: "quiet" }, known(error) ? ` ± ${Math.round(1.96 * error)}` : "")];
}

// An interval, or the rating itself where none is known.
const spanOf = ({ elo: value, low, high }) => [known(low) ? low : value, known(high) ? high : value];

function scaleOf(rows) {
  const ends = rows.filter((row) => known(row.elo)).flatMap(spanOf);
  if (!ends.length) return null;
  const least = Math.min(...ends), most = Math.max(...ends), margin = Math.max(5, 0.04 * (most - least));
  return { least: least - margin, most: most + margin };
}

function track(row, scale) {
  if (!known(row.elo)) return h("td", { class: "drawn" }, h("span", { class: "quiet" }, "not rated yet"));
  const part = (value) => `${((100 * value) / (scale.most - scale.least)).toFixed(2)}%`;
  const at = (value) => part(value - scale.least);
  const [low, high] = spanOf(row);
  const label = `${row.agent}: ${Math.round(row.elo)}, from ${Math.round(low)} to ${Math.round(high)}`;
  return h("td", { class: "drawn" }, h("span", { class: "rating-track", role: "img", "aria-label": label },
    scale.least < 0 && scale.most > 0 ? h("span", { class: "rating-zero", style: { left: at(0) } }) : "",
    h("span", { class: "rating-bar", style: { left: at(low), width: part(high - low) } }),
    h("span", { class: "rating-dot", style: { left: at(row.elo) } })));
}
