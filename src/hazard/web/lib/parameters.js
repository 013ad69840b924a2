// Parameters of a game as fields of a form.

import { h } from "./dom.js";
import { capital } from "./seats.js";

export class ParameterFields {
  // `parameters` as GET /api/games lists them, `preset` values for some of them; `changed()` hears of any change.
  constructor(parameters, preset, changed) {
    this.inputs = new Map();
    this.labels = new Map(parameters.map((one) => [one.name, this.label(one, preset[one.name] ?? one.default, changed)]));
  }

  label({ name, help, range, choices }, value, changed) {
    const [, min, max] = /^(-?\d+) to (-?\d+)$/.exec(range) ?? [];
    const kind = min ? { type: "number", min, max, step: 1 } : { type: "text" };
    const options = choices.map((choice) => h("option", { selected: choice === value }, choice));
    const input = options.length ? h("select", { name }, options) : h("input", { ...kind, name, value, required: true });
    input.addEventListener("change", changed);
    this.inputs.set(name, input);
    const words = h("span", { class: "quiet" }, help, min ? ` (${range})` : "");
    return h("label", { class: "field" }, capital(name.replaceAll("_", " ")), input, words);
  }

  // The fields of some names, in that order.
  of(names) {
    return names.filter((name) => this.labels.has(name)).map((name) => this.labels.get(name));
  }

  get names() {
    return [...this.labels.keys()];
  }

  get values() {
    const value = ({ type, value: text }) => (type === "number" && /^-?\d+$/.test(text.trim()) ? Number(text) : text.trim());
    return Object.fromEntries([...this.inputs].map(([name, input]) => [name, value(input)]));
  }
}
