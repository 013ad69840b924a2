// Signs and names of seats, so that nothing depends on colour alone. A sign is a number, or the first letter of what the
// game calls the seat.

export const markOf = (title, seat) => (/^p/i.test(title ?? "p") ? String(seat + 1) : title[0].toUpperCase());
export const capital = (words) => words[0].toUpperCase() + words.slice(1);
export const titleOf = (title) => (title.length === 1 ? `player ${title}` : title);
