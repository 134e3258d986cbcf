import { expect, it } from "vitest";
import { encodeBmp } from "./bmp.ts";

const HEADER =
  // "BM", 230,454 bytes in all, reserved, pixels from byte 54
  "424d 36840300 00000000 36000000 " +
  // 40 bytes of header, 320 wide, 240 high, 1 plane, 24 bits, not compressed
  "28000000 40010000 f0000000 0100 1800 00000000 " +
  // 230,400 bytes of pixels, 2,835 dots per metre both ways, no palette
  "00840300 130b0000 130b0000 00000000 00000000";

function buildFrame(paint: (x: number, y: number) => readonly [number, number, number]): Uint8Array {
  const pixels = new Uint8Array(320 * 240 * 4).fill(255);
  for (let y = 0; y < 240; y += 1) for (let x = 0; x < 320; x += 1) pixels.set(paint(x, y), (y * 320 + x) * 4);
  return pixels;
}

const pixelAt = (bmp: Buffer, x: number, y: number) => [...bmp.subarray(54 + ((239 - y) * 320 + x) * 3).subarray(0, 3)];

it("encodes a bitmap of 320x240 with 24 bits per pixel", () => {
  const bmp = encodeBmp({ pixels: new Uint8Array(320 * 240 * 4) });
  expect(bmp).toHaveLength(230_454);
  expect(bmp.subarray(0, 54).toString("hex")).toBe(HEADER.replaceAll(" ", ""));
});

it("writes the last row first, and blue before green before red", () => {
  const bmp = encodeBmp({ pixels: buildFrame((x, y) => [x % 256, y, 7]) });
  expect(pixelAt(bmp, 0, 0)).toEqual([7, 0, 0]);
  expect(pixelAt(bmp, 255, 0)).toEqual([7, 0, 255]);
  expect(pixelAt(bmp, 3, 239)).toEqual([7, 239, 3]);
});

it("covers a secret to the last pixel, and nothing else", () => {
  const secret = { x: 10, y: 20, width: 30, height: 40 };
  const bmp = encodeBmp({ pixels: buildFrame(() => [1, 2, 3]), secret });
  for (let y = 0; y < 240; y += 1) {
    for (let x = 0; x < 320; x += 1) {
      const isCovered = x >= 10 && x < 40 && y >= 20 && y < 60;
      if (pixelAt(bmp, x, y).join() !== (isCovered ? "96,96,96" : "3,2,1")) expect.fail(`at ${x}, ${y}`);
    }
  }
});
