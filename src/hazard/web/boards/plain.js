// A board for any game: its drawing, as a picture or in lines, or the fields of the position by name; what happened last,
// and a button for every move. The numbers 1 to 9 press the first buttons. A picture is an image, in which no script runs.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { caption, chances, choices, endedEarly, facesOf, plate, table, who } from "./table.js";

const amounts = { value: (value) => value.toFixed(2), cost: (cost) => `−${cost.toFixed(2)}` };
const few = { ...amounts, cost: (cost) => `+${cost.toFixed(2)}` }; // where the player wants as little as it can get

export function create({ game, parameters, seats, unit = null }) {
  const known = new Map(); // what there is to draw, by position

  async function learn(position) {
    if (!position || known.has(position)) return;
    const answer = await post("/api/boards", { game, parameters, position }).catch(() => null); // its text is shown then
    known.set(position, answer?.board ?? null);
  }

  const player = (view, seat) => h("li", {}, plate(seats, view, seat, { active: seat === view.mover, note: scored(view, seat) }));
  const scored = (view, seat) => (view.scored ? `${Number(view.scored[seat].toFixed(4))} scored` : "");
  const figures = (view) => (known.get(view.position)?.least ? few : unit ? amounts : chances);

  const scene = (view) => [
    h("ol", { class: "players", "aria-label": "players" }, seats.map((_, seat) => player(view, seat))),
    h("div", { class: "felt" }, drawn(view.position)),
    caption(view.payoffs ? ended(view) : words(view)),
    choices(view, view.moves.map((move, n) => ({ move, label: move, key: n < 9 ? String(n + 1) : undefined })),
      figures(view)),
  ];

  function drawn(position) {
    const board = known.get(position);
    if (board?.svg) return h("img", { class: "picture", src: `data:image/svg+xml,${encodeURIComponent(board.svg)}`, alt: position });
    if (board?.lines?.length) return h("pre", { class: "drawing", role: "img", "aria-label": position }, board.lines.join("\n"));
    if (board?.fields?.every(({ value }) => value !== undefined)) return h("dl", { class: "fields", "aria-label": "position" }, board.fields.map(field));
    return h("code", { class: "position-text" }, position);
  }

  const field = ({ name, value }) => h("div", { class: "field-pair" }, h("dt", {}, name), h("dd", {}, value));

  function words(view) {
    const { event } = view, step = event?.move ?? event?.dice;
    if (step) return `${who(seats, view, event.seat)}: ${event.move === undefined ? "rolled " : ""}${step}`;
    return view.rolling ? "The dice are in the air." : "";
  }

  function ended(view) {
    if (seats.length > 1 && !unit) return endedEarly(seats, view);
    const paid = (payoff, seat) => `${who(seats, view, seat)}: ${Number(payoff.toFixed(4))} ${unit ?? ""}`.trim();
    return view.payoffs.map(paid).join(", ");
  }

  const board = table("plain", facesOf(6), scene);
  let latest = 0;
  return {
    element: board.element,
    async show(view) {
      const mine = ++latest;
      await Promise.all([learn(view.position), learn(view.before)]);
      if (mine === latest) await board.show(view);
    },
  };
}
