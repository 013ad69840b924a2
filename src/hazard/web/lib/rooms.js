// Makes a room and goes there. The browser remembers the token of a seat, and the secret of its part in the dice.

import { post } from "./api.js";
import { taking } from "./parts.js";
import { address, go } from "./route.js";
import { keepToken } from "./settings.js";

// `query` stays in the room's address.
async function openRoom(place, request, query) {
  const { wish, keep } = taking(request.sit);
  const made = await post(place, request.sit ? { ...request, sit: wish } : request);
  if (made.token) {
    keepToken(made.room, made.token);
    keep(made.room);
  }
  go(address(`/rooms/${made.room}`, query));
}

// Opens the first of several rooms that the server is willing to make: not every agent can play every game.
export async function openFirst(place, requests, query = {}) {
  for (const request of requests.slice(0, -1)) {
    try {
      return await openRoom(place, request, query);
    } catch (problem) {
      if (problem.code !== "input") throw problem;
    }
  }
  return openRoom(place, requests.at(-1), query);
}
