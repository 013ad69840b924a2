// Making a room and going there. The token of a seat is kept.

import { post } from "./api.js";
import { address, go } from "./route.js";
import { keepToken } from "./settings.js";

// `query` stays in the room's address.
async function openRoom(place, wish, query) {
  const made = await post(place, wish);
  if (made.token) keepToken(made.room, made.token);
  go(address(`/rooms/${made.room}`, query));
}

// Opens the first room that the server is willing to make: not every agent can play every game.
export async function openFirst(place, wishes, query = {}) {
  for (const wish of wishes.slice(0, -1)) {
    try {
      return await openRoom(place, wish, query);
    } catch (problem) {
      if (problem.code !== "input") throw problem;
    }
  }
  return openRoom(place, wishes.at(-1), query);
}
