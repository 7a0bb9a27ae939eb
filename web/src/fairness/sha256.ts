// SHA-256 (FIPS 180-4). The browser's own is missing on pages without a secure origin, such as
// those of a hall's local network, and a terminal must be able to check its rounds there too.

const ROUNDS = 64;
const BLOCK = 64;

/** The first 32 bits of the fractional parts of a root of the first primes. */
function constants(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    let prime = true;
    for (let factor = 2; factor * factor <= candidate; factor += 1) {
      if (candidate % factor === 0) prime = false;
    }
    if (prime) primes.push(candidate);
  }
  return Uint32Array.from(primes, (prime) => {
    const value = root(prime);
    return Math.floor((value - Math.floor(value)) * 2 ** 32);
  });
}

const START = constants(8, Math.sqrt);
const ADDED = constants(ROUNDS, Math.cbrt);

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

/** The message with its padding: a one bit, zeros, and its length in bits. */
function padded(message: Uint8Array): DataView {
  const length = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(length - 4, message.length * 8);
  return view;
}

function at(words: Uint32Array, index: number): number {
  return words[index] as number;
}

function schedule(view: DataView, offset: number): Uint32Array {
  const words = new Uint32Array(ROUNDS);
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4);
  for (let index = 16; index < ROUNDS; index += 1) {
    const early = at(words, index - 15);
    const late = at(words, index - 2);
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = at(words, index - 16) + first + at(words, index - 7) + second;
  }
  return words;
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let index = 0; index < ROUNDS; index += 1) {
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const added = (h + high + choice + at(ADDED, index) + at(words, index)) | 0;
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + added) | 0;
    d = c;
    c = b;
    b = a;
    a = (added + low + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = at(state, index) + value;
  });
}

/** The SHA-256 of some blocks of bytes, one after the other. */
export function sha256(...blocks: readonly Uint8Array[]): Uint8Array {
  const message = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let offset = 0;
  for (const block of blocks) {
    message.set(block, offset);
    offset += block.length;
  }
  const view = padded(message);
  const state = Uint32Array.from(START);
  for (let start = 0; start < view.byteLength; start += BLOCK) {
    compress(state, schedule(view, start));
  }
  const digest = new Uint8Array(32);
  state.forEach((word, index) => new DataView(digest.buffer).setUint32(index * 4, word));
  return digest;
}
