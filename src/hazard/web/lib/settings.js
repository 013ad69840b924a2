// What a person has chosen in this browser: theme, speed, analysis, name; and the tokens of seats, which lead back to them.

const DEFAULTS = { theme: "auto", speed: "normal", analysis: false, name: "" };
const DURATIONS = { off: 0, fast: 180, normal: 500, slow: 1200 }; // milliseconds for one step of a game

const read = (key, fallback) => {
  try {
    return JSON.parse(localStorage.getItem(`hazard.${key}`)) ?? fallback;
  } catch {
    return fallback;
  }
};
const write = (key, value) => {
  try {
    localStorage.setItem(`hazard.${key}`, JSON.stringify(value));
  } catch {
    /* a browser that keeps nothing works all the same */
  }
};

export const setting = (name) => read(name, DEFAULTS[name]);
export function choose(name, value) {
  write(name, value);
  if (name === "theme") applyTheme();
}

export const duration = () => DURATIONS[setting("speed")] ?? DURATIONS.normal;

export function applyTheme() {
  const theme = setting("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const tokenOf = (room) => read("tokens", {})[room] ?? "";
export function keepToken(room, token) {
  const kept = Object.entries(read("tokens", {})).filter(([name]) => name !== room);
  write("tokens", Object.fromEntries([...kept.slice(-199), [room, token]]));
}

// What proves that this browser is the owner's; empty for everybody else.
export const ownerToken = () => read("owner", "");
export const keepOwner = (token) => write("owner", token);

// What this browser needs for its part in the dice of a room; see parts.js.
export const diceOf = (room) => read("dice", {})[room] ?? null;
export function keepDice(room, facts) {
  const kept = Object.entries(read("dice", {})).filter(([name]) => name !== room);
  write("dice", Object.fromEntries([...kept.slice(-199), [room, facts]]));
}

// Rooms that this browser plays in: {room, game, names, over, at}, the latest last.
export const keptRooms = () => read("rooms", []);
export function keepRoom(facts) {
  const others = keptRooms().filter(({ room }) => room !== facts.room);
  write("rooms", [...others.slice(-99), { ...facts, at: Date.now() }]);
}
export const forgetRoom = (room) => write("rooms", keptRooms().filter((kept) => kept.room !== room));
