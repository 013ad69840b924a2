// SHA-256 and HMAC, of bytes and at once. Browsers have their own, but keep it from pages that come without TLS from
// another machine, and these take part in the dice too.

const SIXTY_FOUR = 64; // bytes of a block
const primes = (count) => {
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
};
// The first 32 bits of the fraction of a root. Doubles have 53, of which these need at most 36.
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
const ROUNDS = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

function padded(bytes) {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / SIXTY_FOUR) * SIXTY_FOUR);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const length = new DataView(whole.buffer);
  length.setUint32(whole.length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  length.setUint32(whole.length - 4, bytes.length * 8);
  return whole;
}

function schedule(view, at) {
  const w = new Uint32Array(64);
  for (let t = 0; t < 16; t++) w[t] = view.getUint32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const early = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ (w[t - 15] >>> 3);
    const late = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ (w[t - 2] >>> 10);
    w[t] = w[t - 16] + early + w[t - 7] + late;
  }
  return w;
}

function compress(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUNDS[t] + w[t]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => { state[n] += word; });
}

export function sha256(bytes) {
  const whole = padded(bytes), view = new DataView(whole.buffer), state = START.slice();
  for (let at = 0; at < whole.length; at += SIXTY_FOUR) compress(state, schedule(view, at));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => digest.setUint32(4 * n, word));
  return new Uint8Array(digest.buffer);
}

export function hmac(key, bytes) {
  const block = new Uint8Array(SIXTY_FOUR);
  block.set(key.length > SIXTY_FOUR ? sha256(key) : key);
  const inner = sha256(Uint8Array.of(...block.map((byte) => byte ^ 0x36), ...bytes));
  return sha256(Uint8Array.of(...block.map((byte) => byte ^ 0x5c), ...inner));
}

export const utf8 = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
