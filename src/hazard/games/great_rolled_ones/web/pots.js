// What rolling and holding are worth as the pot grows: two lines, a band of right moves, and a mark at one pot.

import { h, s, set } from "/static/lib/dom.js";
import { chance } from "/static/explore/common.js";

const HIGH = 220, LEFT = 58, RIGHT = 8, TOP = 14, BAND = 16, FOOT = 40;
const MOVES = ["roll", "hold"];
const upTo = (count) => Array.from({ length: count }, (_, n) => n + 1);

// `moved(pot)` hears of the pot that is pointed at.
export function potChart(moved) {
  const wide = innerWidth < 600 ? 320 : 460; // so that letters are not too small on a phone
  const label = "chances by rolling and by holding", box = `0 0 ${wide} ${HIGH}`;
  const picture = s("svg", { viewBox: box, class: "picture x-pots", role: "img", "aria-label": label });
  const slid = () => moved(Number(range.value));
  const range = h("input", { type: "range", min: 1, max: 10, step: 1, "aria-label": "points in the pot", oninput: slid });
  let last = 1, yOf = null;
  const xOf = (pot) => LEFT + ((pot - 0.5) / last) * (wide - LEFT - RIGHT);
  picture.addEventListener("click", (event) => {
    const place = picture.getBoundingClientRect(), x = ((event.clientX - place.left) / place.width) * wide;
    moved(Math.max(1, Math.min(last, Math.round(((x - LEFT) / (wide - LEFT - RIGHT)) * last + 0.5))));
  });

  // `worth` is [roll, hold] by pot, up to the last; `made(pot)` says whether dice make it, `rolls(pot)` what is right.
  function show({ worth, made, rolls, pot, last: most }) {
    last = most;
    set(range, "max", last);
    range.value = pot;
    const values = worth.slice(1, last + 1).flat().filter((value) => !Number.isNaN(value));
    const low = Math.min(...values, 1), room = Math.max(0.01, Math.max(...values, 0) - low);
    yOf = (value) => TOP + (1 - (value - low) / room) * (HIGH - TOP - BAND - FOOT - 8);
    const lines = MOVES.map((name, move) => line(name, worth.slice(0, last + 1).map((pair) => pair[move]), made));
    picture.replaceChildren(...[0, 0.5, 1].flatMap((part) => level(low + part * room)), band(made, rolls), ...lines,
      mark(pot, worth[pot]));
  }

  const level = (value) => [
    s("line", { x1: LEFT, x2: wide - RIGHT, y1: yOf(value), y2: yOf(value), class: "x-grid" }),
    s("text", { x: LEFT - 6, y: yOf(value) + 4, "text-anchor": "end", class: "x-tick" }, chance(value, 1)),
  ];
  const under = (x, y, words) => s("text", { x, y, "text-anchor": "middle", class: "x-tick" }, words);

  function band(made, rolls) {
    const step = (wide - LEFT - RIGHT) / last, place = { y: HIGH - FOOT - BAND, width: Math.max(0.5, step - 0.6), height: BAND };
    const kind = (pot) => `${rolls(pot) ? "x-rolls" : "x-holds"} ${made(pot) ? "" : "x-unmade"}`;
    const cells = upTo(last).map((pot) => s("rect", { x: xOf(pot) - step / 2, ...place, class: kind(pot) }));
    const ticks = upTo(last).filter((pot) => pot % (last > 45 ? 10 : 5) === 0).map((pot) =>
      under(xOf(pot), HIGH - FOOT + 15, String(pot)));
    return s("g", {}, cells, ticks, under((LEFT + wide) / 2, HIGH - 8, "points in the pot"));
  }

  function line(name, values, made) {
    const points = upTo(last).filter((pot) => !Number.isNaN(values[pot])), at = (pot) => [xOf(pot), yOf(values[pot])];
    const dot = (pot) => s("circle", { cx: at(pot)[0], cy: at(pot)[1], r: 2.6, class: `x-dot-${name}` });
    return s("g", {}, s("polyline", { points: points.map(at).join(" "), class: `x-line-${name}` }), points.filter(made).map(dot));
  }

  function mark(pot, pair) {
    const shown = MOVES.filter((_, move) => !Number.isNaN(pair[move]));
    const dot = (name) => s("circle", { cx: xOf(pot), cy: yOf(pair[MOVES.indexOf(name)]), r: 5, class: `x-mark x-dot-${name}` });
    return s("g", {}, s("line", { x1: xOf(pot), x2: xOf(pot), y1: TOP - 6, y2: HIGH - FOOT, class: "x-here" }), shown.map(dot));
  }

  const key = h("p", { class: "x-key" }, h("span", { class: "x-key-roll" }, "rolling"),
    h("span", { class: "x-key-hold" }, "holding"),
    h("span", { class: "quiet" }, "dots and full colour: pots that dice can make"));
  return { element: h("div", { class: "x-potchart" }, picture, range, key), show };
}
