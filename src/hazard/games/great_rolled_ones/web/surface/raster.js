// Quadrangles in space to pixels: whatever is nearest is seen. Plain triangles with a depth for every pixel.

// A colour as the canvas has it in memory, the lowest byte first: red, green, blue, opaque.
export const packed = (colour, shade) => {
  const [red, green, blue] = colour.map((part) => Math.round(part * shade));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
};

// `faces` have corners (flat, four of three numbers each) and colours; `project(i, j, k, out)` gives x, y and distance.
export function rastered(faces, project, width, high, scale) {
  const wide = Math.round(width * scale), tall = Math.round(high * scale);
  const picture = Object.assign(document.createElement("canvas"), { width: wide, height: tall });
  const pen = picture.getContext("2d"), image = pen.createImageData(wide, tall);
  const area = { wide, tall, pixels: new Uint32Array(image.data.buffer), depth: new Float32Array(wide * tall).fill(Infinity) };
  const points = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let n = 0; n < faces.colours.length; n++) {
    for (let c = 0; c < 4; c++) {
      const at = 12 * n + 3 * c, point = project(faces.corners[at], faces.corners[at + 1], faces.corners[at + 2], points[c]);
      point[0] *= scale;
      point[1] *= scale;
    }
    triangle(area, points[0], points[1], points[2], faces.colours[n]);
    triangle(area, points[0], points[2], points[3], faces.colours[n]);
  }
  pen.putImageData(image, 0, 0);
  return picture;
}

// Row by row between its edges; the distance grows evenly along a row.
function triangle({ wide, tall, pixels, depth }, a, b, c, colour) {
  const spread = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  if (Math.abs(spread) < 1e-6) return;
  const right = ((b[2] - a[2]) * (c[1] - a[1]) - (c[2] - a[2]) * (b[1] - a[1])) / spread;
  const down = ((b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2])) / spread;
  const top = Math.max(0, Math.ceil(Math.min(a[1], b[1], c[1]) - 0.5)),
    last = Math.min(tall - 1, Math.floor(Math.max(a[1], b[1], c[1]) + 0.5));
  for (let y = top; y <= last; y++) {
    let from = Infinity, to = -Infinity;
    for (const [p, q] of [[a, b], [b, c], [c, a]]) {
      const low = Math.min(p[1], q[1]), high = Math.max(p[1], q[1]);
      if (y < low - 0.5 || y > high + 0.5) continue;
      const x = high === low ? p[0] : p[0] + ((q[0] - p[0]) * (Math.max(low, Math.min(high, y)) - p[1])) / (q[1] - p[1]);
      from = Math.min(from, x, high === low ? q[0] : x);
      to = Math.max(to, x, high === low ? q[0] : x);
    }
    const begin = Math.max(0, Math.round(from)), end = Math.min(wide - 1, Math.round(to));
    let away = a[2] + right * (begin - a[0]) + down * (y - a[1]);
    for (let at = y * wide + begin, stop = y * wide + end; at <= stop; at++, away += right) {
      if (away < depth[at]) {
        depth[at] = away;
        pixels[at] = colour;
      }
    }
  }
}
