// Papers: all of them at /papers, one at /papers/NAME.

import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { styled } from "../lib/styles.js";
import { paperPage } from "../results/papers/one.js";
import { shelf } from "../results/papers/all.js";
import { trouble } from "./missing.js";

export async function page({ path, query, main, title }) {
  await styled("/static/results/results.css");
  const name = path.replace(/^\/papers\/?/, "").replace(/\/$/, "");
  if (!name) {
    title("Papers");
    return main.append(...shelf((await get("/api/papers")).papers));
  }
  try {
    const found = await get(`/api/papers/${name}`);
    title(found.title);
    return main.append(...paperPage(found, query));
  } catch (problem) {
    if (problem.code !== "unknown") throw problem;
    title("Not found");
    return main.append(trouble(problem, "This paper is not there", h("a", { class: "button", href: "/papers" }, "All papers")));
  }
}
