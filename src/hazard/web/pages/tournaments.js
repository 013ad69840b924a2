// Tournaments: all of them at /tournaments, one at /tournaments/NAME.

import { h } from "../lib/dom.js";
import { styled } from "../lib/styles.js";
import { showAll } from "../results/tournaments/all.js";
import { showOne } from "../results/tournaments/one.js";
import { trouble } from "./missing.js";

export async function page({ path, main, title }) {
  await styled("/static/results/results.css");
  const name = nameIn(path);
  if (!name) return showAll({ main, title });
  try {
    return await showOne(name, { main, title });
  } catch (problem) {
    if (problem.code !== "unknown") throw problem;
    title("Not found");
    const back = h("a", { class: "button", href: "/tournaments" }, "All tournaments");
    main.replaceChildren(trouble(problem, "This tournament is not there", back));
    return null;
  }
}

function nameIn(path) {
  const text = path.replace(/^\/tournaments\/?/, "").replace(/\/$/, "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
