// Solved games to explore: what there is, and one page for each.

import { nameNoMore } from "../explore/common.js";
import { h } from "../lib/dom.js";
import { battles, hexagons, policy, tiles } from "../explore/covers.js";
import { trouble } from "./missing.js";

const GAMES = {
  "great-rolled-ones": ["Great Rolled Ones", policy,
    "When to hold, for every score: maps of the perfect player, and the surface between rolling and holding, to be turned."],
  risk: ["Risk", battles, "How any battle ends, and how many dice the defender should roll against every roll of the attacker."],
  pickomino: ["Pickomino", tiles,
    "A turn adviser to lay beside a real table: press the dice you rolled, and see what to keep and what each choice is worth."],
  "dice-of-doom": ["Dice of Doom", hexagons,
    "Small boards, solved. Set up any position by clicking: chances and the value of every move, at once."],
};
const LEAD = "Where a game is solved, the answer to “what should I have done?” is not an opinion. Look around in it.";

export async function page({ path, query, main, title }) {
  const name = path.replace(/^\/explore\/?/, "").replace(/\/$/, ""), game = Object.hasOwn(GAMES, name);
  const [module] = await Promise.all([game ? import(`../explore/${name}.js`) : null, styled()]);
  main.classList.add("explore");
  main.replaceChildren();
  if (!name) return void list(main, title);
  title(game ? `${GAMES[name][0]}, solved` : "Not found");
  if (!game) return void main.append(trouble(new Error(`There is no solved game ${name} here.`), "That is not there", back()));
  return begin(module, name, query, main);
}

// Shows a game without waiting for it; what it leaves behind is ended when the page is left.
function begin(module, name, query, main) {
  let left = false, end = null;
  const usual = h("a", { class: "button", href: `/explore/${name}` }, "The usual game");
  module.show({ query, main, gone: () => left })
    .then((found) => { if (left) found?.(); else end = found; })
    .catch((problem) => { if (!left) main.replaceChildren(trouble(problem, undefined, back(), usual)); });
  explain(name, main);
  return () => {
    left = true;
    nameNoMore();
    end?.();
  };
}

// How the game is played, below all else; something to read while a game is being solved.
async function explain(name, main) {
  const { how } = await import(`../boards/${name}.js`), words = [how].flat().map((text) => h("p", {}, text));
  main.append(h("details", { class: "panel how x-how", open: true }, h("summary", {}, "How to play"), words));
}

const back = () => h("a", { class: "button", href: "/explore/" }, "Solved games");

let loaded;
// The stylesheet of these pages, once.
const styled = () => (loaded ??= new Promise((done) => {
  document.head.append(h("link", { rel: "stylesheet", href: "/static/explore/explore.css", onload: done, onerror: done }));
}));

function list(main, title) {
  title("Solved games");
  const card = ([name, [game, cover, words]]) =>
    h("a", { class: "panel x-card", href: `/explore/${name}` }, cover(), h("h2", {}, game), h("p", {}, words));
  main.append(h("div", { class: "x-head" }, h("h1", {}, "Solved games"), h("p", { class: "x-lead" }, LEAD)),
    h("div", { class: "x-cards" }, Object.entries(GAMES).map(card)));
}
