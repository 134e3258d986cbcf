import { encode } from "uqr";
import type { Place } from "./display.ts";
import type { Pen } from "./pen.ts";

/** ISO/IEC 18004: a light border of four modules on each side. */
const QUIET_MODULES = 4;
const PAPER = "#ffffff";
const INK = "#000000";

export interface QrCode {
  modules: boolean[][];
  /** Pixels per module. */
  scale: number;
  /** Pixels of each side, with the light border. */
  side: number;
}

/** The largest code of this content that fits, with whole pixels per module. */
export function buildQrCode(content: string, maxSide: number): QrCode {
  const { data } = encode(content, { border: 0, ecc: "L" });
  const count = data.length + 2 * QUIET_MODULES;
  const scale = Math.floor(maxSide / count);
  return { modules: data, scale, side: scale * count };
}

export function drawQrCode({ context }: Pen, { modules, scale, side }: QrCode, x: number, y: number): Place {
  context.fillStyle = PAPER;
  context.fillRect(x, y, side, side);
  context.fillStyle = INK;
  for (const [row, line] of modules.entries()) {
    for (const [column, isDark] of line.entries()) {
      if (!isDark) continue;
      context.fillRect(x + (QUIET_MODULES + column) * scale, y + (QUIET_MODULES + row) * scale, scale, scale);
    }
  }
  return { x, y, width: side, height: side };
}
