import { SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";
import { COLORS, INNER_WIDTH, MARGIN, type Pen } from "./pen.ts";
import type { AdhanModel, IdleModel } from "./screen-model.ts";

const CENTER = SCREEN_WIDTH / 2;
const RIGHT = SCREEN_WIDTH - MARGIN;
const CLOCK = { size: 82, baseline: 108, suffixSize: 24, gap: 8 } as const;
const UNKNOWN_TIME = "––:––";

export function drawIdle(pen: Pen, model: IdleModel): void {
  pen.text(model.date, { y: 28, width: 100, sizes: [16, 14], color: "muted" });
  pen.text(model.hijri, { x: RIGHT, y: 28, width: 182, sizes: [16, 15, 14], color: "muted", align: "end" });
  drawBigClock(pen, model.clock ?? { time: UNKNOWN_TIME, suffix: "" });
  if (model.next) drawNext(pen, model.next);
  else pen.text(model.hint, { y: 166, sizes: [22, 20, 18], align: "center", maxLines: 2, color: "muted" });
  drawTimes(pen, model.times);
}

/** The digits and a small AM or PM, centered together. */
function drawBigClock(pen: Pen, { time, suffix }: NonNullable<IdleModel["clock"]>): void {
  const { size, baseline, suffixSize, gap } = CLOCK;
  const timeWidth = pen.measureWidth(time, size, "bold");
  const suffixWidth = suffix ? gap + pen.measureWidth(suffix, suffixSize, "bold") : 0;
  const x = CENTER - (timeWidth + suffixWidth) / 2;
  pen.text(time, { x, y: baseline, sizes: [size], weight: "bold" });
  pen.text(suffix, { x: x + timeWidth + gap, y: baseline, sizes: [suffixSize], weight: "bold", color: "muted" });
}

function drawNext(pen: Pen, { name, time, countdown }: NonNullable<IdleModel["next"]>): void {
  pen.text(name, { y: 153, width: 150, sizes: [30, 26], weight: "bold", color: "accent" });
  pen.text(time, { x: RIGHT, y: 153, width: 134, sizes: [30, 26], weight: "bold", align: "end" });
  pen.text(countdown, { y: 183, sizes: [20] });
}

function drawTimes(pen: Pen, times: IdleModel["times"]): void {
  const width = INNER_WIDTH / times.length;
  for (const [index, { name, time, isNext }] of times.entries()) {
    const x = MARGIN + index * width;
    if (isNext) pen.box(pen.mirror(x, width), 196, width, 40, 8, "surface");
    const column = { x: x + width / 2, width: width - 4, align: "center" } as const;
    pen.text(name, { ...column, y: 212, sizes: [12, 11], color: isNext ? "accent" : "muted" });
    pen.text(time, { ...column, y: 230, sizes: [15, 14], color: isNext ? "accent" : "text" });
  }
}

export function drawAdhan(pen: Pen, { clock, intro, title, caption }: AdhanModel): void {
  drawArch(pen, 0, 3);
  drawArch(pen, 9, 1);
  pen.text(intro, { y: 70, width: 130, sizes: [17, 15], color: "muted", align: "center" });
  pen.text(title, { y: 147, width: 190, sizes: [50, 44], weight: "bold", color: "accent", align: "center" });
  pen.text(caption, { y: 194, width: 190, sizes: [26, 22], weight: "bold", align: "center" });
  pen.text(clock, { y: caption ? 225 : 208, width: 190, sizes: [caption ? 22 : 30], align: "center" });
}

/** The prayer niche of a mosque (mihrab). */
function drawArch({ context }: Pen, inset: number, lineWidth: number): void {
  const left = 36 + inset;
  const right = SCREEN_WIDTH - left;
  const top = 12 + inset * 1.3;
  const shoulder = 122;
  context.strokeStyle = COLORS.accent;
  context.lineWidth = lineWidth;
  context.lineJoin = "miter";
  context.beginPath();
  context.moveTo(left, SCREEN_HEIGHT);
  context.lineTo(left, shoulder);
  context.bezierCurveTo(left, 66, CENTER - 46, 44, CENTER, top);
  context.bezierCurveTo(CENTER + 46, 44, right, 66, right, shoulder);
  context.lineTo(right, SCREEN_HEIGHT);
  context.stroke();
}
