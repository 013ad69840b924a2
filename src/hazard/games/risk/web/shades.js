// Colours of the maps of battles, and what they stand for.

import { h } from "/static/lib/dom.js";
import { apart, css, likely } from "/static/explore/colours.js";
import { chance } from "/static/explore/common.js";
import { legend } from "/static/explore/heat.js";
import { AIMS } from "./battles.js";

// Okabe and Ito's; grey for no fault, dark grey for all further kinds.
const KINDS = [[222, 222, 222], [86, 180, 233], [230, 159, 0], [0, 158, 115], [204, 121, 167], [0, 114, 178], [213, 94, 0],
  [240, 228, 66], [90, 90, 90]];

// `paint(d, a)` of a map: "dutch" for what the attacker can expect, "gap" for the worth of seeing his dice, "koole".
export function paintOf(war, mode) {
  if (mode === "gap") {
    const widest = widestGap(war);
    return (d, a) => likely(gap(war, a, d) / widest);
  }
  if (mode === "koole") {
    const kinds = kindsOf(war);
    return (d, a) => KINDS[Math.min(KINDS.length - 1, kinds.indexOf(kindOf(war, a, d)))];
  }
  if (war.objective === "hold") return (d, a) => apart(war.value("dutch", a, d));
  return (d, a) => apart(0.5 + war.value("dutch", a, d) / (2 * war.armies));
}

export function legendOf(war, mode) {
  if (mode === "koole") return [h("ul", { class: "x-kinds" }, kindsOf(war).slice(0, KINDS.length).map(patch))];
  if (mode === "gap") {
    const widest = widestGap(war), most = war.objective === "hold" ? chance(widest, 1) : widest.toFixed(2);
    return [legend(likely, "0", most, "more for the attacker if the defender does not see his dice")];
  }
  if (war.objective === "hold") return [legend(apart, "0 %", "100 %", "the attacker conquers", "50 %")];
  return [legend(apart, String(-war.armies), String(war.armies), AIMS[war.objective])];
}

function patch(kind, n) {
  const words = n === KINDS.length - 1 ? "otherwise" : kind ? `better: ${kind}` : "Koole's rule is best";
  return h("li", {}, h("span", { class: "x-patch", style: { background: css(KINDS[n]) }, "aria-hidden": "true" }), words);
}

const gap = (war, a, d) => war.value("classic", a, d) - war.value("dutch", a, d);
const battles = (war) => Array.from({ length: war.armies - 1 }, (_, n) => n + 2).flatMap((a) =>
  Array.from({ length: war.armies }, (_, n) => [a, n + 1]));
const widestGap = (war) => Math.max(1e-9, ...battles(war).map(([a, d]) => gap(war, a, d)));

// In which way Koole's rule errs in a battle; empty if it does not.
function kindOf(war, a, d) {
  const off = war.departures(a, d);
  const told = (dice, words) => {
    const rolls = off.filter((roll) => war.koole(roll, d) !== dice).map(({ faces }) => faces.join("-"));
    return rolls.length ? [`${words} against ${rolls.join(", ")}`] : [];
  };
  return [...told(2, "two dice"), ...told(1, "one die")].join("; ");
}

// All such ways, the most frequent first, after the one without a fault.
function kindsOf(war) {
  const counted = new Map([["", Infinity]]);
  for (const [a, d] of battles(war)) counted.set(kindOf(war, a, d), (counted.get(kindOf(war, a, d)) ?? 0) + 1);
  return [...counted].sort(([, m], [, n]) => n - m).map(([kind]) => kind);
}
