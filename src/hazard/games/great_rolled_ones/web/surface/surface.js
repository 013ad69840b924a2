// The boundary between rolling and holding as a surface in space, turned by pointer, touch and keys; drawn on a canvas.

import { h } from "/static/lib/dom.js";
import { height as colourOf } from "/static/explore/colours.js";
import { penOn } from "/static/explore/common.js";
import { facesOf } from "./faces.js";
import { packed, rastered } from "./raster.js";
import { drawFloor, drawPole, drawPots, drawScores } from "./scenery.js";

const START = { yaw: -2.45, pitch: 0.5, zoom: 1 };
const SHADES = [1, 0.84, 0.72]; // of floors, and of walls along either score
const KEYS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] };
const ZOOMS = { "+": 1.15, "=": 1.15, "-": 1 / 1.15 };
const REST = 160; // milliseconds without a move, after which it is drawn finely
const between = (low, value, high) => Math.max(low, Math.min(high, value));

export const surface = (facts) => new Surface(facts);

class Surface {
  constructor({ goal, label }) {
    Object.assign(this, { goal, view: { ...START }, faces: null, tall: 1, pole: null, pointers: new Map() });
    Object.assign(this, { wanted: false, fine: null, later: 0 });
    const spoken = { role: "application", "aria-roledescription": "surface in space", "aria-label": label };
    this.element = h("canvas", { class: "x-surface", tabindex: 0, ...spoken });
    this.listen();
    this.watch = new ResizeObserver(() => this.redraw());
    this.watch.observe(this.element);
  }

  close() {
    this.watch.disconnect();
    clearTimeout(this.later);
  }

  // `rolls(own, other, pot)` says where rolling is right.
  show(rolls, top) {
    const faces = facesOf(rolls, this.goal, top);
    const heightOf = (n) => Math.max(faces.corners[12 * n + 2], faces.corners[12 * n + 8]);
    this.tall = faces.kinds.reduce((most, _, n) => Math.max(most, heightOf(n)), 1);
    faces.colours = Uint32Array.from(faces.kinds, (kind, n) => packed(colourOf(heightOf(n) / this.tall), SHADES[kind]));
    this.faces = faces;
    this.stir();
  }

  // Where the cursor is.
  point(own, other, pot) {
    this.pole = [own, other, pot];
    this.redraw();
  }

  // --- turning ----------------------------------------------------------------------------------------------------------
  turn(yaw, pitch) {
    this.view.yaw += yaw;
    this.view.pitch = between(0.05, this.view.pitch + pitch, 1.5);
    this.stir();
  }

  zoom(factor) {
    this.view.zoom = between(0.6, this.view.zoom * factor, 4);
    this.stir();
  }

  reset() {
    this.view = { ...START };
    this.stir();
  }

  listen() {
    const { element, pointers } = this;
    element.addEventListener("pointerdown", ({ pointerId, clientX, clientY }) => {
      element.setPointerCapture(pointerId);
      pointers.set(pointerId, [clientX, clientY]);
    });
    element.addEventListener("pointermove", (event) => this.drag(event));
    const left = ({ pointerId }) => pointers.delete(pointerId);
    for (const kind of ["pointerup", "pointercancel"]) element.addEventListener(kind, left);
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("keydown", (event) => this.typed(event));
  }

  // One finger turns, two zoom.
  drag({ pointerId, clientX, clientY }) {
    const before = this.pointers.get(pointerId), spread = this.spread();
    if (!before) return;
    this.pointers.set(pointerId, [clientX, clientY]);
    if (this.pointers.size > 1) this.zoom(this.spread() / spread);
    else this.turn((clientX - before[0]) * 0.008, (clientY - before[1]) * 0.006);
  }

  spread() {
    const [a, b] = [...this.pointers.values()];
    return b ? Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1])) : 1;
  }

  // Unless it has the focus, the page scrolls on.
  wheel(event) {
    if (document.activeElement !== this.element && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * 0.0012));
  }

  typed(event) {
    if (KEYS[event.key]) this.turn(...KEYS[event.key]);
    else if (ZOOMS[event.key]) this.zoom(ZOOMS[event.key]);
    else if (event.key === "0" || event.key === "Home") this.reset();
    else return;
    event.preventDefault();
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------
  // Something has moved: drawn roughly at once, and finely when it rests.
  stir() {
    this.fine = null;
    clearTimeout(this.later);
    this.later = setTimeout(() => { this.fine = {}; this.redraw(); }, REST);
    this.redraw();
  }

  redraw() {
    if (this.wanted) return;
    this.wanted = true;
    this.element.removeAttribute("data-fine");
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.wanted = false;
    const width = this.element.clientWidth, high = Math.round(between(320, width * 0.8, 560));
    if (!width || !this.faces) return;
    const pen = penOn(this.element, width, high), project = this.projector(width, high), { goal, tall, pole } = this;
    drawFloor(pen, project, goal);
    pen.drawImage(this.pictured(width, high, project), 0, 0, width, high);
    drawScores(pen, project, goal);
    drawPots(pen, project, goal, tall);
    if (pole) drawPole(pen, project, pole, tall);
    this.element.toggleAttribute("data-fine", Boolean(this.fine)); // as it stays until something moves
  }

  // The surface as a picture of its own; a fine one is kept until something moves.
  pictured(width, high, project) {
    const size = `${width} ${high}`;
    if (this.fine?.size === size) return this.fine.picture;
    const picture = rastered(this.faces, project, width, high, this.fine ? 2 : 1);
    if (this.fine) this.fine = { size, picture };
    return picture;
  }

  // To the screen: right, down, and how far away.
  projector(width, high) {
    const { goal, tall, view } = this, size = Math.min(width, high * 1.25) * 0.55 * view.zoom;
    const [cy, sy, cp, sp] = [Math.cos(view.yaw), Math.sin(view.yaw), Math.cos(view.pitch), Math.sin(view.pitch)];
    return (i, j, k, out = [0, 0, 0]) => {
      const x = i / goal - 0.5, y = j / goal - 0.5, z = (k / tall - 0.32) * 0.66;
      const across = x * cy - y * sy, deep = x * sy + y * cy, away = deep * cp - z * sp, near = size / (1 + 0.22 * away);
      out[0] = width / 2 + across * near;
      out[1] = high * 0.46 - (deep * sp + z * cp) * near;
      out[2] = away;
      return out;
    };
  }
}
