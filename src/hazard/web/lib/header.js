// The header of all pages: the name, where one can go, and light or dark.

import { h, s } from "./dom.js";
import { ownerButton } from "./owner.js";
import { choose, setting } from "./settings.js";

const PLACES = [
  ["/", "Play"], ["/learn", "Learn"], ["/games", "Games"], ["/explore/", "Explore"], ["/atlas", "Atlas"],
  ["/tournaments", "Tournaments"], ["/papers", "Papers"],
];
const PIPS = [[9.5, 9.5], [22.5, 9.5], [16, 16], [9.5, 22.5], [22.5, 22.5]];
const THEMES = [["auto", "Theme: auto"], ["light", "Theme: light"], ["dark", "Theme: dark"]];

export function header() {
  const places = PLACES.map(([href, name]) => h("a", { href, class: "place" }, name));
  const home = h("a", { href: "/", class: "top-home", "aria-label": "Hazard, start page" }, logo(), h("span", {}, "Hazard"));
  return h("div", { class: "top" }, home, h("nav", { "aria-label": "main" }, places), ownerButton(), theme());
}

// Marks the place that an address belongs to.
export function mark(path) {
  for (const link of document.querySelectorAll("#top .place")) {
    const base = link.getAttribute("href").replace(/\/$/, "");
    const here = base ? path === base || path.startsWith(`${base}/`) : path === "/" || path.startsWith("/rooms/");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function theme() {
  const options = THEMES.map(([value, name]) => h("option", { value, selected: setting("theme") === value }, name));
  const change = (event) => choose("theme", event.target.value);
  return h("select", { class: "theme", "aria-label": "theme, light or dark", title: "light or dark", onchange: change }, options);
}

const logo = () =>
  s("svg", { viewBox: "0 0 32 32", width: 28, height: 28, "aria-hidden": "true" },
    s("rect", { x: 2, y: 2, width: 28, height: 28, rx: 6, class: "logo-body" }),
    PIPS.map(([cx, cy]) => s("circle", { cx, cy, r: 3, class: "logo-pip" })));
