import { encode } from "uqr";
import { type Place, SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";
import { MARGIN, type Pen } from "./pen.ts";
import type { SetupModel } from "./screen-model.ts";
import { WORDS } from "./words.ts";

const CODE_SIDE = 200;
/** ISO/IEC 18004: a light border of four modules on each side. */
const QUIET_MODULES = 4;
const PAPER = "#ffffff";
const INK = "#000000";

export function drawSetup(pen: Pen, { language, how }: SetupModel): Place | undefined {
  const { setup, joinWifi, thenOpen } = WORDS[language];
  if (how.by === "pairing") return drawPairing(pen, language, how);
  pen.text(setup, { y: 42, sizes: [24], weight: "bold", color: "accent" });
  pen.text(joinWifi, { y: 84, sizes: [20, 18], color: "muted" });
  pen.text(how.ssid, { y: 124, sizes: [30, 26, 22], weight: "bold" });
  pen.text(thenOpen, { y: 166, sizes: [20, 18], color: "muted" });
  pen.text(how.address, { y: 206, sizes: [26, 22, 18], weight: "bold" });
  return undefined;
}

function drawPairing(
  pen: Pen,
  language: SetupModel["language"],
  { url, left }: Extract<SetupModel["how"], { by: "pairing" }>,
): Place {
  const { data } = encode(url, { border: 0, ecc: "L" });
  const scale = Math.floor(CODE_SIDE / (data.length + 2 * QUIET_MODULES));
  const side = scale * (data.length + 2 * QUIET_MODULES);
  const code = { x: pen.mirror(MARGIN, side), y: Math.floor((SCREEN_HEIGHT - side) / 2), width: side, height: side };
  drawCode(pen, data, code, scale);
  const column = { x: MARGIN + side + 14, width: SCREEN_WIDTH - 2 * MARGIN - side - 14 };
  const last = pen.text(WORDS[language].scan, { ...column, y: 96, sizes: [22, 20, 18], weight: "bold", maxLines: 4 });
  pen.text(left, { ...column, y: last + 40, sizes: [17, 15], color: "muted", maxLines: 2 });
  return code;
}

function drawCode({ context }: Pen, data: boolean[][], { x, y, width, height }: Place, scale: number): void {
  context.fillStyle = PAPER;
  context.fillRect(x, y, width, height);
  context.fillStyle = INK;
  for (const [row, modules] of data.entries()) {
    for (const [column, isDark] of modules.entries()) {
      if (!isDark) continue;
      context.fillRect(x + (QUIET_MODULES + column) * scale, y + (QUIET_MODULES + row) * scale, scale, scale);
    }
  }
}
