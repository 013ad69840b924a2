// The server's HTTP API. What it refuses is thrown as a Problem, with its code and words that can be shown.

import { keepOwner, ownerToken } from "./settings.js";

export class Problem extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

export const get = (path) => ask(path, {});
export const remove = (path) => ask(path, { method: "DELETE", headers: { "content-type": "application/json" } });
export const post = (path, body) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

async function ask(path, options) {
  let answer;
  const token = ownerToken(), headers = { ...options.headers, ...(token && { authorization: `Bearer ${token}` }) };
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new Problem("offline", "The server does not answer. Is it still running?");
  }
  const found = await answer.json().catch(() => null);
  if (answer.ok && found !== null) return found;
  if (found?.code === "owner") keepOwner(""); // the server was started anew and knows nobody
  throw new Problem(found?.code ?? "internal", found?.text ?? `The server answered with status ${answer.status}.`);
}
