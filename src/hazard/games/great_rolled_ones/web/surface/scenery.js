// What stands around a surface in space: the floor, numbers along its edges, the pot's edge, and a pole at the cursor.

import { variable } from "/static/explore/common.js";

const PARTS = 5; // of an edge
const parts = (goal) => Array.from({ length: PARTS + 1 }, (_, n) => Math.round((n * goal) / PARTS));

function line(pen, project, from, to) {
  const [a, b] = [project(...from), project(...to)];
  pen.beginPath();
  pen.moveTo(a[0], a[1]);
  pen.lineTo(b[0], b[1]);
  pen.stroke();
}

function write(pen, project, words, place) {
  const [x, y] = project(...place);
  pen.fillText(words, x, y + 4);
}

export function drawFloor(pen, project, goal) {
  Object.assign(pen, { strokeStyle: variable("--line"), lineWidth: 1 });
  for (const at of parts(goal)) {
    line(pen, project, [at, 0, 0], [at, goal, 0]);
    line(pen, project, [0, at, 0], [goal, at, 0]);
  }
}

// Numbers stand at the edges of the floor that are nearer.
export function drawScores(pen, project, goal) {
  const nearer = (a, b) => (project(...a)[2] < project(...b)[2] ? a : b);
  const out = (edge, far) => (edge ? goal * (1 + far) : -goal * far);
  const j = nearer([goal / 2, 0, 0], [goal / 2, goal, 0])[1], i = nearer([0, goal / 2, 0], [goal, goal / 2, 0])[0];
  Object.assign(pen, { fillStyle: variable("--soft"), font: `12px ${variable("--font")}`, textAlign: "center" });
  for (const score of parts(goal)) {
    write(pen, project, String(score), [score, out(j, 0.08), 0]);
    write(pen, project, String(score), [out(i, 0.08), score, 0]);
  }
  pen.fillStyle = variable("--ink");
  write(pen, project, "own score", [goal / 2, out(j, 0.22), 0]);
  write(pen, project, "other's score", [out(i, 0.22), goal / 2, 0]);
}

// The upright edge that is furthest to the left.
export function drawPots(pen, project, goal, tall) {
  const corners = [[0, 0], [0, goal], [goal, 0], [goal, goal]], step = tall > 40 ? 20 : 10;
  const corner = corners.reduce((best, each) => (project(...each, 0)[0] < project(...best, 0)[0] ? each : best));
  Object.assign(pen, { strokeStyle: variable("--soft"), fillStyle: variable("--ink"), lineWidth: 1, textAlign: "right" });
  line(pen, project, [...corner, 0], [...corner, tall]);
  for (let k = step; k <= tall; k += step) write(pen, project, `${k} `, [...corner, k]);
  pen.textAlign = "center";
  write(pen, project, "pot", [...corner, tall * 1.07]);
}

// White in black, to be seen on any colour; its foot lies on the surface.
export function drawPole(pen, project, [i, j, k], tall) {
  for (const [strokeStyle, lineWidth] of [["#000000", 4], ["#ffffff", 1.6]]) {
    Object.assign(pen, { strokeStyle, lineWidth });
    line(pen, project, [i + 0.5, j + 0.5, k], [i + 0.5, j + 0.5, tall]);
  }
  const [x, y] = project(i + 0.5, j + 0.5, k);
  pen.beginPath();
  pen.arc(x, y, 5, 0, 7);
  Object.assign(pen, { fillStyle: variable("--glow"), strokeStyle: "#000000" });
  pen.fill();
  pen.stroke();
}
