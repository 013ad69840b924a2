// Making a room and going there. The token of a seat is kept.

import { post } from "./api.js";
import { go } from "./route.js";
import { keepToken } from "./settings.js";

export async function openRoom(address, wish) {
  const made = await post(address, wish);
  if (made.token) keepToken(made.room, made.token);
  go(`/rooms/${made.room}`);
}

// Opens the first room that the server is willing to make: not every agent can play every game.
export async function openFirst(address, wishes) {
  for (const wish of wishes.slice(0, -1)) {
    try {
      return await openRoom(address, wish);
    } catch (problem) {
      if (problem.code !== "input") throw problem;
    }
  }
  return openRoom(address, wishes.at(-1));
}
