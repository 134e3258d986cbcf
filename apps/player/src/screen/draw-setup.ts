import { type Place, SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";
import { MARGIN, type Pen } from "./pen.ts";
import { buildQrCode, drawQrCode } from "./qr-code.ts";
import type { SetupModel } from "./screen-model.ts";
import { WORDS } from "./words.ts";

const CODE_SIDE = 200;
const STEP_WIDTH = 138;
/** A screenshot shows nothing of a picture with the token. */
const WHOLE_SCREEN: Place = { x: 0, y: 0, width: SCREEN_WIDTH, height: SCREEN_HEIGHT };
/** The first line of text below a QR code. */
const LINE_Y = 202;

export function drawSetup(pen: Pen, { language, how }: SetupModel): Place | undefined {
  if (how.by === "pairing") return drawPairing(pen, language, how);
  const { joinWifi, thenOpen, code } = WORDS[language];
  const [, scheme = "", host = ""] = /^(.*?\/\/)(.*?)\/?$/.exec(how.url) ?? [];
  const digits = how.code === "" ? "" : code(how.code);
  drawStep(pen, MARGIN, { title: joinWifi, code: how.wifi, lines: [how.ssid, digits] });
  drawStep(pen, SCREEN_WIDTH - MARGIN - STEP_WIDTH, { title: thenOpen, code: how.link, lines: [scheme, host] });
  return how.link === how.url ? undefined : WHOLE_SCREEN;
}

/** One of two columns: what to do, as a code for the camera, and as text. */
function drawStep(pen: Pen, x: number, step: { title: string; code: string; lines: readonly string[] }): void {
  const column = { x, width: STEP_WIDTH, weight: "bold" } as const;
  pen.text(step.title, { ...column, y: 30, sizes: [20, 18, 16], color: "accent" });
  const code = buildQrCode(step.code, STEP_WIDTH);
  drawQrCode(pen, code, pen.mirror(x, code.side), 42);
  for (const [index, line] of step.lines.entries()) {
    pen.text(line, { ...column, y: LINE_Y + index * 22, sizes: [19, 17, 15, 13] });
  }
}

function drawPairing(
  pen: Pen,
  language: SetupModel["language"],
  { url, code: digits, left }: Extract<SetupModel["how"], { by: "pairing" }>,
): Place {
  const code = buildQrCode(url, CODE_SIDE);
  const { side } = code;
  drawQrCode(pen, code, pen.mirror(MARGIN, side), Math.floor((SCREEN_HEIGHT - side) / 2));
  const column = { x: MARGIN + side + 14, width: SCREEN_WIDTH - 2 * MARGIN - side - 14 };
  const { scan, orCode } = WORDS[language];
  const isShort = digits === "";
  const last = pen.text(scan, { ...column, y: isShort ? 96 : 48, sizes: [20, 18, 16], weight: "bold", maxLines: 3 });
  if (!isShort) {
    pen.text(orCode, { ...column, y: last + 32, sizes: [17, 15], color: "muted" });
    pen.text(digits, { ...column, y: last + 68, sizes: [34, 30, 26], weight: "bold", color: "accent", maxLines: 2 });
  }
  pen.text(left, { ...column, y: isShort ? last + 40 : 226, sizes: [15, 14], color: "muted", maxLines: 2 });
  return WHOLE_SCREEN;
}
