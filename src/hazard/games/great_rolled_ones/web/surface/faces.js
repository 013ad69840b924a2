// The boundary between rolling and holding as quadrangles in the space of own score, other's score and pot.

// `rolls(i, j, k)` says where rolling is right. Corners are [i, j, k], four to a face, flat; kinds are 0 for floors, 1 and 2
// for walls along either score.
export function facesOf(rolls, goal, top) {
  const corners = [], kinds = [];
  const does = (i, j, k) => k <= 0 || rolls(i, j, k); // the first roll is compulsory: there is no bottom
  const add = (kind, points) => { corners.push(...points.flat()); kinds.push(kind); };
  for (let i = 0; i < goal; i++) {
    for (let j = 0; j < goal; j++) {
      for (let k = 1; k < top; k++) if (does(i, j, k - 1) !== does(i, j, k)) add(0, floor(i, j, k));
      const right = i + 1 < goal ? runs((k) => does(i, j, k) !== does(i + 1, j, k), top) : [];
      for (const [low, high] of right) add(1, wall([i + 1, j], [i + 1, j + 1], low, high));
      const behind = j + 1 < goal ? runs((k) => does(i, j, k) !== does(i, j + 1, k), top) : [];
      for (const [low, high] of behind) add(2, wall([i, j + 1], [i + 1, j + 1], low, high));
    }
  }
  return { corners: new Float32Array(corners), kinds: new Uint8Array(kinds) };
}

const floor = (i, j, k) => [[i, j, k], [i + 1, j, k], [i + 1, j + 1, k], [i, j + 1, k]];
const wall = (from, to, low, high) => [[...from, low], [...to, low], [...to, high], [...from, high]];

// Where something holds, as pairs of a beginning and an end.
function runs(holds, top) {
  const found = [];
  for (let k = 0; k < top; k++) {
    if (!holds(k)) continue;
    const low = k;
    while (k < top && holds(k)) k++;
    found.push([low, k]);
  }
  return found;
}
