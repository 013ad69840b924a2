// Goes from page to page without reloading; app.js listens for it.

export const MOVED = "hazard:moved";

const tell = () => dispatchEvent(new Event(MOVED));

export function go(address) {
  history.pushState(null, "", address);
  tell();
}

// Another address for what is shown already; nothing is loaded.
export const rename = (address) => history.replaceState(null, "", address);

// `address("/position", {game: "pig"})`
export const address = (path, query = {}) => {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined));
  return words.size ? `${path}?${words}` : path;
};
