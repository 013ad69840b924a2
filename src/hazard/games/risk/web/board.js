// Risk: two armies that face each other, and their dice, the highest against the highest.

import { h, s } from "/static/lib/dom.js";
import { single } from "/static/lib/dice.js";
import { styled } from "/static/lib/styles.js";
import {
  caption, chances, choices, count, endedEarly, facesOf, flying, many, plate, table, who,
} from "/static/boards/table.js";

await styled("/static/games/risk/board.css");

export const how = [
  "One territory attacks another. The attacker rolls a die for each army sent, up to three, and one army stays at home. " +
    "The defender rolls up to two.",
  "The highest dice are compared, then the next: the lower die loses an army, and on equal dice the attacker does.",
  "By the Dutch rule the defender sees the attacker's dice before choosing how many to roll. One die risks only one army.",
  "The battle ends when the defender has no army left, or the attacker none to send. " +
    "With a stake it ends when that many armies have fallen.",
];

// What is expected and paid out: chances to hold the territory, or armies.
export const unit = ({ mode, objective = "hold" }) => (mode === "stake" || objective !== "hold" ? "armies" : null);

const ATTACKER = 0, DEFENDER = 1;
const ROLES = ["attacker", "defender"], LETTERS = ["A", "D"];
const faces = (text) => (text ? text.split("-").map(Number) : []);
const amounts = { value: (value) => value.toFixed(2).replace("-", "−"), cost: (cost) => `costs ${cost.toFixed(2)}` };
const armyWords = (number) => count(number, "army", "armies");
const diceWords = (number) => count(number, "die", "dice");

// "a10 d8 roll 5-4 dice 2 rolling", "a10 d8 blind", "a10 d8 stopped".
export function parse(text) {
  const found = /^a(\d+) d(\d+)( blind)?(?: roll ([\d-]+))?(?: dice (\d+))?( rolling)?( stopped)?$/.exec(text);
  const [, attackers, defenders, blind, roll, guard, rolling, stopped] = found;
  const now = { armies: [Number(attackers), Number(defenders)], roll: faces(roll), guard: Number(guard ?? 0) };
  return { ...now, blind: Boolean(blind), rolling: Boolean(rolling), stopped: Boolean(stopped) };
}

export function create({ parameters, seats }) {
  const staked = parameters.mode === "stake", { attack_dice: attack, defend_dice: defend, stake } = parameters;
  const opening = staked ? [stake + attack, stake + defend - 1] : [parameters.attackers, parameters.defenders];
  const classic = !staked && parameters.rule === "classic";
  const format = unit(parameters) ? amounts : chances;
  const sent = (now) => Math.min(now.armies[ATTACKER] - 1, attack);
  const lostOf = (now) => opening.map((start, seat) => start - now.armies[seat]);
  const left = (now) => stake - lostOf(now)[0] - lostOf(now)[1];
  const guards = (now) => Math.min(now.armies[DEFENDER], defend, staked ? left(now) : Infinity);

  function scene(view) {
    const now = parse(view.position), round = roundOf(view, now);
    return [
      staked && stakes(now),
      h("div", { class: "battle" }, side(view, now, round, ATTACKER), duel(now, round), side(view, now, round, DEFENDER)),
      caption(view.payoffs ? ended(view, now, round) : words(view, now, round)),
      choices(view, [
        { move: "attack", key: "a", label: "Attack", detail: `with ${diceWords(sent(now))}` },
        { move: "stop", key: "s", label: "Stop", detail: "keep what is left" },
        ...facesOf(6).map((number) => answer(now, number)),
      ], format),
    ];
  }

  const answer = (now, number) => {
    const risk = `risk ${armyWords(Math.min(number, sent(now)))}`;
    return { move: diceWords(number), key: String(number), label: `Roll ${diceWords(number)}`, detail: risk };
  };

  // The dice on the table, the attacker's and the defender's, and after a round what it cost.
  function roundOf({ event, before }, now) {
    if (event?.type !== "rolled" || now.roll.length) return { dice: [now.roll, []], losses: null, thrown: sent(now) };
    const was = before ? parse(before) : null, [first, second] = event.dice.split(" against ");
    const dice = second ? [faces(first), faces(second)] : [was?.roll ?? [], faces(first)];
    return { dice, losses: was && was.armies.map((number, seat) => number - now.armies[seat]), thrown: was ? sent(was) : 0 };
  }

  // --- armies ---------------------------------------------------------------------------------------------------------
  function side(view, now, { losses }, seat) {
    const fallen = losses?.[seat] ?? 0, number = now.armies[seat];
    const judged = format === chances ? view : { ...view, payoffs: null }; // armies that are left are no win
    return h("section", { class: `army seat-${seat}`, "aria-label": `${ROLES[seat]}: ${armyWords(number)}` },
      plate(seats, judged, seat, { mark: LETTERS[seat] }),
      h("span", { class: "role" }, ROLES[seat], view.mover === seat && !view.payoffs && h("span", { class: "to-move" }, "to move")),
      h("div", { class: "army-number" }, h("b", {}, String(number)), h("i", { class: "fallen" }, fallen ? ` −${fallen}` : "")),
      h("div", { class: "figures", "aria-hidden": "true" }, figures(number, seat), many(fallen, () => figure(1, "ghost"))),
      h("span", { class: "army-home" }, seat === ATTACKER ? ready(number) : number ? "on the defence" : "none left"));
  }

  const ready = (number) => (number > 1 ? `${number - 1} to send, 1 stays` : "none to send");

  function stakes(now) {
    const [attackers, defenders] = lostOf(now);
    const owners = [...many(attackers, () => ATTACKER), ...many(defenders, () => DEFENDER)];
    const pawn = (_, i) =>
      h("span", { class: `pawn ${i < owners.length ? `seat-${owners[i]} lost` : ""}` }, LETTERS[owners[i]] ?? "");
    const label = `At stake: ${armyWords(left(now))} of ${stake}. Lost: attacker ${attackers}, defender ${defenders}.`;
    const pawns = stake <= 60 && h("div", { class: "pawns", "aria-hidden": "true" }, many(stake, pawn));
    return h("div", { class: "stake" }, h("p", {}, label), pawns);
  }

  // --- dice -----------------------------------------------------------------------------------------------------------
  function duel(now, round) {
    const laidBy = (seat) => ({ shown: round.dice[seat], air: inTheAir(now, seat), open: waiting(now, seat) });
    const laid = [laidBy(ATTACKER), laidBy(DEFENDER)];
    const rows = Math.max(1, ...laid.map(({ shown, air, open }) => Math.max(shown.length, air, open)));
    return h("div", { class: `felt duel ${rows > 3 ? "many" : ""}` }, many(rows, (_, i) => pair(laid, round, i)),
      h("p", { class: "quiet" }, uncounted(round)));
  }

  // How many dice of a side fly.
  function inTheAir(now, seat) {
    if (!now.rolling) return 0;
    if (seat === DEFENDER) return now.guard || (classic ? guards(now) : 0);
    return now.roll.length ? 0 : Math.min(sent(now), defend);
  }

  // Dice that a side is still to roll: the defender to answer, or both where the defender chooses blind.
  function waiting(now, seat) {
    if (now.rolling || !(now.blind || (seat === DEFENDER && now.roll.length))) return 0;
    return seat === DEFENDER ? guards(now) : Math.min(sent(now), defend);
  }

  function pair(laid, round, i) {
    const [high, low] = laid.map(({ shown }) => shown[i]);
    const met = round.losses && high !== undefined && low !== undefined, loser = met ? Number(high > low) : null;
    const sign = met ? (high > low ? ">" : high === low ? "=" : "<") : "";
    const [first, second] = laid.map((side, seat) => dieOf(side, seat, i, loser === seat, round.losses && !met));
    return h("div", { class: "pair" }, first, h("span", { class: "sign" }, sign), second,
      h("span", { class: "loss-words" }, met ? `${ROLES[loser]} loses one` : ""));
  }

  function dieOf({ shown, air, open }, seat, i, beaten, alone) {
    const kind = `seat-${seat}`, value = shown[i];
    if (i < air) return flying(1, kind)[0];
    if (value === undefined) return single("", `${kind} empty ${i < open ? "" : "nothing"}`);
    return single(value, `${kind} landed ${beaten ? "beaten" : ""} ${alone ? "faded" : ""}`, `${ROLES[seat]} ${value}`);
  }

  function uncounted({ dice, thrown }) {
    const shown = dice[ATTACKER].length;
    return shown && thrown > shown ? `the attacker's best ${shown === 1 ? "" : `${shown} `}of ${thrown} dice` : "";
  }

  // --- words ----------------------------------------------------------------------------------------------------------
  function words(view, now, round) {
    if (round.losses) return lossWords(round.losses);
    if (now.stopped) return "The attacker has stopped.";
    if (now.blind) return "The defender chooses before the dice are seen.";
    if (now.rolling) return "The dice are in the air.";
    if (now.roll.length) return `${who(seats, view, ATTACKER)} rolled ${now.roll.join(" and ")}. How many dice answer?`;
    return `${count(now.armies[0], "army attacks", "armies attack")} ${now.armies[1]}.`;
  }

  function ended(view, now, { losses }) {
    if (!view.over) return endedEarly(seats, view);
    return `${losses ? lossWords(losses) : ""} ${result(now)}`.trim();
  }

  function result(now) {
    const [attackers, defenders] = now.armies, lost = lostOf(now);
    if (defenders === 0) return `The territory falls: ${count(attackers, "attacking army is", "attacking armies are")} left.`;
    if (staked && left(now) < 1) return `The stake is spent: ${lost[0]} by the attacker, ${lost[1]} by the defender.`;
    const why = now.stopped ? ", for the attacker has stopped" : "";
    return `The territory holds: ${count(defenders, "army is", "armies are")} left in it${why}.`;
  }

  return table("risk", facesOf(parameters.sides), scene);
}

// How a battle that was fought for armies ended: what fell on both sides, and what counts.
export function sayPayoffs({ parameters, stops, ended: { payoffs, reason } }, names) {
  const [value] = payoffs, much = armyWords(Math.abs(value));
  if (reason === "forfeit") return `It counts as ${much} for ${names[value < 0 ? DEFENDER : ATTACKER]}.`;
  const [before, after] = [stops[0], stops.at(-1)].map(({ position }) => parse(position).armies);
  const lost = names.map((name, seat) => `${name} lost ${armyWords(before[seat] - after[seat])}`).join(", ");
  const versus = parameters.mode !== "stake" && parameters.objective === "difference";
  if (!versus) return `${lost}. What counts is what the attacker lost.`;
  return `${lost}. In the end the attacker has ${much} ${value < 0 ? "fewer" : "more"} than the defender.`;
}

function lossWords([attacker, defender]) {
  if (!attacker) return `The defender loses ${armyWords(defender)}.`;
  if (!defender) return `The attacker loses ${armyWords(attacker)}.`;
  return `The attacker loses ${attacker}, the defender ${defender}.`;
}

// An army in figures, beyond thirty in figures of 100, 10 and 1. One of the attacker's, drawn hollow, stays at home.
function figures(number, seat) {
  const few = number <= 30, ones = few ? number : number % 10;
  const tens = few ? 0 : Math.floor(number / 10) % 10, hundreds = few ? 0 : Math.floor(number / 100);
  const stays = (i) => (seat === ATTACKER && i === ones - 1 ? "stays" : "");
  return [...many(hundreds, () => figure(100)), ...many(tens, () => figure(10)), ...many(ones, (_, i) => figure(1, stays(i)))];
}

const SOLDIER = "M10 2a4.2 4.2 0 0 1 2.6 7.5c3 .6 5.4 2.3 5.4 4.5 0 1.5-1.8 1.6-3 1.5l2 8.5H3l2-8.5c-1.2.1-3 0-3-1.5 " +
  "0-2.2 2.4-3.9 5.4-4.5A4.2 4.2 0 0 1 10 2z";

function figure(worth, kind = "") {
  if (worth === 1) return s("svg", { viewBox: "0 0 20 26", class: `figure ${kind}` }, s("path", { d: SOLDIER }));
  const wide = worth === 10 ? 30 : 42;
  return s("svg", { viewBox: `0 0 ${wide} 26`, class: "figure large" },
    s("rect", { x: 1.5, y: 1.5, width: wide - 3, height: 23, rx: 5 }),
    s("text", { x: wide / 2, y: 18, "text-anchor": "middle", "font-size": 14 }, String(worth)));
}
