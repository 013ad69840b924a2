// Advice in Pickomino: every move with its value, what it costs, and how the turn is likely to end after it.

import { single } from "/static/lib/dice.js";
import { h } from "/static/lib/dom.js";
import { chance, costs } from "/static/explore/common.js";
import { faceOf } from "./turn.js";

const KNOWN = { exact: ["exact", ""], network: ["network", "Judged by a trained network; the chances of tiles are exact. "],
  rollout: ["estimate", ""] };
const SAME = 5e-7; // less is no difference
const LIKELY = 0.005, SHOWN = 5;

// `found` is what the server says; `take(move)` is called with what is done, `look(move)` to see the chances after it.
export function optionList(found, shown, { take, look }) {
  const how = found.moves[0].known === "turn" ? "rollout" : found.moves[0].known, [name, words] = KNOWN[how];
  const seen = (move) => (move in found.reach.ways ? looker(move, move === shown, () => look(move)) : "");
  const rows = found.moves.map((row, n) => option(row, found.values.startsWith("chance"), n === 0, seen(row.move),
    () => take(row.move)));
  return [
    h("p", { class: "x-fine" }, h("span", { class: `x-known ${how}` }, name), ` Values: ${found.values}. ${words}`,
      stakeWords(found.at_stake)),
    h("ol", { class: "x-options" }, rows), h("p", { class: "quiet x-fine" }, "Press what you do; the dice and tiles follow."),
  ];
}

function option(row, wins, first, looks, take) {
  const best = row.cost < SAME, cost = wins ? costs(row.cost) : row.cost.toFixed(3);
  const facts = { type: "button", class: `x-option ${first ? "primary" : ""}`, "data-option": row.move, onclick: take };
  return h("li", { class: best ? "best" : "" }, h("button", facts, moveWords(row.move)),
    h("strong", {}, wins ? chance(row.value, 1) : row.value.toFixed(2)),
      h("span", { class: "x-why" }, best ? "best" : `costs ${cost}`),
    h("span", { class: "x-endings" }, endings(row.endings), looks));
}

function endings(chances) {
  const likely = Object.entries(chances).filter(([, p]) => p >= LIKELY).sort(([, p], [, q]) => q - p).slice(0, SHOWN);
  return likely.map(([end, p]) => h("span", { class: `x-chip ${end === "fail" ? "x-fails" : ""}` }, `${end} ${chance(p, 0)}`));
}

function looker(move, pressed, press) {
  const label = `chances of scores after ${move}`;
  return h("button", { type: "button", class: "x-look", "aria-pressed": String(pressed), "aria-label": label, onclick: press },
    "chances");
}

function moveWords(move) {
  if (!move.startsWith("keep ")) return move[0].toUpperCase() + move.slice(1);
  return ["Keep ", h("span", { class: "x-moved" }, [...move.slice(5)].map((mark) =>
    single(faceOf(mark), "", mark === "w" ? "worm" : mark)))];
}

// What a failure would cost.
export function stakeWords(stake) {
  const said = [
    stake.given_back && `gives ${stake.given_back} back (${stake.worms} worm${stake.worms > 1 ? "s" : ""})`,
    stake.turned_down && `turns ${stake.turned_down} down`, stake.ends_the_game && "ends the game",
  ].filter(Boolean);
  return `A failure ${said.join(" and ") || "costs nothing"}.`;
}
