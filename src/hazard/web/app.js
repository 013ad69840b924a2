// The lab: finds the page for an address and shows it; the header; links that do not reload the page.

import { h } from "./lib/dom.js";
import { header, mark } from "./lib/header.js";
import { OWNER, arrive } from "./lib/owner.js";
import { MOVED, go } from "./lib/route.js";
import { applyTheme } from "./lib/settings.js";

// Addresses and the modules of their pages. A page is `page({path, query, main, title})`; it fills `main`, says its name
// with `title(text)`, and may return a function that is called when it is left.
const PAGES = [
  [/^\/$/, "./pages/start.js"],
  [/^\/rooms\/[^/]+\/?$/, "./room/page.js"],
  [/^\/position\/?$/, "./pages/position.js"],
  [/^\/games\/?$/, "./pages/games.js"],
  [/^\/learn(\/|$)/, "./pages/learn.js"],
  [/^\/explore(\/|$)/, "./pages/explore.js"],
  [/^\/tournaments(\/|$)/, "./pages/tournaments.js"],
  [/^\/papers(\/|$)/, "./pages/papers.js"],
  [/^\/atlas\/?$/, "./pages/atlas.js"],
];
const NAME = "Hazard";
let leave = null; // what the page that is shown wants to be called when it is left
let visit = 0; // pages that arrive late are not shown

const moduleFor = (path) => PAGES.find(([pattern]) => pattern.test(path))?.[1] ?? "./pages/missing.js";
const title = (text) => { document.title = text ? `${text} - ${NAME}` : `${NAME}, the lab for dice games`; };

async function show(first = false) {
  const mine = ++visit, path = location.pathname;
  await leave?.();
  leave = null;
  const main = document.querySelector("#main"), place = h("div", { class: "page" });
  const wait = h("p", { class: "wait", role: "status", hidden: true }, "One moment ...");
  main.replaceChildren(place, wait);
  const timer = setTimeout(() => { wait.hidden = false; }, 400);
  mark(path);
  title("");
  if (!first) main.focus({ preventScroll: true });
  scrollTo(0, 0);
  const left = await filled(path, place);
  clearTimeout(timer);
  wait.remove();
  if (mine === visit) leave = left ?? null;
  else left?.();
}

async function filled(path, main) {
  try {
    const { page } = await load(moduleFor(path));
    return await page({ path, query: new URLSearchParams(location.search), main, title });
  } catch (problem) {
    if (!problem.code) console.warn(problem);
    const { trouble } = await import("./pages/missing.js");
    main.replaceChildren(trouble(problem));
    return null;
  }
}

async function load(module) {
  try {
    return await import(module);
  } catch (problem) {
    if (!(problem instanceof TypeError)) throw problem; // the module is there, and is wrong
    throw new Error(`This part of the lab could not be loaded (${problem.message}). Is the server still running?`);
  }
}

// --- links ----------------------------------------------------------------------------------------------------------
function internal(event) {
  const link = event.target.closest?.("a[href]");
  const held = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  const special = event.defaultPrevented || event.button !== 0 || held;
  if (!link || special || link.target || link.hasAttribute("download") || link.origin !== location.origin) return null;
  const loaded = /^\/(static|api)\//.test(link.pathname) || link.pathname === "/schema.json";
  return loaded || (link.hash && link.pathname === location.pathname) ? null : link;
}

document.addEventListener("click", (event) => {
  const link = internal(event);
  if (!link) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
addEventListener(MOVED, () => show());
addEventListener(OWNER, () => /^\/tournaments/.test(location.pathname) && show());
addEventListener("popstate", () => show());
addEventListener("unhandledrejection", (event) => console.error(event.reason));

applyTheme();
await arrive();
document.querySelector("#top").append(header());
show(true);
