import { type Place, SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";
import { MARGIN, type Pen } from "./pen.ts";
import { buildQrCode, drawQrCode } from "./qr-code.ts";
import type { SetupModel } from "./screen-model.ts";
import { WORDS } from "./words.ts";

const CODE_SIDE = 200;
const STEP_WIDTH = 138;

export function drawSetup(pen: Pen, { language, how }: SetupModel): Place | undefined {
  if (how.by === "pairing") return drawPairing(pen, language, how);
  const { joinWifi, thenOpen } = WORDS[language];
  const [, scheme = "", host = ""] = /^(.*?\/\/)(.*?)\/?$/.exec(how.url) ?? [];
  drawStep(pen, MARGIN, { title: joinWifi, code: how.wifi, lines: [how.ssid] });
  drawStep(pen, SCREEN_WIDTH - MARGIN - STEP_WIDTH, { title: thenOpen, code: how.url, lines: [scheme, host] });
  return undefined;
}

/** One of two columns: what to do, as a code for the camera, and as text. */
function drawStep(pen: Pen, x: number, step: { title: string; code: string; lines: readonly string[] }): void {
  const column = { x, width: STEP_WIDTH, weight: "bold" } as const;
  pen.text(step.title, { ...column, y: 30, sizes: [20, 18, 16], color: "accent" });
  const code = buildQrCode(step.code, STEP_WIDTH);
  drawQrCode(pen, code, pen.mirror(x, code.side), 42);
  for (const [index, line] of step.lines.entries()) {
    pen.text(line, { ...column, y: 202 + index * 22, sizes: [19, 17, 15, 13] });
  }
}

function drawPairing(
  pen: Pen,
  language: SetupModel["language"],
  { url, left }: Extract<SetupModel["how"], { by: "pairing" }>,
): Place {
  const code = buildQrCode(url, CODE_SIDE);
  const { side } = code;
  const place = drawQrCode(pen, code, pen.mirror(MARGIN, side), Math.floor((SCREEN_HEIGHT - side) / 2));
  const column = { x: MARGIN + side + 14, width: SCREEN_WIDTH - 2 * MARGIN - side - 14 };
  const last = pen.text(WORDS[language].scan, { ...column, y: 96, sizes: [22, 20, 18], weight: "bold", maxLines: 4 });
  pen.text(left, { ...column, y: last + 40, sizes: [17, 15], color: "muted", maxLines: 2 });
  return place;
}
