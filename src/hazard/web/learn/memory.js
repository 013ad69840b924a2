// What this browser remembers of puzzles: which were solved, which were missed and when they come again, and about how
// hard a puzzle may be. Nothing of it leaves the browser.

const KEY = "hazard.learn";
const DAY = 24 * 60 * 60 * 1000;
const AGAIN = [DAY / 144, DAY, 3 * DAY, 7 * DAY, 21 * DAY]; // what was missed comes again after these, one after the other
const START = 1.5, UP = 0.2, DOWN = 0.35, LEVELS = [1, 5]; // how hard: after a puzzle solved, and after one missed

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export const ofGame = (game) => ({ ability: START, puzzles: {}, ...all()[game] });

function keep(game, facts) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [game]: facts }));
  } catch {
    /* a browser that keeps nothing works all the same */
  }
}

// A puzzle was tried; `right` says whether the first answer was the best.
export function tried(game, id, right, now = Date.now()) {
  const facts = ofGame(game), old = facts.puzzles[id];
  const box = right ? (old?.box === undefined ? null : old.box + 1) : 0;
  const due = box === null || box >= AGAIN.length ? null : now + AGAIN[box];
  const ability = Math.min(LEVELS[1], Math.max(LEVELS[0], facts.ability + (right ? UP : -DOWN)));
  const one = { right, times: (old?.times ?? 0) + 1, ...(due === null ? {} : { box, due }) };
  keep(game, { ability, puzzles: { ...facts.puzzles, [id]: one } });
}

export function counted(game) {
  const known = Object.values(ofGame(game).puzzles), now = Date.now();
  return {
    tried: known.length, solved: known.filter(({ right }) => right).length,
    due: known.filter(({ due }) => due <= now).length,
  };
}

// The next puzzle: what was missed and is due, then a new one of about the right level, then what comes again soonest.
export function next(game, puzzles, last = null, now = Date.now()) {
  const { ability, puzzles: known } = ofGame(game), others = puzzles.filter(({ id }) => id !== last);
  const due = others.filter(({ id }) => known[id]?.due <= now).sort((a, b) => known[a.id].due - known[b.id].due);
  if (due.length) return due[0].id;
  const fresh = others.filter(({ id }) => !known[id]), far = ({ level }) => Math.abs(level - ability);
  const near = Math.min(...fresh.map(far)), fitting = fresh.filter((one) => far(one) <= near + 0.5);
  if (fitting.length) return fitting[Math.floor(Math.random() * fitting.length)].id;
  const later = (one) => known[one.id]?.due ?? Infinity;
  return [...others].sort((a, b) => later(a) - later(b))[0]?.id ?? last;
}

// The puzzle of a day is the same for everybody who has the same puzzles.
export function ofDay(puzzles, date = new Date()) {
  const text = `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
  let hash = 2166136261;
  for (const sign of text) hash = Math.imul(hash ^ sign.charCodeAt(0), 16777619) >>> 0;
  const ids = puzzles.map(({ id }) => id).sort();
  return ids[hash % ids.length];
}
