// What boards with dice on a table share: showing a roll, buttons for moves, names of seats, values.

import { h, percent } from "../lib/dom.js";
import { calm, single, tumble } from "../lib/dice.js";

const FLIGHT = 0.75; // the part of a roll's time that its dice are in the air

// A board that `scene(view)` draws, giving elements. A roll is shown by drawing the position before it, whose dice of
// the class "flying" tumble, and then the one it led to.
export function table(game, faces, scene) {
  const element = h("div", { class: `board table table-${game}` });
  let turn = null; // what is being shown: {event, view, landed, ended}

  const paint = (view) => element.replaceChildren(...scene(view).filter(Boolean));
  const fly = (milliseconds) => tumble([...element.querySelectorAll(".flying")], faces, milliseconds);

  // The same event may be shown again, with other moves or values, while its dice are still in the air.
  function show(view) {
    if (!turn || !view.event || turn.event !== view.event) {
      turn = { event: view.event, view, landed: false };
      turn.ended = play(turn);
    } else {
      turn.view = view;
      if (turn.landed) paint(view);
    }
    return turn.ended;
  }

  async function play(mine) {
    const { event, before, duration } = mine.view, moves = duration > 0 && !calm();
    if (moves && event?.type === "rolled" && before) {
      paint({ ...mine.view, position: before, event: null, moves: [], values: null, payoffs: null });
      await fly(FLIGHT * duration);
    }
    if (turn !== mine) return;
    mine.landed = true;
    paint(mine.view);
    if (moves && event?.type === "moved") await fly(duration);
  }

  return { element, show };
}

// Buttons for moves: `ways` is a list of {move, key, label, detail}, key and detail optional; those that cannot be chosen
// now are left out. `format` says how values are written.
export function choices(view, ways, format) {
  const offered = ways.filter((way) => view.moves.includes(way.move)).map((way) => choice(view, way, format));
  return h("div", { class: `choices ${view.payoffs ? "over" : ""}`, role: "group", "aria-label": "your moves" }, offered);
}

function choice(view, { move, key, label, detail }, format) {
  const press = { "data-move": move, "data-key": key, "aria-keyshortcuts": key, onclick: () => view.choose(move) };
  return h("button", { class: `choice ${isBest(view, move) ? "best" : ""}`, type: "button", ...press },
    h("span", { class: "choice-label" }, label, key && h("kbd", { "aria-hidden": "true" }, key)),
    detail && h("span", { class: "choice-detail" }, detail), worth(view, move, format));
}

export const isBest = (view, move) => view.values?.has(move) && view.values.get(move).cost <= 1e-9;

// What a move is worth as the analysis knows it: the best has a star, the others say what they cost.
export function worth(view, move, format = chances) {
  const found = view.values?.get(move);
  if (!found) return null;
  const words = isBest(view, move) ? "★ best" : format.cost(found.cost);
  return h("span", { class: "worth" }, `${format.value(found.value)} `, h("span", { class: "worth-cost" }, words));
}

const points = (cost) => (100 * cost).toFixed(cost < 0.0095 ? 2 : 1);
export const chances = { value: (value) => percent(value), cost: (cost) => `−${points(cost)}` };

// --- words -----------------------------------------------------------------------------------------------------------
export const nameOf = (seats, seat) => seats[seat]?.name || seats[seat]?.title || `player ${seat + 1}`;

// Who did something, to begin a sentence with, and to whom.
export const who = (seats, view, seat) => (view.seat === seat ? "You" : nameOf(seats, seat));
export const whom = (seats, view, seat) => (view.seat === seat ? "you" : nameOf(seats, seat));
export const wins = (seats, view, seat) => (view.seat === seat ? "You win" : `${nameOf(seats, seat)} wins`);

export const many = (number, make) => Array.from({ length: number }, make);
export const count = (number, word, words = `${word}s`) => `${number} ${number === 1 ? word : words}`;

// The seats that got most.
export function winners({ payoffs }) {
  const most = Math.max(...payoffs);
  return payoffs.flatMap((payoff, seat) => (payoff === most ? [seat] : []));
}

// How a game ended that was given up or cut off.
export function endedEarly(seats, view) {
  const first = winners(view);
  return first.length === 1 ? `${wins(seats, view, first[0])}.` : "A tie.";
}

// A seat's mark and name, with words on how it stands.
export function plate(seats, view, seat, { active = false, mark = seat + 1, note = "" } = {}) {
  const name = nameOf(seats, seat), you = view.seat === seat && name !== "You" && "you";
  return h("span", { class: `plate seat-${seat} ${active ? "active" : ""}` },
    h("span", { class: "mark", "aria-hidden": "true" }, String(mark)), h("span", { class: "plate-name" }, name),
    [you, note, won(view, seat)].filter(Boolean).map((words) => h("span", { class: "note" }, words)),
    active && h("span", { class: "to-move" }, "to move"));
}

function won(view, seat) {
  const first = view.payoffs?.length > 1 ? winners(view) : []; // nobody wins alone at a table
  return first.includes(seat) && (first.length === 1 ? "won" : "shares the win");
}

export const caption = (words) => h("p", { class: "caption" }, words);

// --- dice ------------------------------------------------------------------------------------------------------------
// Dice in the air, and dice that wait.
export const flying = (number, kind = "") => many(number, () => single(null, `${kind} flying`));
export const resting = (number) => many(number, () => single("", "resting"));

export const dice = (values, label, kind = "") =>
  h("div", { class: `dice ${kind}`, role: "img", "aria-label": label }, values);

export const facesOf = (sides) => many(sides, (_, i) => i + 1);
