import { type Frame, SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";

const HEADER_BYTES = 54;
const ROW_BYTES = SCREEN_WIDTH * 3;
const SIZE_BYTES = HEADER_BYTES + ROW_BYTES * SCREEN_HEIGHT;
/** 72 dots per inch, because the density of the panel is unknown. */
const DOTS_PER_METRE = 2835;
/** A grey that covers secrets, which must not leave the device. */
const MASK = 0x60;

/** A BITMAPFILEHEADER, a BITMAPINFOHEADER, and the rows from the bottom to the top, each pixel blue, green, red. */
export function encodeBmp({ pixels, secret }: Frame): Buffer {
  const bmp = Buffer.alloc(SIZE_BYTES);
  writeHeader(bmp);
  for (let y = 0; y < SCREEN_HEIGHT; y += 1) {
    let to = HEADER_BYTES + (SCREEN_HEIGHT - 1 - y) * ROW_BYTES;
    let from = y * SCREEN_WIDTH * 4;
    for (let x = 0; x < SCREEN_WIDTH; x += 1) {
      bmp[to] = pixels[from + 2] ?? 0;
      bmp[to + 1] = pixels[from + 1] ?? 0;
      bmp[to + 2] = pixels[from] ?? 0;
      to += 3;
      from += 4;
    }
  }
  if (secret) {
    for (let y = secret.y; y < secret.y + secret.height; y += 1) {
      const row = HEADER_BYTES + (SCREEN_HEIGHT - 1 - y) * ROW_BYTES;
      bmp.fill(MASK, row + secret.x * 3, row + (secret.x + secret.width) * 3);
    }
  }
  return bmp;
}

function writeHeader(bmp: Buffer): void {
  bmp.write("BM", 0, "latin1");
  bmp.writeUInt32LE(SIZE_BYTES, 2);
  bmp.writeUInt32LE(HEADER_BYTES, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(SCREEN_WIDTH, 18);
  bmp.writeInt32LE(SCREEN_HEIGHT, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  bmp.writeUInt32LE(ROW_BYTES * SCREEN_HEIGHT, 34);
  bmp.writeInt32LE(DOTS_PER_METRE, 38);
  bmp.writeInt32LE(DOTS_PER_METRE, 42);
}
