#!/usr/bin/env node
// Takes any legal move of any game. All its chance comes from the seed that each game brings.
import { createInterface } from "node:readline";

let seed = 0n;
function below(count) {
  seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((seed >> 32n) % BigInt(count));
}
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready", protocol: 1, name: "any move" });
  if (message.type === "game") seed = BigInt(message.seed);
  if (message.type === "ask") {
    say({ type: "move", ask: message.ask, move: message.moves[below(message.moves.length)] });
  }
}
