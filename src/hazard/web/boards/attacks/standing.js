// How the players of a land stand: fields, the largest region, dice, and what is in reserve.

import { h } from "../../lib/dom.js";
import { ends } from "./hexagons.js";
import { nameOf } from "../table.js";

// For each field those that it can attack, or be attacked from.
export function neighbours(land) {
  const found = new Map(land.fields.map(({ name }) => [name, []]));
  for (const move of Object.keys(land.ways)) found.get(ends(move)[0]).push(ends(move)[1]);
  return found;
}

// The size of each seat's largest region.
export function regions(now, near, names) {
  const owner = new Map(names.map((name, n) => [name, now.fields[n].seat])), seen = new Set(), largest = {};
  const grown = (name, seat) => {
    if (seen.has(name) || owner.get(name) !== seat) return 0;
    seen.add(name);
    return near.get(name).reduce((size, other) => size + grown(other, seat), 1);
  };
  for (const [name, seat] of owner) largest[seat] = Math.max(largest[seat] ?? 0, grown(name, seat));
  return largest;
}

export function standing(facts) {
  const { now, seats, rules } = facts;
  const columns = [rules.fields, "largest region", "dice", ...(now.reserves ? ["in reserve"] : [])];
  return h("table", { class: "standing" },
    h("caption", {}, "How the players stand", h("span", { class: "quiet" }, ` ${now.note}`)),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "player"), columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, seats.map((_, seat) => row(facts, seat))));
}

function row({ now, seats, rules, view, region }, seat) {
  const own = now.fields.filter((field) => field.seat === seat), dice = own.reduce((all, field) => all + field.dice, 0);
  const moves = now.phase !== "over" && now.mover === seat, name = nameOf(seats, seat);
  const cells = [own.length, region[seat] ?? 0, dice, ...(now.reserves ? [now.reserves[seat]] : [])];
  const notes = [view.seat === seat && name !== "You" && "you", !own.length && "out", moves && "to move"].filter(Boolean);
  return h("tr", { class: `seat-${seat} ${moves ? "to-move" : ""} ${own.length ? "" : "out"}` },
    h("th", { scope: "row" }, h("span", { class: "standing-player" }, h("span", { class: "land-mark" }, rules.letters[seat]),
      h("span", { class: "standing-name" }, name), h("span", { class: "quiet" }, notes.join(", ")))),
    cells.map((cell) => h("td", {}, String(cell))));
}
