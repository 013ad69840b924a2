// Papers: all of them at /papers, one at /papers/NAME.

import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { styled } from "../lib/styles.js";
import { showAll } from "../results/papers/all.js";
import { showOne } from "../results/papers/one.js";
import { trouble } from "./missing.js";

export async function page({ path, query, main, title }) {
  await styled("/static/results/results.css");
  const name = path.replace(/^\/papers\/?/, "").replace(/\/$/, "");
  if (!name) {
    title("Papers");
    return showAll(await get("/api/papers"), main);
  }
  try {
    const found = await get(`/api/papers/${name}`);
    title(found.title);
    return showOne(found, query, main);
  } catch (problem) {
    if (problem.code !== "unknown") throw problem;
    title("Not found");
    main.append(trouble(problem, "This paper is not there", h("a", { class: "button", href: "/papers" }, "All papers")));
    return null;
  }
}
