// The owner of the server: whoever has shown the password may do more. The token that proves it is kept in this browser,
// for this address alone, and goes with every request.

import { Problem, get, post, remove } from "./api.js";
import { dialog } from "./dialog.js";
import { h } from "./dom.js";
import { notice } from "./notices.js";
import { keepOwner, ownerToken } from "./settings.js";

export const OWNER = "hazard-owner"; // the event when somebody has signed in or out

export const isOwner = () => Boolean(ownerToken());

function become(token) {
  keepOwner(token);
  dispatchEvent(new Event(OWNER));
}

// Called first of all: a link such as /#owner=KEY signs in, once; a token of a server that was started anew is forgotten.
export async function arrive() {
  const key = /^#owner=([\w-]+)$/.exec(location.hash)?.[1];
  if (key) history.replaceState(null, "", location.pathname + location.search);
  try {
    if (key) keepOwner((await post("/api/owner", { key })).token);
    else if (isOwner() && !(await get("/api/owner")).owner) keepOwner("");
  } catch (problem) {
    if (key) notice(problem.message, "bad");
  }
}

export async function signOut() {
  await remove("/api/owner").catch(() => null);
  become("");
}

// Asks for the password.
export function signIn() {
  const password = h("input", { type: "password", autocomplete: "current-password", required: true, maxlength: 200, autofocus: true });
  const wrong = h("p", { class: "problem", role: "alert", hidden: true });
  const box = dialog("Sign in as the owner", (close) => {
    const send = async (event) => {
      event.preventDefault();
      try {
        become((await post("/api/owner", { password: password.value })).token);
        close();
      } catch (problem) {
        wrong.textContent = problem instanceof Problem ? problem.message : "That did not work; try again.";
        wrong.hidden = false;
        password.select();
      }
    };
    return h("form", { onsubmit: send },
      h("p", {}, "Whoever runs this server can start and stop tournaments, and remove rooms. ",
        "The password is printed where the server was started."),
      h("label", { class: "field" }, "Password", password), wrong,
      h("div", { class: "row end" },
        h("button", { type: "button", onclick: close }, "Close"), h("button", { class: "primary", type: "submit" }, "Sign in")));
  });
  return box;
}

// What stands in the place of something that only the owner can do.
export const ownersOnly = (words) =>
  h("p", { class: "owners-only" }, h("span", { class: "quiet" }, `${words} `), h("button", { type: "button", onclick: signIn }, "Sign in"));

// The button in the header.
export function ownerButton() {
  const button = h("button", { class: "plain owner", type: "button", onclick: () => (isOwner() ? signOut() : signIn()) });
  const draw = () => {
    button.textContent = isOwner() ? "Sign out" : "Sign in";
    button.title = isOwner() ? "you are the owner of this server" : "for the owner of this server";
  };
  addEventListener(OWNER, draw);
  draw();
  return button;
}
