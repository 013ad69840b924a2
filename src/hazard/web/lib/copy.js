// A text that can be copied: a field and a button. Where the browser does not let a page copy, the text is selected.

import { h } from "./dom.js";
import { notice } from "./notices.js";

export async function copy(text, field = null) {
  try {
    await navigator.clipboard.writeText(text);
    notice("Copied.", "good");
  } catch {
    field?.select();
    notice("This browser does not let a page copy. The text is selected: copy it with Ctrl+C.");
  }
}

export function copyable(label, text) {
  const field = h("input", { type: "text", readonly: true, value: text, "aria-label": label, onfocus: () => field.select() });
  const button = h("button", { "aria-label": `copy: ${label}`, onclick: () => copy(text, field) }, "Copy");
  return h("div", { class: "copyable" }, field, button);
}
