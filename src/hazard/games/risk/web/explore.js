// Risk, solved: how battles end, how many dice the defender should roll, and Koole's rule.

import { h } from "/static/lib/dom.js";
import { address, go } from "/static/lib/route.js";
import { styled } from "/static/lib/styles.js";
import {
  chance, choice, field, getPatiently, heading, nameSoon, onTheme, refill, waitingNote,
} from "/static/explore/common.js";
import { heat } from "/static/explore/heat.js";
import { answerKey, answerTable } from "./answers.js";
import { AIMS, BattleTables } from "./battles.js";
import { legendOf, paintOf } from "./shades.js";
import { stakes } from "./stakes.js";

await styled("/static/games/risk/explore.css");

const WORDS = {
  lead: "The attacker rolls up to three dice and shows them; then the defender chooses to roll one die or two. How should the " +
    "defender choose, and who wins? Every battle is worked out in whole numbers, without rounding.",
  map: "All battles, the defender's armies to the right, the attacker's upwards. Arrow keys move the cursor; the battle is " +
    "read beside the map.",
  facts: "One of the attacker's armies stays behind. The best defence is exact and rounded once; the others are right to 10⁻¹².",
};
const DEFENCES = [
  ["dutch", "the best defence", "sees the attacker's dice, then chooses the best number"],
  ["koole", "Koole's rule", "two dice if the attacker's second die is at most 3"],
  ["classic", "always most dice", "as in the classic rules, where all roll together"],
  ["one", "always one die", ""],
];
const SIZES = [20, 30, 40, 60], USUAL = 30;

export async function show({ query, main, gone }) {
  const armies = query.get("armies") ?? USUAL, objective = query.get("objective") ?? "hold";
  const note = waitingNote("All battles are being worked out."), place = h("div", { class: "x-body" });
  main.append(heading("Risk", WORDS.lead), note.element, place);
  const found = await getPatiently(address("/api/explore/risk", { attackers: armies, defenders: armies, objective }), note, gone);
  if (!found || gone()) return null;
  return new BattleMaps(new BattleTables(found), query).fill(place);
}

class BattleMaps {
  constructor(war, query) {
    const within = (name, low, fallback) => Math.max(low, Math.min(war.armies, Number.parseInt(query.get(name), 10) || fallback));
    const now = { a: within("a", 2, 10), d: within("d", 1, 8), mode: "dutch", roll: 0 };
    now.roll = Math.max(0, war.attacks(now.a).findIndex(({ faces }) => faces.join() === "5,4"));
    Object.assign(this, { war, now, legends: h("div", {}), hint: h("p", { class: "x-hint", "aria-hidden": "true" }) });
    this.map = heat({
      columns: [1, war.armies], rows: [2, war.armies], xName: "defender's armies", yName: "attacker's armies", at: [now.d, now.a],
      label: WORDS.map, paint: paintOf(war, now.mode), moved: (d, a) => this.look(a, d),
    });
    this.battle = h("section", { class: "panel x-reading x-second", "aria-label": "the battle at the cursor" });
    this.answers = h("section", { class: "panel x-reading x-third" });
  }

  fill(place) {
    const first = this.war.objective === "hold" ? "Chance to conquer" : "What the attacker can expect";
    const names = [["dutch", first], ["gap", "What seeing the dice is worth"], ["koole", "Where Koole's rule errs"]];
    const modes = choice("Map", names, this.now.mode, (mode) => this.turnTo(mode));
    const map = h("section", { class: "panel x-first", "aria-label": "map" }, modes.element, this.map.element, this.hint,
      this.legends);
    place.append(settings(this.war), h("div", { class: "x-two x-advising" },
      h("div", { class: "x-body" }, map, stakes(this.war)), h("div", { class: "x-body" }, this.battle, this.answers)));
    this.turnTo(this.now.mode);
    this.reread();
    const still = onTheme(() => this.map.redraw());
    return () => { still(); this.map.close(); };
  }

  turnTo(mode) {
    this.now.mode = mode;
    this.map.repaint({ paint: paintOf(this.war, mode) });
    this.legends.replaceChildren(...legendOf(this.war, mode));
  }

  // The same roll is looked at for as long as the attacker has as many dice.
  look(a, d) {
    if (this.war.attacks(a) !== this.war.attacks(this.now.a)) this.now.roll = 0;
    Object.assign(this.now, { a, d });
    this.reread();
  }

  reread() {
    const { war, now } = this, { armies, objective } = war;
    const kept = { armies: armies === USUAL ? null : armies, objective: objective === "hold" ? null : objective };
    nameSoon(location.pathname, { ...kept, a: now.a, d: now.d });
    this.hint.textContent = `${now.a} attack ${now.d}: ${number(war, war.value("dutch", now.a, now.d))}`;
    this.battle.replaceChildren(...battle(war, now));
    refill(this.answers, ...rule(war, now, (roll) => { now.roll = roll; this.reread(); }));
  }
}

const number = (war, value, digits = 3) => (war.objective === "hold" ? chance(value, digits) : value.toFixed(4));

// --- a battle ---------------------------------------------------------------------------------------------------------
function battle(war, { a, d }) {
  const best = war.value("dutch", a, d), told = war.objective === "hold" ? "The attacker conquers with"
    : `For ${AIMS[war.objective]}:`;
  const row = ([name, title, words]) => h("tr", {},
    h("th", { scope: "row" }, title, words ? h("span", { class: "quiet x-sub" }, words) : ""),
    h("td", {}, number(war, war.value(name, a, d))),
    h("td", { class: "quiet" }, name === "dutch" ? "" : `+${number(war, war.value(name, a, d) - best)}`));
  const heads = ["if the defender plays", "attacker", "more"].map((words) => h("th", { scope: "col" }, words));
  return [
    h("h2", { "aria-live": "polite" }, `${a} armies attack ${d}`), h("p", {}, h("span", { class: "x-known" }, "exact"),
      ` ${told}`),
    h("table", { class: "x-table" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, DEFENCES.map(row))),
  ];
}

function rule(war, now, pick) {
  const { a, d, roll } = now, off = war.departures(a, d).map(({ faces }) => faces.join("-")).join(", ");
  const table = answerTable({
    rolls: war.attacks(a).map(({ faces }) => faces), answers: (n) => war.answer(a, d, n), picked: roll, pick,
    label: `best answers of ${d} armies attacked by ${a}`,
  });
  const right = off ? `Koole's rule errs against ${off}.` : "Koole's rule is best against every roll.";
  return [h("h2", {}, "The defender's answer"), h("p", {}, d === 1 ? "A lone army has one die." : right),
    h("div", { class: "x-answerside" }, table, picked(war, now)), answerKey()];
}

// The roll that is looked at: what either number of dice leads to.
function picked(war, { a, d, roll }) {
  const { faces, chance: share } = war.attacks(a)[roll], options = d === 1 ? [1] : [1, 2], holds = war.objective === "hold";
  const worth = options.map((dice) => war.after(a, d, roll, dice)), least = Math.min(...worth);
  const cost = (value) => `costs ${value - least < 5e-6 ? "hardly anything" : number(war, value - least)}`;
  const row = (dice, n) => {
    const best = war.answer(a, d, roll) & dice;
    return h("div", { class: `x-move ${best ? "best" : ""}` }, h("span", {}, dice === 1 ? "one die" : "two dice"),
      h("strong", {}, number(war, holds ? 1 - worth[n] : worth[n])), h("span", { class: "x-why" }, best ? "best"
        : cost(worth[n])));
  };
  const shown = `${faces.length > 1 ? "his two highest dice; " : ""}he rolls this with ${chance(share, 1)}`;
  return h("div", { class: "x-picked", "aria-live": "polite" },
    h("p", { class: "x-at" }, `Against ${faces.join("-")}`), h("p", { class: "quiet x-fine" }, shown),
    h("p", { class: "x-fine" }, holds ? "the defender holds with" : `${AIMS[war.objective]}:`), options.map(row));
}

function settings(war) {
  const change = () => go(address("/explore/risk", { armies: size.value, objective: aim.value }));
  const option = (value, name, chosen) => h("option", { value, selected: chosen }, name);
  const sizes = [...new Set([...SIZES, war.armies])].sort((x, y) => x - y);
  const size = h("select", { onchange: change }, sizes.map((n) => option(n, `up to ${n} armies`, n === war.armies)));
  const aims = Object.entries(AIMS).map(([name, words]) => option(name, words, name === war.objective));
  const aim = h("select", { onchange: change }, aims);
  return h("div", { class: "x-form" }, field("battles", size), field("fought for", aim),
    h("p", { class: "x-facts quiet" }, WORDS.facts));
}
