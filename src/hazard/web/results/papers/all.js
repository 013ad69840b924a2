// The papers side by side. While studies are being made, the page follows.

import { get } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { notice } from "../../lib/notices.js";
import { card } from "../../pages/cards.js";
import { notThere, underWay, watching } from "./making.js";
import { total, verdictBar } from "./verdicts.js";
import { redraw } from "../table.js";
import { count } from "../words.js";

export async function showAll({ papers }, main) {
  const pictures = await Promise.all(papers.map(({ name }) => card(name)));
  const words = h("span", {}), rows = new Map(papers.map((paper, n) => [paper.name, new Row(paper, pictures[n])]));
  const draw = (all) => {
    words.textContent = summary(all);
    for (const paper of all) rows.get(paper.name)?.draw(paper);
    return all.some(underWay);
  };
  main.append(
    h("div", { class: "hero" },
      h("h1", {}, "Papers"),
      h("p", {}, "The games come from five papers. Every figure that they print stands here beside ours. ", words)),
    h("ul", { class: "papers" }, [...rows.values()].map(({ element }) => element)));
  return draw(papers) ? watching(async () => draw((await get("/api/papers")).papers)) : null;
}

function summary(papers) {
  const run = papers.filter((paper) => paper.run), all = run.reduce((sum, { verdicts }) => sum + total(verdicts), 0);
  const right = run.reduce((sum, { verdicts }) => sum + verdicts.reproduced, 0);
  if (run.length) return `Of ${count(all)} published figures that were put to the test here, ${count(right)} are reproduced.`;
  return papers.some(underWay)
    ? "The first studies are being made; you can play meanwhile."
    : "No study has been run here yet; each paper below says how.";
}

// One paper in the list; only what has changed is drawn again.
class Row {
  constructor(paper, picture) {
    this.found = h("div", { class: "paper-verdicts" });
    this.element = h("li", { class: "panel paper", "data-paper": paper.name },
      picture,
      h("div", { class: "paper-words" },
        h("h2", {}, h("a", { href: `/papers/${paper.name}` }, paper.title)),
        h("p", { class: "quiet" }, source(paper)), h("p", {}, paper.published)),
      this.found);
  }

  draw(paper) {
    const now = JSON.stringify([paper.run, paper.verdicts, paper.making]);
    if (now === this.drawn) return;
    redraw(this.found, paper.run ? [verdictBar(paper.verdicts), more(paper)] : notThere(paper));
    if (paper.run && this.drawn) notice(`${paper.title}: its tables and figures are there.`, "good");
    this.drawn = now;
  }
}

const more = ({ name, title }) =>
  h("a", { class: "button", href: `/papers/${name}`, "aria-label": `all figures of ${title}` }, "All figures");

export const source = ({ authors, year, place }) => `${authors}. ${place}${year ? `, ${year}` : ""}`;
