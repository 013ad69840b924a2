// The tiles of Pickomino to be put where they lie on the table: choose a place, then press tiles.

import { worm } from "/static/lib/dice.js";
import { h, s } from "/static/lib/dom.js";
import { count } from "/static/boards/table.js";
import { refill } from "/static/explore/common.js";
import { TILES } from "./setup.js";
import { wormsIn, wormsOf } from "./turn.js";

const PLACES = { centre: ["Centre", "the centre", ""], turned: ["Out", "out of the game", "out"] };
// The name of a place for buttons, in words, and as a mark on a tile.
const placed = (place) => PLACES[place] ?? [`Player ${place + 1}`, `the stack of player ${place + 1}`, `P${place + 1}`];

export function tileBoard(table, changed) {
  const element = h("div", { class: "x-tiles" });
  let where = table.mover, mover = table.mover;

  function show() {
    if (mover !== table.mover || where >= table.stacks.length) where = mover = table.mover;
    const places = ["centre", ...table.stacks.keys(), "turned"];
    refill(element,
      h("div", { class: "x-choice", role: "group", "aria-label": "where pressed tiles go" },
        h("span", { class: "x-label" }, "Pressed tiles go to"), h("div", { class: "x-buttons" }, places.map(chooser))),
      h("div", { class: "x-grill", role: "group", "aria-label": "tiles" }, TILES.map(tile)),
      h("ul", { class: "x-stacks" }, table.stacks.map(stack)));
  }

  function chooser(place) {
    const choose = () => { where = place; show(); }, facts = { type: "button", "data-name": `place-${place}` };
    return h("button", { ...facts, "aria-pressed": String(place === where), onclick: choose }, placed(place)[0]);
  }

  // A tile that lies there already goes back to the centre.
  function press(number) {
    table.put(number, table.placeOf(number) === where ? "centre" : where);
    changed();
  }

  function tile(number) {
    const place = table.placeOf(number), [, words, mark] = placed(place);
    const kind = place === "centre" ? "" : place === "turned" ? "x-out" : `x-held seat-${place}`;
    const facts = { type: "button", class: `x-tile ${kind}`, "data-name": `tile-${number}`, onclick: () => press(number) };
    return h("button", { ...facts, "aria-label": `tile ${number}, ${count(wormsOf(number), "worm")}, in ${words}` },
      h("span", { class: "x-number" }, String(number)), h("span", { class: "x-mark-place" }, mark || worms(wormsOf(number))));
  }

  function stack(tiles, seat) {
    const top = tiles.length > 1 ? `, with ${tiles.at(-1)} on top` : "";
    const held = `${tiles.join(", ")}${top}; ${count(wormsIn(tiles), "worm")}`;
    return h("li", {}, h("strong", {}, `Player ${seat + 1}`), seat === table.mover ? " (to move): " : ": ",
      tiles.length ? held : h("span", { class: "quiet" }, "no tile"));
  }

  return { element, show };
}

const worms = (number) => s("svg", { viewBox: `0 0 ${12 * number} 12`, class: "x-worms", "aria-hidden": "true" },
  Array.from({ length: number }, (_, n) => s("g", { transform: `translate(${12 * n} 0)` }, worm(12))));
