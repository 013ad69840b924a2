// What else a tournament says: whether the seat matters, and how long games are.

import { h, picture, s } from "../../lib/dom.js";
import { count, known, several } from "../words.js";

// Mean payoffs by seat, whoever sat there; `titles` are what the game calls its seats.
export function seats(summary, titles) {
  const found = summary.by_seat ?? [];
  if (found.length < 2 || !found.every(({ mean }) => known(mean))) return null;
  const even = found.reduce((sum, { mean }) => sum + mean, 0) / found.length, scale = scaleOf(found);
  return h("section", { class: "panel" },
    h("h2", {}, "Does the seat matter?"),
    h("p", {}, verdict(found, even, titles)),
    h("ol", { class: "by-seat" }, found.map((seat, n) => bySeat(seat, n, titles[n] ?? `seat ${n + 1}`, even, scale))),
    h("p", { class: "quiet small" },
      "Mean payoff of a seat over all games, whoever sat there, with 95 % intervals; ",
      `the line marks an even share, ${figure(even)}.`));
}

const figure = (value) => value.toFixed(3);

function scaleOf(found) {
  const most = Math.max(...found.map(({ mean, high }) => high ?? mean));
  const least = Math.min(0, ...found.map(({ mean, low }) => low ?? mean));
  return { least, wide: most - least || 1 };
}

function bySeat({ mean, low, high }, n, title, even, { least, wide }) {
  const part = (value) => `${((100 * value) / wide).toFixed(2)}%`, at = (value) => part(value - least);
  return h("li", { class: `seat-${n}` },
    h("span", { class: "by-seat-title" }, title),
    h("span", { class: "by-seat-track", "aria-hidden": "true" },
      h("span", { class: "by-seat-fill", style: { width: at(mean) } }),
      known(low) ? h("span", { class: "by-seat-interval", style: { left: at(low), width: part(high - low) } }) : "",
      h("span", { class: "by-seat-even", style: { left: at(even) } })),
    h("span", { class: "by-seat-words" },
      h("b", {}, figure(mean)), known(low) ? h("span", { class: "quiet" }, ` (${figure(low)} to ${figure(high)})`) : ""));
}

function verdict(found, even, titles) {
  const apart = ({ mean }) => Math.abs(mean - even);
  const sure = found.map((seat, n) => ({ ...seat, n })).filter(({ low, high }) => known(low) && (low > even || high < even));
  if (!sure.length) return "No effect of the seat can be seen in these games.";
  const far = sure.reduce((one, other) => (apart(other) > apart(one) ? other : one)), name = titles[far.n] ?? `seat ${far.n + 1}`;
  const words = `${name} gets ${figure(apart(far))} ${far.mean > even ? "more" : "less"} than an even share`;
  return `Yes: ${words}. Everybody sits in every seat equally often, so ratings are not touched by it.`;
}

// A histogram of decisions a game.
export function lengths({ lengths: found }) {
  if (!found) return null;
  const text = (x, anchor, words) => s("text", { x, y: 138, "text-anchor": anchor, class: "length-text" }, words);
  return h("section", { class: "panel" }, h("h2", {}, "How long is a game?"),
    h("p", {}, `Half of all games have ${count(found.median)} decisions or fewer; the mean is ${found.mean.toFixed(1)}.`),
    picture(400, 144, `decisions a game: from ${found.shortest} to ${found.longest}, median ${found.median}`,
      s("line", { x1: 0, x2: 400, y1: 120.5, y2: 120.5, class: "length-ground" }),
      bars(found), text(0, "start", found.shortest), text(400, "end", found.longest)));
}

function bars({ bars: all, width, shortest }) {
  const highest = Math.max(...all), wide = 400 / all.length;
  return all.map((games, n) => {
    const first = shortest + n * width, last = first + width - 1, tall = (110 * games) / highest;
    const words = `${first === last ? first : `${first} to ${last}`} decisions: ${several(games, "game")}`;
    const box = { x: n * wide + 0.5, y: 120 - tall, width: Math.max(1, wide - 1), height: tall };
    return s("rect", { ...box, class: "length-bar" }, s("title", {}, words));
  });
}
