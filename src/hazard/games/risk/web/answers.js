// The defender's best answers to all rolls of the attacker: a table by the highest die and the second.

import { single } from "/static/lib/dice.js";
import { h } from "/static/lib/dom.js";

const WORDS = { 1: "one die", 2: "two dice", 3: "one or two" };
const SIGNS = { 1: "1", 2: "2", 3: "1, 2" };
const FACES = [1, 2, 3, 4, 5, 6];

// `rolls` are lists of faces; `answers(n)` is 1, 2 or 3 for either; `picked` is the roll that is looked at.
export function answerTable({ rolls, answers, picked, pick, label }) {
  const lone = rolls[0].length === 1, seconds = lone ? [0] : FACES;
  const cell = (high, low) => {
    const n = rolls.findIndex((faces) => faces[0] === high && (lone || faces[1] === low));
    return h("td", {}, n < 0 ? "" : answer(rolls[n].join("-"), answers(n), n === picked, () => pick(n)));
  };
  const head = h("tr", {}, h("td", {}), seconds.map((low) => h("th", { scope: "col" }, face(low))));
  const row = (high) => h("tr", {}, h("th", { scope: "row" }, face(high)), seconds.map((low) => cell(high, low)));
  const words = lone ? "Rows: the attacker's die." : "Rows: the attacker's highest die. Columns: the second.";
  return h("div", { class: "x-answers" },
    h("table", { "aria-label": label }, h("tbody", {}, lone ? "" : head, FACES.toReversed().map(row))),
      h("p", { class: "quiet x-fine" }, words));
}

const face = (value) => single(value, "x-face", String(value));

function answer(roll, best, pressed, press) {
  const facts = { type: "button", class: `x-answer x-answer-${best}`, "aria-pressed": String(pressed),
    "data-name": `roll-${roll}` };
  return h("button", { ...facts, "aria-label": `attacker shows ${roll}: ${WORDS[best]}`, onclick: press }, SIGNS[best]);
}

export const answerKey = () => h("p", { class: "x-key" }, [[1, "roll one die"], [2, "roll two dice"]].map(([dice, words]) =>
  h("span", { class: "x-together" }, h("span", { class: `x-swatch x-answer-${dice}` }, String(dice)), words)));
