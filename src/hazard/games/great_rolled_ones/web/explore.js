// Great Rolled Ones, solved: maps of the optimal policy with a cursor, what moves are worth there, and the surface.

import { h } from "/static/lib/dom.js";
import { address, go } from "/static/lib/route.js";
import { styled } from "/static/lib/styles.js";
import { height, likely } from "/static/explore/colours.js";
import {
  chance, choice, field, getPatiently, heading, nameSoon, onTheme, powers, waitingNote,
} from "/static/explore/common.js";
import { heat, legend } from "/static/explore/heat.js";
import { Policy, aside } from "./policy.js";
import { readingOf, told } from "./reading.js";
import { surface } from "./surface/surface.js";

await styled("/static/games/great-rolled-ones/explore.css");

const KNOWN = ["goal", "dice", "bust", "sides"];
const WORDS = {
  lead: "Roll five dice, set ones aside, count the others; three ones lose it all. When should you hold? Here is the answer " +
    "for every score, proven. Point at a map, or use the arrow keys.",
  wait: "The game is being solved and its maps are drawn. The first time that takes half a minute or more.",
  dots: "Dotted: the whole story is longer. There the best player rolls, holds, and rolls again as the pot grows.",
  keys: "own score to the right, other's score upwards. Arrow keys move the cursor; what is there is read beside the map.",
  surface: "Below the surface roll, above it hold. Holes and overhangs are real: a larger pot can be a reason to roll again, " +
    "for instance when the goal is near.",
  turns: "The boundary between rolling and holding. Arrow keys turn it, plus and minus zoom, 0 turns it back.",
  last: "Who ends a turn at the goal starts the last round. Player 2 then has one turn to exceed player 1 and rolls until it " +
    "does: there is nothing to decide. Player 2 at the goal has won at once. So player 1 may roll on past the goal, for a lead " +
    "that is hard to overtake, and player 2 never needs more than the goal.",
  small: "Small games are solved while you wait. For larger ones the page says which command solves them.",
};

export async function show({ query, main, gone }) {
  const chosen = Object.fromEntries(KNOWN.filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
  const note = waitingNote(WORDS.wait), place = h("div", { class: "x-body" });
  main.append(heading("Great Rolled Ones", WORDS.lead), note.element, place);
  const found = await getPatiently(address("/api/explore/great-rolled-ones", chosen), note, gone);
  if (!found || gone()) return null;
  return new Maps(new Policy(found, chosen), query).fill(place);
}

// Where the cursor is and which map is looked at, from the address.
function whereOf({ goal, bust }, query) {
  const whole = (name, fallback, most) => Math.max(0, Math.min(most, Number.parseInt(query.get(name) ?? fallback, 10) || 0));
  return {
    seat: whole("seat", 1, 2) === 2 ? 1 : 0, ones: whole("ones", Math.min(1, bust - 1), bust - 1), mode: "hold", pot: 0,
    own: whole("own", Math.round(goal * 0.58), goal - 1), other: whole("other", Math.round(goal * 0.24), goal - 1),
  };
}

class Maps {
  constructor(policy, query) {
    const { goal } = policy, now = whereOf(policy, query);
    Object.assign(this, { policy, now, legends: h("div", {}), hint: h("p", { class: "x-hint", "aria-hidden": "true" }) });
    this.map = heat({
      columns: [0, goal - 1], rows: [0, goal - 1], xName: "own score", yName: "other's score", at: [now.own, now.other],
      label: "", paint: this.paint(), dots: this.dots(), moved: (own, other) => this.look({ own, other }),
    });
    this.space = surface({ goal, label: WORDS.turns });
    this.reading = readingOf(policy, now, (pot) => { now.pot = pot; this.reread(); });
    this.thumbs = thumbsOf(policy, (seat, ones) => { Object.assign(now, { seat, ones, pot: 0 }); this.redraw(); });
  }

  fill(place) {
    const names = [["hold", "Hold at ... points"], ["start", "Chances at the start of a turn"]];
    const modes = choice("Map", names, "hold", (mode) => { this.now.mode = mode; this.redraw(); });
    const map = h("section", { class: "panel", "aria-label": "map" }, modes.element, this.map.element, this.hint, this.legends);
    const space = h("section", { class: "panel" }, h("h2", {}, "Where rolling ends"), h("p", {}, WORDS.surface),
      this.space.element, turning(this.space));
    const last = h("section", { class: "panel" }, h("h2", {}, "Why the players differ"), h("p", { class: "x-rule" }, WORDS.last));
    const two = h("div", { class: "x-two" }, map, h("div", { class: "x-body" }, this.reading.element, last));
    place.append(facts(this.policy), this.thumbs.element, two, space, variants(this.policy));
    this.redraw();
    const still = onTheme(() => { this.map.redraw(); this.space.redraw(); });
    return () => { still(); this.map.close(); this.space.close(); };
  }

  paint() {
    const { policy, now } = this;
    if (now.mode === "start") return (x, y) => likely(policy.start(now.seat, x, y));
    return (x, y) => shade(policy, now.seat, now.ones, x, y);
  }

  dots() {
    const { policy, now } = this;
    return now.mode === "hold" ? (x, y) => policy.again(now.seat, now.ones, x, y) : null;
  }

  look(place) {
    Object.assign(this.now, place, { pot: 0 });
    this.reread();
  }

  redraw() {
    const { policy, now, map } = this;
    this.thumbs.mark(now);
    map.repaint({ paint: this.paint(), dots: this.dots() });
    map.relabel(`Map for player ${now.seat + 1} with ${aside(now.ones)}, ${WORDS.keys}`);
    this.legends.replaceChildren(...this.explained());
    this.space.show((i, j, k) => policy.rolls(now.seat, now.ones, i, j, k), policy.seats[now.seat].pots);
    this.reread();
  }

  explained() {
    const { highest } = this.policy;
    if (this.now.mode === "start") return [legend(likely, "0 %", "100 %", "chance to win")];
    return [legend(height, "1", String(highest), "hold at", String(Math.round(highest / 4))),
      h("p", { class: "quiet x-fine" }, WORDS.dots)];
  }

  reread() {
    const { policy, now } = this, { seat, ones, own, other } = now;
    this.space.point(own, other, policy.hold(seat, ones, own, other));
    nameSoon(location.pathname, { ...policy.query, seat: seat + 1, ones, own, other });
    const what = now.mode === "hold" ? told(policy, now) : chance(policy.start(seat, own, other));
    this.hint.textContent = `Own ${own}, other's ${other}: ${what}`;
    this.reading.show();
  }
}

// By the root, so that small differences show where little is held.
const shade = (policy, seat, ones, own, other) => height(Math.sqrt(policy.hold(seat, ones, own, other) / policy.highest));

function facts(policy) {
  const { points, value } = policy.fairest, given = `${points} ${points === 1 ? "point" : "points"}`;
  return h("p", { class: "x-facts" },
    `With best play player 1 wins ${chance(policy.chances[0], 4)} of all games, player 2 ${chance(policy.chances[1], 4)}. `,
    points ? `Fairest is to give player 1 ${given} at the start: then it wins ${chance(value)}. ` : "",
    h("span", { class: "x-known" }, "exact"), ` All values are proven to within ${powers(Math.max(policy.error, 1e-16))}; `,
    "those by pot are shown in single precision.");
}

// Small maps of both players and all numbers of ones, to choose from.
function thumbsOf(policy, choose) {
  const buttons = [];
  const one = (seat, ones) => {
    const press = () => choose(seat, ones), words = h("span", {}, `P${seat + 1}, ${aside(ones)}`);
    const button = h("button", { type: "button", class: "x-thumb", onclick: press }, thumb(policy, seat, ones), words);
    buttons.push([button, seat, ones]);
    return button;
  };
  const rows = [0, 1].map((seat) => h("div", { class: "x-thumbrow" }, Array.from({ length: policy.bust },
    (_, ones) => one(seat, ones))));
  const mark = (now) => buttons.forEach(([button, seat, ones]) =>
    button.setAttribute("aria-pressed", String(seat === now.seat && ones === now.ones)));
  return { element: h("div", { class: "x-thumbs", role: "group", "aria-label": "player and ones aside" }, rows), mark };
}

function thumb(policy, seat, ones) {
  const { goal } = policy, canvas = h("canvas", { width: goal, height: goal, "aria-hidden": "true" }),
    pen = canvas.getContext("2d");
  const pixels = pen.createImageData(goal, goal);
  for (let y = 0; y < goal; y++) {
    for (let x = 0; x < goal; x++) pixels.data.set([...shade(policy, seat, ones, x, y), 255], 4 * ((goal - 1 - y) * goal + x));
  }
  pen.putImageData(pixels, 0, 0);
  return canvas;
}

function turning(space) {
  const ways = [
    ["↺", "turn left", () => space.turn(-0.25, 0)], ["↻", "turn right", () => space.turn(0.25, 0)],
    ["↑", "from higher up", () => space.turn(0, 0.15)], ["↓", "from lower down", () => space.turn(0, -0.15)],
    ["+", "nearer", () => space.zoom(1.2)], ["−", "further away", () => space.zoom(1 / 1.2)],
    ["⟲", "as at first", () => space.reset()],
  ];
  const button = ([sign, label, press]) => h("button", { type: "button", "aria-label": label, title: label, onclick: press },
    sign);
  return h("div", { class: "x-buttons x-turn", role: "group", "aria-label": "turn the surface" }, ways.map(button),
    h("span", { class: "quiet" }, "drag, pinch, or arrow keys"));
}

// Other rules of the same game.
function variants(policy) {
  const limits = { goal: [2, 75], dice: [1, 10], bust: [1, 10], sides: [2, 20] };
  const input = (name) => {
    const [min, max] = limits[name];
    return h("input", { type: "number", name, min, max, value: policy.parameters[name], required: true });
  };
  const inputs = KNOWN.map(input);
  const submit = (event) => {
    event.preventDefault();
    go(address("/explore/great-rolled-ones", Object.fromEntries(inputs.map((each) => [each.name, each.value]))));
  };
  const fields = inputs.map((each) => field(each.name === "bust" ? "ones that bust" : each.name, each));
  return h("section", { class: "panel" }, h("h2", {}, "Other rules"), h("p", { class: "quiet" }, WORDS.small),
    h("form", { class: "x-form", onsubmit: submit }, fields, h("button", { class: "primary" }, "Solve and show")));
}
