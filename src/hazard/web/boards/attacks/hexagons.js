// A land of named fields in SVG: hexagons or territories, dice that stand on them, rings around some, arrows between them.
// `land` is {size, fields: [{name, path, middle}], ways: {move: [x, y, u, v]}}, as the server gives it for a board: a way
// leads from the middle of a hexagon to that of another, over the border of two fields.

import { picture, s, set } from "../../lib/dom.js";

const RIM = 10; // around the land
const SMALLEST = 0.5, LARGEST = 1.5; // pixels for each unit of the picture; a wide board on a phone is scrolled
const CUBE = { half: 9, slant: 4.8, high: 8.6 }; // a die on a field
const TALLEST = 4; // dice of a single stack
const SAME = 1e-9; // costs that are rounding
const LAYERS = ["areas", "rings", "arrows", "tokens", "labels", "flight"]; // the lowest first
const NEAR = 25, BELOW = 10; // how far arrows keep from the middle of a field, and more of it below the dice

export class Landscape {
  constructor(land, label) {
    this.ways = land.ways;
    this.fields = new Map(land.fields.map((field) => [field.name, made(field)]));
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name })]));
    for (const { area, ring, token } of this.fields.values()) {
      this.layers.areas.append(area);
      this.layers.rings.append(ring);
      this.layers.tokens.append(token);
    }
    const inside = s("g", { transform: `translate(${RIM} ${RIM})` }, Object.values(this.layers));
    this.wide = land.size[0] + 2 * RIM;
    this.element = picture(this.wide, land.size[1] + 2 * RIM, label, inside);
    this.element.classList.add("land");
    set(this.element, "style", { "min-width": `${SMALLEST * this.wide}px`, "max-width": `${LARGEST * this.wide}px` });
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  // How many units of the picture a pixel is, for the sizes of words.
  measure() {
    const pixels = this.element.clientWidth || this.wide;
    this.element.style.setProperty("--scale", (this.wide / pixels).toFixed(3));
    this.thin();
  }

  // Of words that would lie on each other only those drawn last are seen: they are of the best moves.
  thin() {
    const shown = [];
    for (const words of [...this.layers.labels.children].reverse()) {
      const { x, y, width, height } = words.getBBox();
      const beside = (box) => x > box.x + box.width || box.x > x + width, free = shown.every((box) => beside(box)
        || y > box.y + box.height || box.y > y + height);
      words.classList.toggle("unseen", !free);
      if (free) shown.push({ x, y, width, height });
    }
  }

  // A field belongs to a seat and holds dice; `label` is for screen readers.
  settle(name, { seat, letter, dice, label }) {
    const field = this.fields.get(name);
    set(field.area, "aria-label", label);
    field.title.textContent = label;
    if (field.shown === `${seat} ${dice}`) return;
    field.shown = `${seat} ${dice}`;
    field.area.setAttribute("class", `field seat-${seat}`);
    field.token.setAttribute("class", `token seat-${seat}`);
    field.token.replaceChildren(...token(name, letter, dice));
  }

  // What a field is at the moment: "" or "source", "chosen", "target", "room"; those can be pressed.
  offer(name, kind, facts = {}) {
    const { area, ring } = this.fields.get(name);
    ring.setAttribute("class", `ring ${kind} ${ring.classList.contains("focused") ? "focused" : ""}`);
    area.classList.toggle("pressable", Boolean(kind));
    set(area, "role", kind ? "button" : "img");
    set(area, "tabindex", kind ? "0" : "-1"); // so that the focus is not lost with what is offered
    for (const key of ["data-move", "data-from", "aria-pressed"]) set(area, key, facts[key]);
    if (facts["aria-label"]) set(area, "aria-label", facts["aria-label"]);
  }

  middle(name) {
    return this.fields.get(name).middle;
  }

  area(name) {
    return this.fields.get(name).area;
  }

  focus(name, focused) {
    this.fields.get(name)?.ring.classList.toggle("focused", focused);
  }

  clear() {
    for (const { token } of this.fields.values()) token.classList.remove("tagged");
    this.layers.arrows.replaceChildren();
    this.layers.labels.replaceChildren();
  }

  // An arrow for a move over its border: a short one, or a long one from dice to dice. `weight` is from 0 to 1.
  arrow(move, kind, { long = false, weight = 1, label = "" } = {}) {
    const [from, to] = ends(move), [x, y, u, v] = this.ways[move];
    const border = [(x + u) / 2, (y + v) / 2];
    const line = long ? bent(this.middle(from), border, this.middle(to)) : straight(border, [u - x, v - y]);
    const arrow = drawn(line, kind, weight);
    set(arrow, "data-way", move); // so that what lists moves can point at it
    this.layers.arrows.append(arrow);
    if (label) this.label(beside(border, [u - x, v - y]), label, kind);
  }

  // What moves are worth: rows of {move, value, cost}, of which the best have their value written. The worst come first,
  // so that the best lies on top.
  values(rows, labelled) {
    const ranked = [...rows].sort((one, other) => one.cost - other.cost);
    const most = Math.max(0.02, ...ranked.slice(0, labelled).map(({ cost }) => cost));
    for (const [rank, { move, value, cost }] of [...ranked.entries()].reverse()) {
      const shown = rank < labelled, kind = `value ${cost <= SAME ? "best" : shown ? "good" : "faint"}`;
      const label = shown ? (100 * value).toFixed(1) : "";
      if (this.ways[move]) this.arrow(move, kind, { weight: shown ? 1 - cost / most : 0, label });
      else if (this.fields.has(move) && label) this.tag(move, label, kind);
    }
  }

  // Words at a field, in place of its name.
  tag(name, words, kind) {
    const { middle: [x, y], token } = this.fields.get(name);
    token.classList.add("tagged");
    this.label([x, y + 32], words, kind);
  }

  label([x, y], words, kind) {
    this.layers.labels.append(s("text", { x, y, class: `tag ${kind}` }, words));
    cancelAnimationFrame(this.thinning);
    this.thinning = requestAnimationFrame(() => this.thin());
  }

  // Dice fly from one field to another.
  async fly(move, { seat, letter, dice }, milliseconds) {
    const [from, to] = ends(move), [x, y, u, v] = this.ways[move];
    const flock = s("g", { class: `token seat-${seat}` }, ...token("", letter, dice));
    this.layers.flight.replaceChildren(flock);
    const at = ([a, b]) => ({ transform: `translate(${a}px, ${b}px)` });
    const steps = [at(this.middle(from)), at([(x + u) / 2, (y + v) / 2 - 14]), at(this.middle(to))];
    await flock.animate(steps, { duration: milliseconds, easing: "ease-in-out", fill: "forwards" }).finished;
    this.layers.flight.replaceChildren();
  }

  // A field that has just changed.
  pop(name, milliseconds) {
    const [x, y] = this.middle(name), at = `translate(${x}px, ${y}px)`;
    const steps = [{ transform: `${at} scale(1)` }, { transform: `${at} scale(1.35)` }, { transform: `${at} scale(1)` }];
    return this.fields.get(name).token.animate(steps, { duration: milliseconds, easing: "ease-out" }).finished;
  }

  // Of some fields the one that lies nearest in a direction: [-1, 0] is to the left.
  beyond(name, [right, down], names) {
    const [x, y] = this.middle(name);
    const placed = names.filter((other) => other !== name).map((other) => {
      const [u, v] = this.middle(other), along = (u - x) * right + (v - y) * down;
      return { other, along, far: along + 2 * (Math.abs((u - x) * down) + Math.abs((v - y) * right)) };
    });
    return placed.filter(({ along }) => along > 8).sort((a, b) => a.far - b.far)[0]?.other ?? null;
  }
}

export const ends = (move) => move.split(/[->]/);

function made({ name, path, middle: [x, y] }) {
  const shape = { d: path, "fill-rule": "evenodd" }, title = s("title", {});
  const attributes = { class: "field", role: "img", tabindex: "-1", "data-field": name };
  const area = s("g", attributes, title, s("path", { ...shape, class: "area" }));
  const token = s("g", { class: "token", transform: `translate(${x} ${y})`, "aria-hidden": "true" });
  return { area, title, token, ring: s("path", { ...shape, class: "ring" }), middle: [x, y] };
}

// --- dice on a field --------------------------------------------------------------------------------------------------
// A stack or two; at their right their number and the owner's letter, below the field's name.
function token(name, letter, dice) {
  const stacks = dice > TALLEST ? 2 : 1, wide = CUBE.half * (stacks === 1 ? 2 : 3.6), right = wide / 2 + 1.5;
  return [
    s("g", { transform: `translate(${-9.5} 17)`, class: "dice-stack" }, stacked(dice, stacks)),
    s("text", { x: right, y: 5, class: "number" }, String(dice)), s("text", { x: right, y: 21, class: "letter" }, letter),
    s("text", { x: 0, y: 33, class: "name" }, name),
  ];
}

// The stack behind first, each from its lowest die on.
function stacked(dice, stacks) {
  const { half, slant, high } = CUBE, found = [];
  for (let stack = 0; stack < stacks; stack++) {
    const aside = stacks === 1 ? 0 : stack - 0.5, own = stack === 0 ? Math.ceil(dice / stacks) : Math.floor(dice / stacks);
    for (let n = 1; n <= own; n++) found.push(cube(aside * half * 1.6, aside * slant * 1.6 - slant - high * n));
  }
  return found;
}

function cube(x, y) {
  const { half, slant, high } = CUBE;
  return s("g", { class: "cube" },
    s("path", { class: "left", d: `M${x - half} ${y}l${half} ${slant}v${high}l${-half} ${-slant}z` }),
    s("path", { class: "right", d: `M${x + half} ${y}l${-half} ${slant}v${high}l${half} ${-slant}z` }),
    s("path", { class: "top", d: `M${x - half} ${y}l${half} ${-slant}l${half} ${slant}l${-half} ${slant}z` }),
    s("ellipse", { class: "spot", cx: x, cy: y, rx: half * 0.24, ry: slant * 0.26 }));
}

// --- arrows -----------------------------------------------------------------------------------------------------------
const towards = ([x, y], [u, v], length) => {
  const far = Math.hypot(u - x, v - y) || 1;
  return [x + ((u - x) / far) * length, y + ((v - y) / far) * length];
};

// Over a border, at a right angle to it.
function straight(border, [dx, dy]) {
  const half = 17, far = Math.hypot(dx, dy), step = [(dx / far) * half, (dy / far) * half];
  const start = [border[0] - step[0], border[1] - step[1]], end = [border[0] + step[0], border[1] + step[1]];
  return { start, bend: border, end };
}

// A place for words beside an arrow, above it.
function beside([x, y], [dx, dy]) {
  const far = Math.hypot(dx, dy), up = dx > 0 ? -1 : 1;
  return [x - (dy / far) * 20 * up, y + (dx / far) * 12 * up]; // words are wider than high
}

function leaving([x, y], [u, v]) {
  const steep = (v - y) / Math.hypot(u - x, v - y);
  return towards([x, y], [u, v], NEAR + BELOW * Math.max(0, steep));
}

// From dice to dice through a point of the border.
function bent(from, border, to) {
  const start = leaving(from, border), end = leaving(to, border);
  const bend = [2 * border[0] - (start[0] + end[0]) / 2, 2 * border[1] - (start[1] + end[1]) / 2];
  return { start, bend, end };
}

// A light line below makes an arrow seen on any colour.
function drawn({ start, bend, end }, kind, weight) {
  const wide = 2.5 + 4.5 * weight, head = 7 + 5 * weight, neck = towards(end, bend, head * 0.9);
  const [px, py] = [((end[1] - neck[1]) / (head * 0.9)) * head * 0.75, ((neck[0] - end[0]) / (head * 0.9)) * head * 0.75];
  const shaft = `M${start}Q${bend} ${neck}`, tip = `M${end}L${neck[0] + px} ${neck[1] + py}L${neck[0] - px} ${neck[1] - py}Z`;
  return s("g", { class: `arrow ${kind}` },
    s("path", { d: shaft, class: "halo", "stroke-width": wide + 5 }), s("path", { d: tip, class: "halo", "stroke-width": 5 }),
    s("path", { d: shaft, class: "shaft", "stroke-width": wide }), s("path", { d: tip, class: "head" }));
}
