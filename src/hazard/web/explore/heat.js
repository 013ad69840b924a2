// A map of cells on a canvas with a cursor that is moved by pointer, touch and arrow keys.

import { h } from "../lib/dom.js";
import { penOn, variable } from "./common.js";

const EDGE = { left: 44, bottom: 40, top: 8, right: 10 };
const LARGEST = 20; // pixels of a cell
const FAR = 5; // cells that Shift moves at a time
const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1],
  PageUp: [0, 10], PageDown: [0, -10], Home: [-1000, 0], End: [1000, 0],
};
const within = ([first, last], n) => Math.max(first, Math.min(last, n));
const span = ([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

// `columns` and `rows` are [first, last]; `paint(x, y)` gives [red, green, blue]; `dots(x, y)` says whether a cell is
// dotted; `moved(x, y)` hears of the cursor, which begins `at` a cell; `label` is for screen readers.
export const heat = (facts) => new HeatMap(facts);

class HeatMap {
  constructor(facts) {
    const { columns, rows, label } = facts, spoken = { role: "application", "aria-roledescription": "map", "aria-label": label };
    Object.assign(this, { facts, cursor: facts.at, area: null, wanted: false });
    this.element = h("canvas", { class: "x-heat", tabindex: 0, ...spoken });
    this.image = h("canvas", { width: columns[1] - columns[0] + 1, height: rows[1] - rows[0] + 1 });
    this.element.addEventListener("pointerdown", (event) => this.take(event));
    this.element.addEventListener("pointermove", (event) => { if (event.buttons) this.point(event); });
    this.element.addEventListener("keydown", (event) => this.typed(event));
    this.watch = new ResizeObserver(() => this.redraw());
    this.watch.observe(this.element);
    this.fill();
  }

  close() {
    this.watch.disconnect();
  }

  relabel(text) {
    this.element.setAttribute("aria-label", text);
  }

  // Other colours or dots.
  repaint(facts) {
    Object.assign(this.facts, facts);
    this.fill();
    this.redraw();
  }

  redraw() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => this.draw());
  }

  // --- the cursor -------------------------------------------------------------------------------------------------------
  move(x, y) {
    const { columns, rows, moved } = this.facts, next = [within(columns, x), within(rows, y)];
    if (next.join() === this.cursor.join()) return;
    this.cursor = next;
    this.redraw();
    moved(...next);
  }

  take(event) {
    this.element.setPointerCapture(event.pointerId);
    this.point(event);
  }

  point({ clientX, clientY }) {
    if (!this.area) return;
    const { left, top } = this.element.getBoundingClientRect(), { cell } = this.area, { columns, rows } = this.facts;
    const right = Math.floor((clientX - left - EDGE.left) / cell), down = Math.floor((clientY - top - EDGE.top) / cell);
    this.move(columns[0] + right, rows[1] - down);
  }

  typed(event) {
    const step = STEPS[event.key], far = event.shiftKey ? FAR : 1;
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.move(this.cursor[0] + step[0] * far, this.cursor[1] + step[1] * far);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------
  // All cells, a pixel each.
  fill() {
    const { columns, rows, paint } = this.facts, { width, height } = this.image;
    const pen = this.image.getContext("2d"), pixels = pen.createImageData(width, height);
    for (const y of span(rows)) {
      for (const x of span(columns)) pixels.data.set([...paint(x, y), 255], 4 * ((rows[1] - y) * width + x - columns[0]));
    }
    pen.putImageData(pixels, 0, 0);
  }

  draw() {
    this.wanted = false;
    const width = this.element.clientWidth;
    if (!width) return;
    const cell = Math.min((width - EDGE.left - EDGE.right) / this.image.width, LARGEST);
    this.area = { cell, width: cell * this.image.width, height: cell * this.image.height };
    const pen = penOn(this.element, width, this.area.height + EDGE.top + EDGE.bottom);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.image, EDGE.left, EDGE.top, this.area.width, this.area.height);
    this.drawDots(pen);
    this.drawAxes(pen);
    this.drawCursor(pen);
  }

  // The upper left corner of a cell.
  corner(x, y) {
    const { columns, rows } = this.facts, { cell } = this.area;
    return [EDGE.left + (x - columns[0]) * cell, EDGE.top + (rows[1] - y) * cell];
  }

  drawDots(pen) {
    const { columns, rows, dots } = this.facts, half = this.area.cell / 2;
    if (!dots) return;
    Object.assign(pen, { fillStyle: "#ffffff", strokeStyle: "#000000", lineWidth: 0.5 });
    for (const [x, y] of span(rows).flatMap((y) => span(columns).map((x) => [x, y])).filter(([x, y]) => dots(x, y))) {
      const [left, top] = this.corner(x, y);
      pen.beginPath();
      pen.arc(left + half, top + half, Math.max(0.9, half / 2.75), 0, 7);
      pen.fill();
      pen.stroke();
    }
  }

  drawAxes(pen) {
    const { columns, rows, xName, yName } = this.facts, { cell, width, height } = this.area, foot = EDGE.top + height;
    Object.assign(pen, { fillStyle: variable("--soft"), font: `12px ${variable("--font")}`, textAlign: "center" });
    for (const x of ticks(columns)) pen.fillText(String(x), this.corner(x, rows[0])[0] + cell / 2, foot + 15);
    pen.fillText(xName, EDGE.left + width / 2, foot + 33);
    pen.textAlign = "right";
    for (const y of ticks(rows)) pen.fillText(String(y), EDGE.left - 6, this.corner(columns[0], y)[1] + cell / 2 + 4);
    pen.textAlign = "center";
    pen.save();
    pen.translate(12, EDGE.top + height / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(yName, 0, 0);
    pen.restore();
  }

  // A cross, open where the cell is; white in black, to be seen on any colour.
  drawCursor(pen) {
    const [x, y] = this.corner(...this.cursor), { cell, width, height } = this.area, [u, v] = [x + cell / 2, y + cell / 2];
    const { left, top } = EDGE;
    const lines = [[u, top, u, y], [u, y + cell, u, top + height], [left, v, x, v], [x + cell, v, left + width, v]];
    for (const [strokeStyle, lineWidth] of [["#000000", 3], ["#ffffff", 1.2]]) {
      Object.assign(pen, { strokeStyle, lineWidth });
      pen.beginPath();
      for (const [x1, y1, x2, y2] of lines) {
        pen.moveTo(x1, y1);
        pen.lineTo(x2, y2);
      }
      pen.rect(x - 2, y - 2, cell + 4, cell + 4);
      pen.stroke();
    }
  }
}

// Numbers along an axis, about six of them.
function ticks([first, last]) {
  const step = [1, 2, 5, 10, 20, 50].find((size) => (last - first) / size <= 6) ?? 100;
  return span([first, last]).filter((n) => n % step === 0);
}

// What colours stand for, from the least to the most.
export function legend(colour, low, high, words, middle = "") {
  const bar = h("canvas", { class: "x-legend-bar", width: 120, height: 1, "aria-hidden": "true" });
  const pen = bar.getContext("2d"), pixels = pen.createImageData(120, 1);
  for (let n = 0; n < 120; n++) pixels.data.set([...colour(n / 119), 255], 4 * n);
  pen.putImageData(pixels, 0, 0);
  const centre = h("span", { class: "x-legend-middle" }, bar, middle ? h("span", {}, middle) : "");
  return h("p", { class: "x-legend" }, h("span", {}, words), h("span", {}, low), centre, h("span", {}, high));
}
