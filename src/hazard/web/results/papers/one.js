// One paper: what it published, what we find, every figure, our own tables, and the pictures.

import { get } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { findings } from "./findings.js";
import { figures } from "./pictures.js";
import { source } from "./all.js";
import { notThere, underWay, watching } from "./making.js";
import { redraw, table, wide } from "../table.js";
import { verdictBar } from "./verdicts.js";

const OPEN = 2; // tables that are unfolded at first, if they are not long
const SHORT = 12; // rows

// Shows a paper; while its study is being made, the page follows.
export function showOne(paper, query, main) {
  main.append(...paperPage(paper, query));
  if (!underWay(paper)) return null;
  const look = async () => {
    const found = await get(`/api/papers/${paper.name}`);
    if (found.study) main.replaceChildren(...paperPage(found, query));
    else redraw(main.querySelector(".found"), notThere(found));
    return underWay(found);
  };
  return watching(look);
}

function paperPage(paper, query) {
  const { study } = paper;
  return [
    h("div", { class: "paper-head" },
      h("p", { class: "crumb" }, h("a", { href: "/papers" }, "Papers"), " /"),
      h("h1", {}, paper.title), h("p", { class: "quiet" }, source(paper))),
    h("div", { class: "two" },
      h("section", { class: "panel" },
        h("h2", {}, "What it published"), h("p", {}, paper.published),
        h("a", { class: "button", href: `/?game=${paper.name}` }, "Play the game")),
      h("section", { class: "panel" },
        h("h2", {}, "What we find"), h("p", {}, paper.found), h("div", { class: "found" }, study ? verdictBar(paper.verdicts) : notThere(paper)))),
    ...(study ? [findings(study, query), figures(study.figures), tables(study.tables)] : []),
  ].filter(Boolean);
}

function tables(all) {
  if (!all.length) return null;
  const one = ({ title, columns, rows, note }, n) =>
    h("details", { class: "own-table", open: n < OPEN && rows.length <= SHORT },
      h("summary", {}, title), wide(title, table(title, columns, rows, "plain")),
      note ? h("p", { class: "quiet small" }, note) : "");
  return h("section", { class: "panel" }, h("h2", {}, "Beyond the paper"), all.map(one));
}
