// The switch for analysis. Its module is loaded when it is first wanted.

import { h } from "../../lib/dom.js";
import { choose, setting } from "../../lib/settings.js";

export class AnalysisPart {
  // `changed()` is called when there are other values to draw.
  constructor({ store, cursor }, changed) {
    Object.assign(this, { store, cursor, changed, analysis: null });
    this.box = h("input", { type: "checkbox", role: "switch", checked: setting("analysis") });
    this.box.addEventListener("change", () => this.turn(this.box.checked));
    this.place = h("div", { class: "analysis-place" });
    this.words = h("p", { class: "quiet", hidden: true }, "There is no analysis in this room before the game is over.");
    this.element = h("section", { class: "panel analysis-panel", "aria-label": "analysis" },
      h("h2", { class: "switch-title" }, h("label", { class: "switch" }, this.box, h("span", {}, "Analysis"))),
      this.words, this.place);
  }

  update() {
    this.box.disabled = !this.store.mayAnalyse;
    this.words.hidden = this.store.mayAnalyse;
    if (this.box.checked && this.store.mayAnalyse && this.store.game && !this.analysis) this.open();
  }

  turn(on) {
    choose("analysis", on);
    if (on) this.update();
    else this.shut();
    this.changed();
  }

  async open() {
    if (this.opening) return;
    this.opening = true;
    try {
      const { createAnalysis } = await import("./panel.js");
      if (this.box.checked && !this.closed) this.take(createAnalysis(this.store, this.cursor));
    } catch (problem) {
      console.warn(problem);
      const words = "The analysis could not be loaded. Turn it off and on to try again.";
      this.place.replaceChildren(h("p", { class: "problem", role: "alert" }, words));
    }
    this.opening = false;
  }

  take(analysis) {
    this.analysis = analysis;
    analysis.addEventListener("change", () => this.changed());
    this.place.replaceChildren(analysis.element);
    this.changed();
  }

  values(position) {
    return this.analysis?.values(position) ?? null;
  }

  shut() {
    this.analysis?.close();
    this.analysis = null;
    this.place.replaceChildren();
  }

  close() {
    this.closed = true;
    this.shut();
  }
}
