// A battle: how likely it is won, dice that fit how it went, and both sides with their dice and sums.

import { h, percent } from "../../lib/dom.js";
import { single } from "../../lib/dice.js";
import { ends } from "./hexagons.js";
import { count, nameOf } from "../table.js";

// For a number of dice, how many rolls have each sum: ways(2, 6)[7] === 6.
export function ways(dice, sides) {
  let found = [1];
  for (let n = 0; n < dice; n++) {
    const next = new Array(found.length + sides).fill(0);
    found.forEach((number, sum) => { for (let face = 1; face <= sides; face++) next[sum + face] += number; });
    found = next;
  }
  return found;
}

const below = (found, limit) => found.slice(0, Math.max(0, limit)).reduce((all, number) => all + number, 0);

// The chance that the sum of a dice is greater than that of b.
export function odds(a, b, sides) {
  const mine = ways(a, sides), yours = ways(b, sides);
  return mine.reduce((all, number, sum) => all + number * below(yours, sum), 0) / sides ** (a + b);
}

// The rules draw whether a battle is won, by its exact chance. These are dice that fit: each roll with that result is as
// likely as any other, and the same `seed` gives the same dice.
export function fitting(a, b, sides, won, seed) {
  const random = stream(seed), mine = ways(a, sides), yours = ways(b, sides), all = below(yours, yours.length);
  const fits = mine.map((number, sum) => number * (won ? below(yours, sum) : all - below(yours, sum)));
  const sum = pick(fits, random);
  const other = pick(yours.map((number, their) => (sum > their === won ? number : 0)), random);
  return [faces(a, sum, sides, random), faces(b, other, sides, random)];
}

// Dice with that sum, every way as likely as any other.
function faces(dice, sum, sides, random) {
  if (dice === 0) return [];
  const rest = ways(dice - 1, sides);
  const face = pick(Array.from({ length: sides + 1 }, (_, face) => (face ? rest[sum - face] ?? 0 : 0)), random);
  return [face, ...faces(dice - 1, sum - face, sides, random)];
}

function pick(weights, random) {
  let mark = random() * weights.reduce((all, weight) => all + weight, 0);
  const found = weights.findIndex((weight) => weight > 0 && (mark -= weight) < 0);
  return found < 0 ? weights.findLastIndex((weight) => weight > 0) : found;
}

// Numbers from 0 to 1 that a text stands for.
function stream(text) {
  let state = 2166136261;
  const mix = (value) => { state = Math.imul(state ^ value, 16777619) >>> 0; };
  for (const letter of text) mix(letter.codePointAt(0));
  return () => {
    mix(state >>> 15);
    mix(state >>> 7);
    return (Math.imul(state, 2654435761) >>> 0) / 4294967296;
  };
}

// --- the two sides ---------------------------------------------------------------------------------------------------
// The battle that the position of a board is about, or that led to it from the one before, or null. Of each pair the
// attacker's comes first; `won` is null while the dice are in the air, and then there are no faces.
export function battleOf({ now, view, names, sides }, was) {
  const fought = now.phase === "battle" ? now : was;
  if (fought?.phase !== "battle") return null;
  const fields = ends(fought.attack), both = fields.map((name) => fought.fields[names.indexOf(name)]);
  const dice = both.map((field) => field.dice);
  const won = fought === now ? null : now.fields[names.indexOf(fields[1])].seat === fought.mover;
  const faces = won === null ? null : fitting(...dice, sides, won, `${view.before} ${view.event?.seq ?? ""}`);
  return { move: fought.attack, fields, seats: both.map((field) => field.seat), dice, won, faces, chance: odds(...dice, sides) };
}

export const verdict = ({ won }) => (won === null ? "open" : won ? "won" : "lost");

export function strip(battle, board) {
  return h("div", { class: `duel-strip ${verdict(battle)}` }, side(battle, 0, board), middle(battle), side(battle, 1, board));
}

function side(battle, which, { seats, rules }) {
  const seat = battle.seats[which], name = nameOf(seats, seat), loses = battle.won !== null && battle.won === (which === 1);
  return h("div", { class: `duel-side seat-${seat} ${loses ? "loses" : ""}` },
    h("span", { class: "land-mark", "aria-hidden": "true" }, rules.letters[seat]),
    h("span", { class: "duel-words" }, `${name}, ${rules.field} ${battle.fields[which]}`),
    diceOf(name, battle.dice[which], battle.faces?.[which]));
}

function diceOf(name, dice, faces) {
  const sum = faces?.reduce((all, face) => all + face, 0);
  const label = `${name}: ${faces ? `${faces.join(", ")}, together ${sum}` : count(dice, "die", "dice")}`;
  const shown = Array.from({ length: dice }, (_, n) => single(faces ? faces[n] : null, faces ? "" : "tumbling"));
  return [h("span", { class: "duel-dice", role: "img", "aria-label": label }, shown),
    h("b", { class: "duel-sum", "aria-hidden": "true" }, faces ? String(sum) : "?")];
}

const middle = ({ chance, won }) => h("div", { class: "duel-middle" },
  h("b", { class: "duel-verdict" }, won === null ? "attacks" : won ? "won against" : "lost against"),
  h("span", { class: "quiet" }, `${percent(chance)} to win`));
