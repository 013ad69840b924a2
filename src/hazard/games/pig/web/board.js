// Pig: two scores, the pot, and the die. Also the pattern for other boards; see docs/lab.md for what a board is.

import { h } from "/static/lib/dom.js";
import { single } from "/static/lib/dice.js";
import { styled } from "/static/lib/styles.js";
import { total, tracks } from "/static/boards/points.js";
import {
  caption, choices, count, dice, endedEarly, facesOf, flying, resting, table, who, wins,
} from "/static/boards/table.js";

await styled("/static/games/pig/board.css");

export const how = [
  "On your turn, roll the die as often as you like: what it shows is added to the pot.",
  "Hold, and the pot is added to your points. But roll a 1, and the pot is lost and the turn passes.",
  "First to reach the goal (100 points, unless the game was set up with another) wins.",
];

// "p1 32:41 pot 7 rolling": points are by seat.
export function parse(text) {
  const [, mover, first, second, pot, rolling] = /^p(\d) (\d+):(\d+) pot (\d+)( rolling)?$/.exec(text);
  return { mover: mover - 1, scores: [Number(first), Number(second)], pot: Number(pot), rolling: Boolean(rolling) };
}

export function create({ parameters, seats }) {
  const { goal, sides } = parameters;

  function scene(view) {
    const now = parse(view.position);
    return [
      tracks({ seats, view, ...now, goal }),
      h("div", { class: "felt" }, total("pot", now.pot), shown(view, now)),
      caption(view.payoffs ? ended(view, now) : words(view, now)),
      choices(view, [
        { move: "roll", key: "r", label: "Roll", detail: now.pot ? `1 in ${sides} loses the pot` : "" },
        { move: "hold", key: "h", label: "Hold", detail: `bank ${now.pot}: ${now.scores[now.mover] + now.pot}` },
      ]),
    ];
  }

  function shown({ event }, now) {
    if (now.rolling) return dice(flying(1), "the die is in the air", "large");
    if (event?.type !== "rolled") return dice(resting(1), "the die waits", "large");
    return dice(single(Number(event.dice), event.dice === "1" ? "loss" : "landed"), `rolled ${event.dice}`, "large");
  }

  function words(view, now) {
    const { event, before } = view, name = event && who(seats, view, event.seat), had = before ? parse(before).pot : 0;
    if (event?.type === "moved" && event.move === "hold") return `${name} held and banked ${count(had, "point")}.`;
    if (event?.type !== "rolled") return now.rolling ? "The die is in the air." : `First to ${count(goal, "point")}.`;
    if (event.dice !== "1") return `${name} rolled ${event.dice}: ${now.pot} in the pot.`;
    return `${name} rolled a 1${had ? ` and lost ${count(had, "point")}` : ""}.`;
  }

  function ended(view, now) {
    const winner = 1 - now.mover;
    return now.scores[winner] < goal ? endedEarly(seats, view) : `${wins(seats, view, winner)} with ${count(goal, "point")}.`;
  }

  return table("pig", facesOf(sides), scene);
}
