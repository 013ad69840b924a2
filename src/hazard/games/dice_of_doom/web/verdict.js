// What a position of Dice of Doom is worth: both sides' chances, how they are known, all moves; and how a battle may end.

import { h } from "/static/lib/dom.js";
import { chance, powers } from "/static/explore/common.js";
import { commandFor } from "./picker.js";
import { NAMES } from "./setup.js";

const SAME = 1e-9;
const LARGE = "This board is too large to be solved while you wait; once it is, values are exact here: ";

// `attempt(move)` is called with a move to try; `instead` is shown in place of the moves.
export function answered(found, parameters, attempt, instead) {
  return [bar(found.chances), knownWords(found, parameters), instead ?? moveList(found.moves, attempt)];
}

// Both sides' chances side by side.
function bar(chances) {
  const words = (seat) => h("span", {}, `${NAMES[seat]} `, h("strong", {}, chance(chances[seat], 3)));
  const part = (seat) => h("span", { class: `x-share seat-${seat}`, style: { "flex-grow": String(Math.max(0.001,
    chances[seat])) } });
  return h("div", {}, h("div", { class: "x-sides" }, words(0), words(1)),
    h("div", { class: "x-chances", "aria-hidden": "true" }, part(0), part(1)));
}

function knownWords({ known, lower, upper, games }, parameters) {
  const label = h("span", { class: `x-known ${known}` }, known);
  if (known !== "exact") return h("p", { class: "x-fine" }, label, ` From ${games} games each. ${LARGE}`,
    h("code", {}, commandFor(parameters)));
  return h("p", { class: "x-fine" }, label,
    ` Proven to within ${powers(Math.max(upper[0] - lower[0], 1e-16) / 2)}. A tie counts half.`);
}

function moveList(moves, attempt) {
  const row = ({ move, value, cost }, n) => {
    const facts = { type: "button", class: `x-option ${n === 0 ? "primary" : ""}`, "data-option": move,
      "aria-label": `try ${move}` };
    return h("li", { class: cost <= SAME ? "best" : "" },
      h("button", { ...facts, onclick: () => attempt(move) }, move === "end" ? "End the turn" : move.replace("-", " → ")),
      h("strong", {}, chance(value, 3)), h("span", { class: "x-why" }, cost <= SAME ? "best" : `costs ${chance(cost, 3)}`));
  };
  return h("div", { class: "x-advice" }, h("ol", { class: "x-options" }, moves.map(row)),
    h("p", { class: "quiet x-fine" }, "Press a move to try it; Take back undoes it."));
}

// How the dice in the air may land, to be chosen; or another move.
export function landing({ move, outcomes }, chosen, other) {
  const asked = move === "end" ? "Where does the new die fall?" : `${move.replace("-", " attacks ")}. How does it end?`;
  const button = (words, onclick) => h("button", { type: "button", onclick }, words);
  const ways = outcomes.map((way) => button(`${way.outcome}, ${chance(way.probability, 1)}`, () => chosen(way)));
  return h("div", { class: "x-advice" }, h("p", { class: "x-rule" }, asked),
    h("div", { class: "x-buttons" }, ways, button("Another move", other)));
}
