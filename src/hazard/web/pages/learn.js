// Learn: puzzles of every game that has some. Find the best move; what was missed comes again.

import { get } from "../lib/api.js";
import { copyable } from "../lib/copy.js";
import { dialog } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { boardOf, games, inOrder } from "../lib/games.js";
import { address, go, rename } from "../lib/route.js";
import { styled } from "../lib/styles.js";
import { howTo } from "../room/how.js";
import { positionAddress } from "../room/share.js";
import { createPuzzle } from "../learn/puzzle.js";
import { counted, next, ofDay, tried } from "../learn/memory.js";
import { trouble } from "./missing.js";

const LEAD = "Find the best move. Each puzzle is a position in which one choice is clearly better than the others, and the "
  + "obvious one is often wrong. What you miss comes again, first soon, then later.";
const TODAY = "today";

export async function page({ path, main, title }) {
  const [name, id] = path.replace(/^\/learn\/?/, "").split("/");
  const [all, there] = await Promise.all([games(), get("/api/puzzles"), styled("/static/learn/learn.css")]);
  if (!name) return list(main, title, all, there.games);
  if (!all[name] || !there.games[name]) {
    title("Not found");
    const back = h("a", { class: "button", href: "/learn" }, "All puzzles");
    return void main.append(trouble(new Error(`There are no puzzles of ${name} here. \`hazard puzzles ${name}\` makes some.`), "That is not there", back));
  }
  title(`${all[name].title}: find the best move`);
  const { puzzles } = await get(`/api/puzzles/${name}`);
  return new LearnView({ name, game: all[name], module: await boardOf(name), puzzles, title }).begin(main, id ?? "");
}

function list(main, title, all, there) {
  title("Learn");
  const names = inOrder(all).filter((name) => there[name]);
  main.append(h("h1", {}, "Learn"), h("p", {}, LEAD), h("div", { class: "learn-cards" }, names.map((name) => card(name, all[name], there[name]))));
}

function card(name, { title }, { levels, known }) {
  const count = Object.values(levels).reduce((sum, one) => sum + one, 0), { solved, due } = counted(name);
  const mine = solved ? `You have solved ${solved}.` : "", again = due ? ` ${due} that you missed ${due > 1 ? "are" : "is"} due.` : "";
  const how = known === "exact" ? "exact values" : "a network's judgement";
  return h("section", { class: "panel learn-card" },
    h("h2", {}, title), h("p", {}, `${count} puzzles by ${how}. ${mine}${again}`),
    h("div", { class: "row" }, h("a", { class: "button primary", href: `/learn/${name}` }, "Practise"),
      h("a", { class: "button", href: `/learn/${name}/${TODAY}` }, "Puzzle of the day")));
}

class LearnView {
  constructor(given) {
    Object.assign(this, given, { left: false });
    this.level = h("p", { class: "quiet" });
    this.place = h("div", {});
    this.actions = h("div", { class: "row learn-row" });
  }

  async begin(main, wanted) {
    const { game, module } = this;
    main.append(h("div", { class: "learn-head" }, h("h1", {}, `${game.title}: find the best move`), this.level),
      this.place, this.actions, howTo(module.how ?? game.summary));
    const id = wanted === TODAY ? ofDay(this.puzzles) : wanted || next(this.name, this.puzzles);
    await this.show(id, wanted === TODAY);
    return () => { this.left = true; this.board?.close(); };
  }

  async show(id, today = false) {
    const { name, module } = this, puzzle = await get(`/api/puzzles/${name}/${encodeURIComponent(id)}`);
    const done = (right) => tried(name, id, right);
    const board = await createPuzzle({ game: name, parameters: puzzle.parameters, module, puzzle, done });
    if (this.left) return board.close();
    this.board?.close();
    Object.assign(this, { board, puzzle });
    rename(address(`/learn/${name}/${today ? TODAY : id}`, {}));
    const stars = `${"●".repeat(puzzle.level)}${"○".repeat(5 - puzzle.level)}`;
    this.level.replaceChildren(today ? "Puzzle of the day. " : "", h("span", { role: "img", "aria-label": `difficulty ${puzzle.level} of 5` }, stars));
    this.place.replaceChildren(board.element);
    this.offer("Another puzzle");
    board.element.addEventListener("answered", () => this.offer("Next puzzle", true));
    return null;
  }

  offer(text, done = false) {
    const { name, puzzle, game } = this;
    const onwards = h("button", { class: done ? "primary" : "", "data-key": "n", onclick: () => this.onward() }, text);
    const look = h("a", { class: "button", href: positionAddress(name, puzzle.parameters, game, puzzle.position) }, "Analyse it");
    this.actions.replaceChildren(onwards, h("button", { onclick: () => this.share() }, "Share"), ...(done ? [look] : []));
    if (done) onwards.focus({ preventScroll: true });
  }

  onward() {
    return this.show(next(this.name, this.puzzles, this.puzzle.id)).catch(() => go(`/learn/${this.name}`));
  }

  share() {
    dialog("Share this puzzle", (close) => [
      copyable("link to this puzzle", `${location.origin}/learn/${this.name}/${this.puzzle.id}`),
      h("div", { class: "row end" }, h("button", { onclick: close }, "Close")),
    ]);
  }
}
