// Addresses that lead nowhere, and pages that could not be shown: words, and a way back.

import { h } from "../lib/dom.js";

export async function page({ path, main, title }) {
  title("Not found");
  main.append(trouble(new Error(`There is no such page: ${path}`), "This page is not there"));
}

const HEADINGS = {
  room: "This room is not there", offline: "The server does not answer", input: "That is not right", unknown: "That is not there",
};

// What went wrong, in words. `more` are further ways on.
export function trouble(problem, heading = HEADINGS[problem.code] ?? "This did not work", ...more) {
  return h("section", { class: "panel trouble", role: "alert" },
    h("h1", {}, heading),
    h("p", {}, problem.message),
    h("div", { class: "row" },
      more,
      h("a", { href: "/", class: "button primary" }, "To the start page"),
      problem.code === "offline" ? h("button", { onclick: () => location.reload() }, "Try again") : null));
}
