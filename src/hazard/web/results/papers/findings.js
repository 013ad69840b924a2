// Every published figure beside ours, with a search and a filter by verdict and place.

import { h } from "../../lib/dom.js";
import { pager, redraw, table } from "../table.js";
import { VERDICTS, verdictTag } from "./verdicts.js";
import { count, several } from "../words.js";

const PAGE = 40; // figures
const COLUMNS = ["Where", "Quantity", { name: "Published", kind: "figure" }, { name: "Ours", kind: "figure" }, "Verdict", "Note"];

export function findings({ findings: all, criterion }, query) {
  const place = h("div", {}), again = () => show(0);
  const search = h("input", { type: "text", value: query.get("search") ?? "", placeholder: "e.g. table 2", oninput: again });
  const verdicts = VERDICTS.map(([name]) => name).filter((name) => all.some((one) => one.verdict === name));
  const verdict = choice("any verdict", verdicts, again);
  const where = choice("anywhere", [...new Set(all.map((finding) => finding.where))], again);
  const is = (input, value) => !input.value || input.value === value;
  const fits = (one) => is(verdict, one.verdict) && is(where, one.where) && matches(one, search.value);
  const show = (page) => redraw(place, shown(all.filter(fits), all.length, page, show));
  verdict.value = query.get("verdict") ?? "";
  show(0);
  return h("section", { class: "panel" }, h("h2", {}, "Published figures and ours"),
    h("div", { class: "filters" }, field("Verdict", verdict), field("Where", where), field("Search", search)),
    place, criterion ? h("p", { class: "quiet small" }, criterion) : "");
}

function shown(some, all, page, turn) {
  if (!some.length) return h("p", { class: "quiet", role: "status" }, "No figure is like that.");
  const first = PAGE * page, part = some.slice(first, first + PAGE), pages = Math.ceil(some.length / PAGE);
  const found = table("Published figures and ours", COLUMNS, part.map(row), "findings-table folding");
  const range = `${count(first + 1)} to ${count(first + part.length)} of ${several(some.length, "figure")}`;
  if (pages > 1) return [found, pager(page, pages, range, turn)];
  const words = `${several(some.length, "figure")}${some.length < all ? ` of ${count(all)}` : ""}`;
  return [found, h("p", { class: "quiet small", role: "status" }, words)];
}

const row = ({ where, quantity, published, ours, verdict, note }) =>
  [where, quantity, published, ours, verdictTag(verdict), note];

const field = (words, input) => h("label", { class: "field" }, words, input);

const choice = (any, names, changed) =>
  h("select", { onchange: changed }, h("option", { value: "" }, any), names.map((name) => h("option", { value: name }, name)));

// Whether all words that are searched for occur somewhere.
function matches(finding, text) {
  const whole = Object.values(finding).join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => whole.includes(word));
}
