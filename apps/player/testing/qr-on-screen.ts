import { encode } from "uqr";
import { SCREEN_HEIGHT, SCREEN_WIDTH } from "../src/screen/display.ts";

const FINDER_MODULES = 7;

/** Whether the panel shows a QR code of this content, alone or in the right half beside another one. */
export function showsQr(pixels: Uint8Array, content: string): boolean {
  return [0, SCREEN_WIDTH / 2].some((from) => showsQrFrom(pixels, from, content));
}

function showsQrFrom(pixels: Uint8Array, from: number, content: string): boolean {
  const { data } = encode(content, { border: 0, ecc: "L" });
  const paper = findPaper(pixels, from);
  if (!paper) return false;
  const isDark = (x: number, y: number) => (pixels[(y * SCREEN_WIDTH + x) * 4] ?? 255) < 128;
  const { left, top, right, bottom } = paper;
  let x0 = right;
  let y0 = bottom;
  for (let y = bottom; y >= top; y -= 1) {
    for (let x = right; x >= left; x -= 1) {
      if (!isDark(x, y)) continue;
      x0 = Math.min(x0, x);
      y0 = y;
    }
  }
  let run = 0;
  while (isDark(x0 + run, y0)) run += 1;
  const scale = run / FINDER_MODULES;
  const center = Math.floor(scale / 2);
  return data.every((line, row) =>
    line.every((dark, column) => isDark(x0 + column * scale + center, y0 + row * scale + center) === dark),
  );
}

function findPaper(pixels: Uint8Array, from: number) {
  const found = { left: SCREEN_WIDTH, top: SCREEN_HEIGHT, right: -1, bottom: -1 };
  for (let y = 0; y < SCREEN_HEIGHT; y += 1) {
    for (let x = from; x < SCREEN_WIDTH; x += 1) {
      const at = (y * SCREEN_WIDTH + x) * 4;
      if (pixels[at] !== 255 || pixels[at + 1] !== 255 || pixels[at + 2] !== 255) continue;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x);
      found.top = Math.min(found.top, y);
      found.bottom = Math.max(found.bottom, y);
    }
  }
  return found.right < 0 ? undefined : found;
}
