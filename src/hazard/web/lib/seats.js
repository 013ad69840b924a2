// Seats so that nothing is told by colour alone: a sign, which is a number or the first letter of the seat's name in the
// game; and that name in words.

export const markOf = (title, seat) => (/^p/i.test(title ?? "p") ? String(seat + 1) : title[0].toUpperCase());
export const capital = (words) => words[0].toUpperCase() + words.slice(1);
export const titleOf = (title) => (title.length === 1 ? `player ${title}` : title);
