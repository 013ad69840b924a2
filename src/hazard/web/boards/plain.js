// A board for any game: the position as text, what happened last, and a button for every move.

import { h } from "../lib/dom.js";
import { caption, choices, endedEarly, facesOf, plate, table, who } from "./table.js";

export function create({ seats }) {
  const player = (view, seat) => h("li", {}, plate(seats, view, seat, { active: seat === view.mover }));

  const scene = (view) => [
    h("ol", { class: "players", "aria-label": "players" }, seats.map((_, seat) => player(view, seat))),
    h("div", { class: "felt" }, h("code", { class: "position-text" }, view.position)),
    caption(view.payoffs ? endedEarly(seats, view) : words(view)),
    choices(view, view.moves.map((move) => ({ move, label: move }))),
  ];

  function words(view) {
    const { event } = view, step = event?.move ?? event?.dice;
    if (step) return `${who(seats, view, event.seat)}: ${step}`;
    return view.rolling ? "The dice are in the air." : "";
  }

  return table("plain", facesOf(6), scene);
}
