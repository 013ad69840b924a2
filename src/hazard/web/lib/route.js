// Going from page to page without loading anew; app.js hears of it.

export const MOVED = "hazard:moved";

const tell = () => dispatchEvent(new Event(MOVED));

export function go(address) {
  history.pushState(null, "", address);
  tell();
}

// Another address for what is shown already; nothing is loaded.
export const rename = (address) => history.replaceState(null, "", address);

export function instead(address) {
  rename(address);
  tell();
}

// `address("/position", {game: "pig"})`
export const address = (path, query = {}) => {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined));
  return words.size ? `${path}?${words}` : path;
};
