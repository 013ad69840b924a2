// What is wrong with a page, as a list of sentences: for those who listen to it, and for those who see it.
() => {
  const problems = [];
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const say = (element, words) => problems.push(`${words}: ${element.outerHTML.slice(0, 160)}`);

  // Names of all that can be pressed or filled in.
  const nameOf = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
    const label = element.getAttribute("aria-label") ?? "";
    const written = [...(element.labels ?? [])].map((one) => one.textContent).join(" ");
    return (label || written || element.textContent || element.title || element.value || "").trim();
  };
  const controls = "a[href], button, input, select, textarea, summary, [role=button], [tabindex='0']";
  for (const element of document.querySelectorAll(controls)) {
    if (shown(element) && !nameOf(element)) say(element, "has no name");
  }
  for (const element of document.querySelectorAll("img")) if (!element.hasAttribute("alt")) say(element, "has no words");
  for (const element of document.querySelectorAll("[id]")) {
    if (document.querySelectorAll(`#${CSS.escape(element.id)}`).length > 1) say(element, "is not the only one of its id");
  }
  if (document.querySelectorAll("h1").length !== 1) problems.push("there is not one heading of the first kind");
  if (!document.title || !document.documentElement.lang) problems.push("there is no title, or no language");

  // Large enough to be pressed with a finger, unless it stands in a line of text.
  for (const element of document.querySelectorAll("main button, main select, main [role=button]")) {
    const { width, height } = element.getBoundingClientRect();
    if (shown(element) && width > 0 && (width < 24 || height < 24)) say(element, `is small, ${width} x ${height}`);
  }

  // Contrast of text with what is behind it; pictures paint on what they like, and have checks of their own.
  const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const part = (n) => (n / 255 <= 0.04045 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = colour.map(part);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const over = (top, below) => {
    const alpha = top[3] ?? 1;
    return [0, 1, 2].map((n) => alpha * top[n] + (1 - alpha) * below[n]);
  };
  const plain = (colour) => /^rgba?\(/.test(colour);
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      if (backgroundImage !== "none" || !plain(backgroundColor)) return null;
      layers.push(numbers(backgroundColor));
      if ((layers.at(-1)[3] ?? 1) === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !shown(element) || element.closest("svg, noscript, :disabled, [aria-hidden=true]")) continue;
    const style = getComputedStyle(element), ground = behind(element);
    if (!ground || !plain(style.color)) continue;
    const [a, b] = [light(over(numbers(style.color), ground)), light(ground)].sort((x, y) => y - x);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) say(element, `contrast is ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }

  if (document.documentElement.scrollWidth > innerWidth + 1) problems.push(`the page is ${document.documentElement.scrollWidth} wide, and can be scrolled sideways`);
  return problems;
}
