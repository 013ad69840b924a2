// Stylesheets that are loaded when they are first needed, once each.

import { h } from "./dom.js";

const loading = new Map();

// Kept when the stylesheet is there, or cannot be had: a page without it is better than none.
export function styled(href) {
  const load = (done) => document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done }));
  if (!loading.has(href)) loading.set(href, new Promise(load));
  return loading.get(href);
}
