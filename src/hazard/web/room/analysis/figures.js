// How the figures of an analysis are said: chances, differences, how they are known; seats, moves and dice in words.

import { h } from "../../lib/dom.js";
import { single } from "../../lib/dice.js";
import { markOf } from "../../lib/seats.js";
import { styled } from "../../lib/styles.js";
import { moveWords, nameOf } from "../words.js";

export const SAME = 5e-4; // what costs less than this shows as nothing: such moves are as good as the best

// What is expected: chances in percent, or an amount where the game is played for something else, such as armies.
export function scaleOf({ gameModule, parameters }) {
  const unit = gameModule.unit?.(parameters) ?? null, digits = unit ? 2 : 1, times = unit ? 1 : 100;
  const plain = (x) => {
    const text = Math.abs(times * x).toFixed(digits);
    return Number(text) === 0 ? text : (x < 0 ? "−" : "") + text;
  };
  return {
    chances: !unit,
    unit: unit ?? "points",
    plain, // a number alone
    value: (x) => (unit ? plain(x) : `${plain(x)}\u00a0%`),
    signed: (x) => (Number((times * x).toFixed(digits)) > 0 ? `+${plain(x)}` : plain(x)),
    points: (x) => `${plain(x)} ${unit ?? "percentage points"}`,
  };
}

// --- how it is known ------------------------------------------------------------------------------------------------
export const half = (found) => Math.max(0, ...found.upper.map((upper, seat) => (upper - found.lower[seat]) / 2));

export function known(found, scale) {
  return h("p", { class: "known" }, h("strong", { class: `known-${found.known}` }, found.known), " ", knownDetail(found, scale));
}

function knownDetail(found, scale) {
  if (found.known === "network") return "a trained network's judgement, without an interval";
  if (found.known === "rollout") return `± ${scale.plain(half(found))} ${scale.unit} (${sayGames(found)})`;
  const error = half(found);
  return error > 0 ? `certified: off by less than 10${raised(Math.ceil(Math.log10(error)))}` : "";
}

export const sayGames = ({ games, agent }) => `${games.toLocaleString("en")} games by ${agent}`;
const raised = (power) => String(power).replace(/./g, (sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign] ?? "⁻");

// What a move cost against the best, and how sure that is: moves share their dice, so the true doubt is no larger.
export function costOf(found, move) {
  const best = found.moves[0], made = found.moves.find((row) => row.move === move);
  if (!made) return null;
  const wide = (row) => (row.upper - row.lower) / 2;
  const doubt = found.known === "rollout" && made !== best ? Math.hypot(wide(best), wide(made)) : 0;
  return { best, made, cost: made.cost, doubt, sure: made.cost > Math.max(doubt, SAME), nothing: made.cost <= SAME };
}

// Why a move is worth what it is. The sentences say "you" to whoever is to move.
export function reason(store, seat, text) {
  const whose = seat === store.seat ? null : h("span", { class: "quiet" }, `To ${nameOf(store, seat)}: `);
  return h("p", { class: "why" }, whose, text);
}

// --- seats ----------------------------------------------------------------------------------------------------------
export function seatsOf(store) {
  const names = store.seats.map((_, seat) => nameOf(store, seat));
  const alone = (name) => names.filter((other) => other === name).length === 1;
  return store.seats.map(({ title }, seat) => ({
    seat, name: alone(names[seat]) ? names[seat] : `${names[seat]} (${title})`, mark: markOf(title, seat),
  }));
}

export const mark = ({ seat, mark: text }) => h("span", { class: `mark seat-${seat}`, "aria-hidden": "true" }, text);

// --- moves and dice -------------------------------------------------------------------------------------------------
export const moveSpoken = (store, move) => moveWords(store, move).replace("→", "to");

// A way to land as small dice where the server tells their faces, else its words.
export function landing({ outcome, faces }) {
  if (!faces?.length) return h("span", { class: "landing" }, outcome);
  const spoken = faces.map((face) => (face === "w" ? "worm" : face)).join(" ");
  return h("span", { class: "landing", role: "img", "aria-label": spoken }, faces.map((face) => single(face)));
}

// --- frames ---------------------------------------------------------------------------------------------------------
export const dress = () => styled("/static/room/analysis/analysis.css");

// A part of the panel that can be folded.
export function fold(title, attributes, ...children) {
  return h("details", { open: true, ...attributes }, h("summary", {}, h("h3", {}, title)), ...children);
}

// A bar from the middle: to the right what is gained, to the left what is lost. `reach` fills one half.
export function swing(change, reach, doubt = 0) {
  const part = (x) => Math.min(50, (50 * Math.abs(x)) / (reach || 1));
  const bar = h("span", { class: change < 0 ? "swing-bar loss" : "swing-bar gain", style: { width: `${part(change)}%` } });
  const from = 50 + Math.sign(change) * part(change), wide = Math.min(part(doubt), 50);
  const left = Math.max(0, from - wide), right = Math.min(100, from + wide);
  const whisker = doubt > 0 ? h("span", { class: "swing-doubt", style: { left: `${left}%`, width: `${right - left}%` } }) : null;
  return h("span", { class: "swing", "aria-hidden": "true" }, bar, whisker);
}
