// Points on the way to a goal: a track for each seat, with what is at risk in this turn hatched.

import { h } from "../lib/dom.js";
import { plate } from "./table.js";

// `scores` by seat, `pot` of the seat `mover`; `notes` are words beside names.
export function tracks({ seats, view, scores, pot, mover, goal, notes = [] }) {
  const furthest = Math.max(goal, ...scores.map((points, seat) => points + (seat === mover ? pot : 0)));
  const along = (points) => `${(100 * Math.min(points, furthest)) / furthest}%`;
  const track = (points, seat) => {
    const active = seat === mover && !view.payoffs, unsaved = active ? pot : 0;
    return h("li", { class: `track seat-${seat}` },
      h("div", { class: "track-words" }, plate(seats, view, seat, { active, note: notes[seat] }), sum(points, unsaved, goal)),
      h("div", { class: "track-bar", "aria-hidden": "true" },
        h("div", { class: "track-pot", style: { width: along(points + unsaved) } }),
        h("div", { class: "track-safe", style: { width: along(points) } }),
        furthest > goal && h("div", { class: "track-goal", style: { left: along(goal) } })));
  };
  return h("ol", { class: "tracks", "aria-label": "points" }, scores.map(track));
}

const sum = (points, unsaved, goal) =>
  h("span", { class: "track-points" }, h("b", {}, String(points)), unsaved ? ` + ${unsaved}` : "",
    points < goal && h("span", { class: "quiet" }, ` of ${goal}`));

// A number that the turn is about, with its name.
export const total = (name, number) =>
  h("div", { class: "total" }, h("span", { class: "total-name" }, name), h("b", { class: "total-number" }, String(number)));
