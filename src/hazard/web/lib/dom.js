// Makes elements. `h("button", {class: "primary", onclick: go}, "Roll")`, `s("circle", {r: 3})`.
// Attributes that are functions listen to events; true and false set or leave out; `style` takes an object.

const SVG = "http://www.w3.org/2000/svg";

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function set(element, name, value) {
  if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
  else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
  else if (value === true) element.setAttribute(name, "");
  else if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

// What an SVG picture says to screen readers, and a box that scales.
export function picture(width, height, label, ...children) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label, class: "picture" }, ...children);
}

// Makes a part of an SVG picture something that can be pressed, by pointer and by keyboard.
export function pressable(element, label, press) {
  set(element, "role", "button");
  set(element, "tabindex", "0");
  set(element, "aria-label", label);
  element.classList.add("pressable");
  element.addEventListener("click", press);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press(event);
  });
  return element;
}

export const percent = (chance, digits = 1) => `${(100 * chance).toFixed(digits)} %`;
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
