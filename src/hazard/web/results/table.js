// Tables: `table(caption, columns, rows)`. A column is a heading, or {name, kind, label}; a cell is text, elements, or a
// whole <td> or <th> of its own. Narrow windows may fold rows; then cells show the heading they stand under.

import { h } from "../lib/dom.js";

const named = (column) => (typeof column === "string" ? { name: column } : column);

export function table(caption, columns, rows, kind = "") {
  const heads = columns.map(named);
  const heading = ({ name, kind: style, label }) => h("th", { scope: "col", class: style, "aria-label": label }, name);
  const plain = (found, { name, kind: style } = {}) => h("td", { class: style, "data-label": name || null }, found);
  const cell = (found, n) => (isCell(found) ? found : plain(found, heads[n]));
  return h("table", { class: `results-table ${kind}` },
    h("caption", { class: "hush" }, caption),
    h("thead", {}, h("tr", {}, heads.map(heading))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map(cell)))));
}

const isCell = (cell) => cell instanceof HTMLTableCellElement;

// A part that scrolls sideways where it is too wide; it can be reached by keyboard for that.
export const wide = (label, ...parts) =>
  h("div", { class: "results-wide", tabindex: "0", role: "region", "aria-label": label }, parts);

// Page by page: `turn(page)` is called with the page to show.
export function pager(page, pages, words, turn) {
  const button = (label, sign, to) => {
    const there = to >= 0 && to < pages;
    return h("button", { "aria-label": label, "data-focus": label, disabled: !there, onclick: () => turn(to) }, sign);
  };
  const [before, next] = [button("page before", "‹", page - 1), button("next page", "›", page + 1)];
  return h("div", { class: "results-pager" }, before, h("span", { role: "status" }, words), next);
}

// Draws a part again and keeps the keyboard focus: what has the same `data-focus` gets it back.
export function redraw(place, ...parts) {
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  place.replaceChildren(...parts.flat(Infinity).filter((part) => part !== null && part !== undefined && part !== false));
  if (key) [...place.querySelectorAll("[data-focus]")].find((element) => element.dataset.focus === key)?.focus();
}
