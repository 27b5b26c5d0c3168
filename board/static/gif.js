// A moving picture (GIF89a) of a game: one frame for each position, of which only what has changed is stored.

const DELAY = 90; // hundredths of a second for a frame
const LAST = 300; // for the last one
const COLOURS = 256;
const BITS = 8; // of a colour's number
const MOST_CODES = 4096;

// The GIF of pictures in SVG, all of the same size.
export async function gifOf(svgs) {
  const images = [];
  for (const svg of svgs) images.push(await pixels(svg));
  const { width, height } = images[0];
  const palette = new Palette([images[0], images[Math.floor(images.length / 2)], images.at(-1)]);
  const out = new Bytes();
  out.text("GIF89a").word(width).word(height).byte(0xf7, 0, 0).all(palette.table());
  out.byte(0x21, 0xff, 11).text("NETSCAPE2.0").byte(3, 1).word(0).byte(0);
  let before = null;
  images.forEach((image, index) => {
    const now = palette.numbers(image.data);
    const box = changed(before, now, width, height);
    out.byte(0x21, 0xf9, 4, 4).word(index === images.length - 1 ? LAST : DELAY).byte(0, 0);
    out.byte(0x2c).word(box.x).word(box.y).word(box.width).word(box.height).byte(0);
    out.blocks(compressed(cut(now, width, box)));
    before = now;
  });
  out.byte(0x3b);
  return new Blob([new Uint8Array(out.bytes)], { type: "image/gif" });
}

async function pixels(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

// The most frequent colours of some pictures, in 32 steps of red, green and blue.
class Palette {
  constructor(images) {
    const counts = new Map();
    for (const { data } of images) {
      for (let at = 0; at < data.length; at += 4) {
        const key = this.key(data, at);
        const one = counts.get(key);
        if (one) one[0] += 1;
        else counts.set(key, [1, data[at], data[at + 1], data[at + 2]]);
      }
    }
    this.colours = [...counts.values()].sort((a, b) => b[0] - a[0]).slice(0, COLOURS).map(([, ...colour]) => colour);
    this.known = new Map();
  }

  key(data, at) { return ((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3); }

  table() { return Array.from({ length: COLOURS }, (_, index) => this.colours[index] ?? [0, 0, 0]).flat(); }

  numbers(data) {
    const found = new Uint8Array(data.length / 4);
    for (let at = 0; at < data.length; at += 4) {
      const key = this.key(data, at);
      let number = this.known.get(key);
      if (number === undefined) { number = this.nearest(data[at], data[at + 1], data[at + 2]); this.known.set(key, number); }
      found[at / 4] = number;
    }
    return found;
  }

  nearest(red, green, blue) {
    let best = 0;
    let least = Infinity;
    this.colours.forEach(([r, g, b], index) => {
      const way = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (way < least) [best, least] = [index, way];
    });
    return best;
  }
}

// The least rectangle with all pixels that differ; one pixel without any.
function changed(before, now, width, height) {
  if (!before) return { x: 0, y: 0, width, height };
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (before[at] === now[at]) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function cut(numbers, width, box) {
  const found = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y++) found.set(numbers.subarray((box.y + y) * width + box.x, (box.y + y) * width + box.x + box.width), y * box.width);
  return found;
}

// LZW with codes of growing length, as GIF wants it.
function compressed(numbers) {
  const [clear, end] = [1 << BITS, (1 << BITS) + 1];
  const bytes = [];
  let [held, count] = [0, 0];
  let [codes, next, size] = [new Map(), end + 1, BITS + 1];
  const put = (code) => {
    held |= code << count;
    count += size;
    while (count >= 8) { bytes.push(held & 255); held >>>= 8; count -= 8; }
  };
  put(clear);
  let prefix = numbers[0];
  for (let at = 1; at < numbers.length; at++) {
    const key = (prefix << BITS) | numbers[at];
    const known = codes.get(key);
    if (known !== undefined) { prefix = known; continue; }
    put(prefix);
    prefix = numbers[at];
    if (next === MOST_CODES) {
      put(clear);
      [codes, next, size] = [new Map(), end + 1, BITS + 1];
      continue;
    }
    codes.set(key, next);
    if (next === 1 << size) size += 1;
    next += 1;
  }
  put(prefix);
  put(end);
  if (count) bytes.push(held & 255);
  return bytes;
}

class Bytes {
  constructor() { this.bytes = []; }

  byte(...values) { for (const value of values) this.bytes.push(value); return this; }

  all(values) { for (const value of values) this.bytes.push(value); return this; }

  word(value) { return this.byte(value & 255, value >> 8); }

  text(words) { return this.all([...words].map((letter) => letter.charCodeAt(0))); }

  // Data in blocks of at most 255 bytes, with an empty one at the end.
  blocks(data) {
    this.byte(BITS);
    for (let at = 0; at < data.length; at += 255) {
      const part = data.slice(at, at + 255);
      this.byte(part.length).all(part);
    }
    return this.byte(0);
  }
}
