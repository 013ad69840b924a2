// Figures in words, for tournaments and papers.

export const count = (number) => number.toLocaleString("en");
export const known = (value) => value !== null && value !== undefined && Number.isFinite(value);

// A share as a percentage without its sign: 0.546 is "54.6".
export const hundredths = (share) => (known(share) ? (100 * share).toFixed(1) : "–");
export const signed = (value) => (known(value) ? `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(0)}` : "–");

export const several = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

// "a, b and c"
export const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

// In how many ways `some` can be taken of `all`.
export function ways(all, some) {
  let found = 1;
  for (let n = 0; n < some; n++) found = (found * (all - n)) / (n + 1);
  return all < some ? 0 : Math.round(found);
}

export const STATUS = { playing: "being played", finished: "finished", stopped: "stopped" };
