// The dice of a turn: those aside, those rolled, and six large buttons to press them in.

import { single } from "/static/lib/dice.js";
import { h } from "/static/lib/dom.js";
import { refill } from "/static/explore/common.js";
import { DICE } from "./setup.js";
import { MARKS, NAMES, faceOf, sumOf } from "./turn.js";

const TITLES = { kept: "Set aside", rolled: "Rolled" };

export function tray(table, changed) {
  const element = h("div", { class: "x-tray" });
  let into = "rolled", lost = false; // whether the focus was on a button that can no longer be pressed

  function press(mark) {
    if (into === "kept" ? table.addKept(mark) : table.addRolled(mark)) changed();
  }

  function show() {
    const again = refill(element, row("kept", 0), row("rolled", table.left - table.rolled.length), pad(), actions());
    lost = Boolean(again?.disabled);
  }

  function row(name, open) {
    const marks = table[name], empty = Array.from({ length: open }, () => single("", "x-empty"));
    return h("div", { class: "x-dicerow" }, chooser(name), h("div", { class: "x-dice" },
      marks.map((mark, n) => die(name, mark, n)), empty, sum(name)));
  }

  function chooser(name) {
    const label = `press dice in as ${TITLES[name].toLowerCase()}`, choose = () => { into = name; show(); };
    const facts = { type: "button", class: "x-into", "data-name": `into-${name}`, "aria-pressed": String(into === name) };
    return h("button", { ...facts, "aria-label": label, onclick: choose }, TITLES[name]);
  }

  function die(name, mark, n) {
    const label = `${TITLES[name].toLowerCase()}: ${NAMES[mark]}; take it away`,
      away = () => { table.remove(name, n); changed(); };
    return h("button", { type: "button", class: "x-die", "data-name": `${name}-${n}`, "aria-label": label, onclick: away },
      single(faceOf(mark)));
  }

  const sum = (name) => (name === "kept" && table.kept.length
    ? h("strong", { class: "x-sum" }, `= ${sumOf(table.kept)}${table.kept.includes("w") ? "" : ", no worm yet"}`) : "");

  function pad() {
    const full = into === "kept" ? table.kept.length >= DICE : table.rolled.length >= table.left;
    const key = (mark) => h("button", {
      type: "button", class: "x-key-die", disabled: full, "data-name": `pad-${mark}`,
      "aria-label": `${NAMES[mark]}, as ${TITLES[into].toLowerCase()}`, onclick: () => press(mark),
    }, single(faceOf(mark)));
    return h("div", { class: `x-pad ${full ? "x-full" : ""}`, role: "group", "aria-label": "dice to press in" }, MARKS.map(key));
  }

  function actions() {
    const turn = (mover) => { into = "rolled"; table.newTurn(mover); changed(); };
    const button = (name, words, disabled, onclick) => h("button", { type: "button", "data-name": name, disabled, onclick },
      words);
    return h("div", { class: "x-buttons" },
      button("clear", "Clear the roll", !table.rolled.length, () => { table.rolled = []; changed(); }),
      button("restart", "New turn", false, () => turn(table.mover)),
      button("next", "Next player", false, () => turn((table.mover + 1) % table.stacks.length)));
  }

  // Digits and w press dice in, Backspace takes the last away.
  function typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const mark = event.key === "6" ? "w" : event.key.toLowerCase();
    if (MARKS.includes(mark)) press(mark);
    else if (event.key === "Backspace" && table[into].length) {
      table.remove(into, table[into].length - 1);
      changed();
    } else return;
    event.preventDefault();
  }

  // Hands the focus on, if it was lost.
  function handOn(target) {
    if (lost) target?.focus({ preventScroll: true });
    lost = false;
  }

  return { element, show, typed, handOn, roll: () => { into = "rolled"; } };
}
