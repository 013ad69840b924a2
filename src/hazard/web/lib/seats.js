// The sign of a seat, so that nothing is told by colour alone: its number, or the first letter of its name in the game.

export const markOf = (title, seat) => (/^p/i.test(title ?? "p") ? String(seat + 1) : title[0].toUpperCase());
