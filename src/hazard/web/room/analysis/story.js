// What happened in a game, in a sentence or two: what was given away, and what the dice did.

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const many = (count, one) => `${COUNTS[count] ?? count} ${count === 1 ? one : `${one}s`}`;

// `row` is the seat's sum of a review, `mistakes` how many moves gave something away, `scale` how figures are said.
// Nothing is said of what is not beyond its interval.
export function story(row, mistakes, scale) {
  const told = (value, error) => Math.abs(value) > Math.max(error, scale.chances ? 5e-4 : 5e-3);
  const lost = told(row.lost, row.lost_error) && row.lost > 0, lucky = told(row.luck, row.luck_error);
  const won = row.result > 0.5, dice = lucky ? `the dice ${row.luck > 0 ? "gave you" : "cost you"} ${scale.points(Math.abs(row.luck))}` : "";
  if (lost) return sentence(`You gave away ${scale.points(row.lost)}${mistakes ? ` in ${many(mistakes, "move")}` : ""}`, dice);
  if (row.lost_error > 0 && !lucky) return "Neither luck nor mistakes stand out in this game.";
  const played = row.lost_error > 0 ? "you made no mistake that can be told" : "you played perfectly";
  if (!scale.chances) return sentence(capital(played), dice);
  if (!won && lucky && row.luck < 0) return `Unlucky: ${played}, and ${dice}.`;
  if (won && lucky && row.luck < 0) return `Well done: ${played}, and won although ${dice}.`;
  return sentence(won ? `Well done: ${played}` : capital(played), dice);
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
const sentence = (first, second) => `${[first, second].filter(Boolean).join("; ")}.`;
