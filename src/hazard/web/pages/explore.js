// Solved games to explore: what there is, and one page for each.

import { nameNoMore } from "../explore/common.js";
import { h } from "../lib/dom.js";
import { boardOf, games, inOrder, partOf } from "../lib/games.js";
import { styled } from "../lib/styles.js";
import { howTo } from "../room/how.js";
import { cover } from "./cards.js";
import { trouble } from "./missing.js";

const LEAD = "Where a game is solved, the answer to “what should I have done?” is not an opinion. Look around in it.";

export async function page({ path, query, main, title }) {
  const name = path.replace(/^\/explore\/?/, "").replace(/\/$/, "");
  const [all] = await Promise.all([games(), styled("/static/explore/explore.css")]);
  const shown = inOrder(all).filter((game) => all[game].lab.explore && all[game].lab.web.includes("explore"));
  main.classList.add("explore");
  if (!name) return list(main, title, shown, all);
  const there = shown.includes(name);
  title(there ? `${all[name].title}, solved` : "Not found");
  if (!there) return void main.append(trouble(new Error(`There is no solved game ${name} here.`), "That is not there", back()));
  return begin(await partOf(name, "explore"), name, all[name], query, main);
}

// Shows a game without waiting for it; what it leaves behind is ended when the page is left.
function begin(module, name, game, query, main) {
  let left = false, end = null;
  const usual = h("a", { class: "button", href: `/explore/${name}` }, "The usual game");
  module.show({ query, main, gone: () => left })
    .then((close) => { if (left) close?.(); else end = close; })
    .catch((problem) => { if (!left) main.replaceChildren(trouble(problem, undefined, back(), usual)); });
  explain(name, game, main);
  return () => {
    left = true;
    nameNoMore();
    end?.();
  };
}

// How the game is played, below all else; something to read while a game is being solved.
async function explain(name, game, main) {
  const { how = game.summary } = await boardOf(name), words = howTo(how);
  words.classList.add("x-how");
  main.append(words);
}

const back = () => h("a", { class: "button", href: "/explore/" }, "Solved games");

async function list(main, title, names, all) {
  title("Solved games");
  const pictures = await Promise.all(names.map(cover));
  const card = (name, at) => h("a", { class: "panel x-card", href: `/explore/${name}` },
    pictures[at], h("h2", {}, all[name].title), h("p", {}, all[name].lab.explore));
  main.append(h("div", { class: "x-head" }, h("h1", {}, "Solved games"), h("p", { class: "x-lead" }, LEAD)),
    h("div", { class: "x-cards" }, names.map(card)));
}
