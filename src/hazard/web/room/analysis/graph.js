// The chances over the game: a line for each seat over all stops, in the colour and with the dashes of the seat. Click,
// or the arrow keys, go to a position.

import { h, s, set } from "../../lib/dom.js";
import { capital } from "../../lib/seats.js";
import { fold, seatsOf } from "./figures.js";

const HIGH = 190, LEFT = 40, RIGHT = 26, TOP = 12, BOTTOM = 26;
const DOTS = 60; // stops up to which each known one is marked
const GAP = 30; // stops of which nothing is known that a line passes over as if it were
const APART = 17; // pixels between the marks of seats
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageUp: 10, PageDown: -10 };

export class GraphPart {
  constructor(store, cursor, knowledge, scale) {
    Object.assign(this, { store, cursor, knowledge, scale, wide: 0, looked: null, due: false });
    this.svg = s("svg", {
      class: "graph", role: "slider", tabindex: "0", "aria-label": "position in the game, with the chances there",
      onclick: (event) => this.cursor.goTo(this.indexAt(event)), onkeydown: (event) => this.press(event),
      onpointermove: (event) => this.look(this.indexAt(event)), onpointerleave: () => this.look(null),
    });
    this.words = h("p", { class: "graph-words" });
    const title = scale.chances ? "Chances over the game" : `${capital(scale.unit)} expected over the game`;
    const box = h("div", { class: "graph-box" }, this.svg);
    this.element = fold(title, { class: "analysis-graph", ontoggle: () => this.show() }, box, this.words);
    this.observer = new ResizeObserver(([entry]) => this.resize(entry.contentRect.width));
    this.observer.observe(this.svg.parentNode);
  }

  resize(width) {
    this.wide = Math.round(width);
    this.show();
  }

  // Drawn at most once a frame.
  show() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      if (this.element.open && this.wide > 80 && this.store.stops.length) this.draw();
    });
  }

  // --- where it goes --------------------------------------------------------------------------------------------------
  get last() {
    return Math.max(1, this.store.stops.length - 1);
  }

  x(index) {
    return LEFT + ((this.wide - LEFT - RIGHT) * index) / this.last;
  }

  y(value) {
    const [low, high] = this.range;
    return TOP + ((HIGH - TOP - BOTTOM) * (high - value)) / (high - low);
  }

  indexAt(event) {
    const place = event.clientX - this.svg.getBoundingClientRect().left;
    const part = (place - LEFT) / Math.max(1, this.wide - LEFT - RIGHT);
    return Math.round(Math.max(0, Math.min(1, part)) * (this.store.stops.length - 1));
  }

  press(event) {
    const last = this.store.stops.length - 1, ends = { Home: 0, End: last };
    const to = event.key in ends ? ends[event.key] : event.key in KEYS ? this.cursor.index + KEYS[event.key] : null;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.cursor.goTo(Math.max(0, Math.min(last, to)));
  }

  look(index) {
    this.looked = index;
    this.tell();
  }

  // --- what is drawn --------------------------------------------------------------------------------------------------
  draw() {
    this.points = this.store.stops.map(({ position }) => this.knowledge.chancesAt(position));
    if (this.store.ended) this.points[this.points.length - 1] ??= this.store.ended.payoffs;
    this.range = this.reach();
    const seats = seatsOf(this.store);
    set(this.svg, "viewBox", `0 0 ${this.wide} ${HIGH}`);
    set(this.svg, "width", this.wide);
    set(this.svg, "height", HIGH);
    const lines = seats.map((seat) => this.line(seat));
    this.svg.replaceChildren(this.grid(), this.turns(), ...lines, ...this.marks(seats), this.here());
    this.tell();
  }

  reach() {
    if (this.scale.chances) return [0, 1];
    const all = this.points.flatMap((point) => point ?? []);
    return all.length ? [Math.floor(Math.min(...all)) - 1, Math.ceil(Math.max(...all)) + 1] : [0, 1];
  }

  grid() {
    const [low, high] = this.range, right = this.wide - RIGHT;
    const lines = [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low));
    const words = (value) => (this.scale.chances ? `${100 * value}` : value.toFixed(0).replace("-", "−"));
    return s("g", { class: "grid" }, lines.map((value, at) => [
      s("line", { x1: LEFT, x2: right, y1: this.y(value), y2: this.y(value), class: at === 2 ? "middle" : "" }),
      at % 2 ? null : s("text", { x: LEFT - 6, y: this.y(value) + 4, "text-anchor": "end" }, words(value)),
    ]), s("text", { x: LEFT - 6, y: HIGH - 6, "text-anchor": "end", class: "soft" }, "turn"));
  }

  // Whose turn it was, as a strip under the lines.
  turns() {
    const stops = this.store.stops, strips = [];
    for (let from = 1; from < stops.length; ) {
      let to = from;
      while (to + 1 < stops.length && stops[to + 1].event.seat === stops[from].event.seat) to += 1;
      const seat = stops[from].event.seat ?? 0, x = this.x(from - 1), width = Math.max(0.5, this.x(to) - x);
      strips.push(s("rect", { x, width, y: HIGH - 15 + 2 * (seat % 2), height: 7, class: `strip seat-${seat}` }));
      from = to + 1;
    }
    return s("g", { "aria-hidden": "true" }, strips);
  }

  line({ seat }) {
    const known = this.points.flatMap((point, index) => (point ? [[this.x(index), this.y(point[seat]), index]] : []));
    const thin = this.thinned(known), far = (at) => at > 0 && thin[at][2] - thin[at - 1][2] > GAP + known.length / thin.length;
    const place = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    const path = thin.map((point, at) => `${at && !far(at) ? "L" : "M"}${place(point)}`).join("");
    const gaps = thin.map((point, at) => (far(at) ? `M${place(thin[at - 1])}L${place(point)}` : "")).join("");
    const dots = this.points.length <= DOTS ? known.map(([cx, cy]) => s("circle", { cx, cy, r: 2.2 })) : [];
    const kind = `chance-line seat-${seat} ${seat === this.store.seat ? "mine" : ""}`;
    return s("g", { class: kind }, s("path", { d: path }), gaps ? s("path", { d: gaps, class: "guess" }) : null, dots);
  }

  // Where several stops fall on a pixel, their mean is drawn; the last one stays as it is.
  thinned(known) {
    const group = Math.ceil((2 * known.length) / this.wide);
    if (group <= 2) return known;
    const mean = (some, axis) => some.reduce((sum, place) => sum + place[axis], 0) / some.length;
    const groups = Array.from({ length: Math.ceil(known.length / group) }, (_, at) => known.slice(at * group, (at + 1) * group));
    return [...groups.map((some) => [mean(some, 0), mean(some, 1), some.at(-1)[2]]), known.at(-1)];
  }

  // The mark of each seat at the end of its line, moved apart where they would cover each other.
  marks(seats) {
    const last = this.points.findLast((point) => point);
    if (!last) return [];
    const places = seats.map((seat) => ({ ...seat, y: this.y(last[seat.seat]) })).sort((a, b) => a.y - b.y);
    places.forEach((place, at) => at && (place.y = Math.max(place.y, places[at - 1].y + APART)));
    places.reduceRight((room, place) => (place.y = Math.min(place.y, room)) - APART, HIGH - BOTTOM);
    const at = (y) => `translate(${this.wide - RIGHT + 13} ${y})`;
    return places.map(({ seat, mark, y }) => s("g", { class: `end-mark seat-${seat}`, transform: at(y) },
      s("circle", { r: 8 }), s("text", { y: 4, "text-anchor": "middle" }, mark)));
  }

  here() {
    const index = Math.max(0, this.cursor.index), point = this.points[index], x = this.x(index);
    const dot = (value, seat) => s("circle", { cx: x, cy: this.y(value), r: 4.5, class: `here-dot seat-${seat}` });
    const dots = (point ?? []).map(dot);
    return s("g", { class: "here" }, s("line", { x1: x, x2: x, y1: TOP - 4, y2: HIGH - 16 }), dots);
  }

  // --- what is said ---------------------------------------------------------------------------------------------------
  tell() {
    if (!this.points) return;
    const index = this.looked ?? this.cursor.index;
    this.words.textContent = this.sayAt(index);
    set(this.svg, "aria-valuemin", 1);
    set(this.svg, "aria-valuemax", this.store.stops.length);
    set(this.svg, "aria-valuenow", Math.max(0, this.cursor.index) + 1);
    set(this.svg, "aria-valuetext", this.sayAt(this.cursor.index));
  }

  sayAt(index) {
    const stop = this.store.stops[index];
    if (!stop) return "";
    const { event } = stop, seats = seatsOf(this.store), point = this.points[index];
    const step = event.move ?? event.dice, other = event.type === "begun" ? "the start" : "taken back";
    const what = step ? `${seats[event.seat]?.name}: ${step}` : other;
    const each = ({ seat, name }) => `${name} ${this.scale.value(point[seat])}`;
    const chances = point ? seats.map(each).join(", ") : "not yet known";
    return `Position ${index + 1} of ${this.store.stops.length}, ${what}. ${chances}`;
  }

  close() {
    this.observer.disconnect();
  }
}
