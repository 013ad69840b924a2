// Pig: two scores, the pot, and the die. Also the pattern for other boards; see docs/lab.md for what a board is.

import { h, picture, s } from "../lib/dom.js";
import { die } from "../lib/dice.js";

export const how = [
  "On your turn, roll the die as often as you like: what it shows is added to the pot.",
  "Hold, and the pot is added to your points. But roll a 1, and the pot is lost and the turn passes.",
  "First to reach the goal (100 points) wins.",
];

// "p1 32:41 pot 7 rolling": points are those of the player to move first.
export function parse(text) {
  const found = /^p(\d) (\d+):(\d+) pot (\d+)( rolling)?$/.exec(text);
  const mover = Number(found[1]) - 1;
  const points = mover === 0 ? [Number(found[2]), Number(found[3])] : [Number(found[3]), Number(found[2])];
  return { mover, points, pot: Number(found[4]), rolling: Boolean(found[5]) };
}

export function create({ parameters, seats }) {
  const element = h("div", { class: "board board-pig" });

  function show(view) {
    const now = parse(view.position);
    const rolled = view.event?.type === "rolled" ? Number(view.event.dice) : null;
    element.replaceChildren(scene(now, rolled), controls(view));
  }

  function scene(now, rolled) {
    const tracks = now.points.map((points, seat) => track(seat, points, now.mover === seat ? now.pot : 0, now.mover === seat));
    const label = `${seats[0].title} ${now.points[0]}, ${seats[1].title} ${now.points[1]}, pot ${now.pot}`;
    const shown = now.rolling ? die(185, 150, 70, null, "rolling") : rolled ? die(185, 150, 70, rolled) : null;
    return picture(440, 240, label, tracks, shown ?? "");
  }

  function track(seat, points, pot, active) {
    const goal = parameters.goal, y = 20 + 60 * seat, wide = 400;
    const reach = (n) => Math.min(wide, (wide * n) / goal);
    return s("g", { class: `track seat-${seat} ${active ? "active" : ""}` },
      s("text", { x: 20, y: y + 2, class: "track-name" }, `${active ? "▶ " : ""}${seats[seat].name || seats[seat].title}`),
      s("text", { x: 420, y: y + 2, "text-anchor": "end", class: "track-points" }, pot ? `${points} + ${pot}` : `${points}`),
      s("rect", { x: 20, y: y + 10, width: wide, height: 16, rx: 8, class: "track-back" }),
      s("rect", { x: 20, y: y + 10, width: reach(points + pot), height: 16, rx: 8, class: "track-pot" }),
      s("rect", { x: 20, y: y + 10, width: reach(points), height: 16, rx: 8, class: "track-fill" }));
  }

  function controls(view) {
    const keys = { roll: "r", hold: "h" };
    const button = (move) => h("button", { class: "move", "data-move": move, "data-key": keys[move], onclick: () => view.choose(move) }, move, valueOf(view, move));
    return h("div", { class: "controls", role: "group", "aria-label": "your moves" }, view.moves.map(button));
  }

  return { element, show };
}

// The value of a move as the analysis knows it, beside its name.
export function valueOf(view, move) {
  const found = view.values?.get(move);
  return found ? h("span", { class: `value ${found.cost > 1e-9 ? "" : "best"}` }, ` ${(100 * found.value).toFixed(1)}`) : "";
}
