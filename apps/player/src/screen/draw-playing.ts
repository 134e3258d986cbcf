import { createIcons } from "./icons.ts";
import { INNER_WIDTH, MARGIN, type Pen } from "./pen.ts";
import type { BufferingModel, Heading, HifzModel, NowPlayingModel, Progress } from "./screen-model.ts";
import { WORDS } from "./words.ts";

const RING = { x: 84, y: 124, radius: 58, lineWidth: 11 } as const;
const COLUMN = { x: 168, width: 136 } as const;

export function drawNowPlaying(pen: Pen, model: NowPlayingModel): void {
  const words = WORDS[model.language];
  pen.header(words[model.state], model.clock, createIcons(pen.context)[model.state]);
  drawHeading(pen, model.heading, model.progress ? 88 : 108);
  drawProgress(pen, model.progress);
}

export function drawBuffering(pen: Pen, { language, clock, heading }: BufferingModel): void {
  pen.header(WORDS[language].buffering, clock, createIcons(pen.context).waiting);
  drawHeading(pen, heading, 108);
}

export function drawHifz(pen: Pen, model: HifzModel): void {
  const { heading, gap, range } = model;
  pen.header(WORDS[model.language].hifz, model.clock, createIcons(pen.context).book);
  pen.ring(RING.x, RING.y, RING.radius, RING.lineWidth, model.permille, gap ? "muted" : "accent");
  pen.text(model.done, { x: RING.x, y: 134, width: 84, sizes: [48, 38, 28], weight: "bold", align: "center" });
  pen.text(model.target, { x: RING.x, y: 158, width: 84, sizes: [17], color: "muted", align: "center" });
  pen.text(heading.title, { ...COLUMN, y: 86, sizes: [34, 30, 26, 22], weight: "bold" });
  pen.text(heading.caption, { ...COLUMN, y: 122, sizes: [18, 16], weight: "bold" });
  pen.text(gap || heading.detail, { ...COLUMN, y: 148, sizes: [16, 14], color: gap ? "accent" : "muted" });
  pen.text(range, { ...COLUMN, y: 180, sizes: [22], color: "accent", weight: "bold" });
  drawProgress(pen, model.progress);
}

/** A surah has a caption, and its name is one or two words; a title without a caption may need two lines. */
function drawHeading(pen: Pen, { title, caption, detail }: Heading, y: number): void {
  if (caption) {
    pen.text(title, { y: 108, sizes: [54, 46, 40], weight: "bold", align: "center" });
    pen.text(caption, { y: 158, sizes: [24, 20], weight: "bold", align: "center" });
    pen.text(detail, { y: 186, sizes: [19, 17], color: "muted", align: "center" });
    return;
  }
  const last = pen.text(title, { y, sizes: [38, 32, 28], weight: "bold", align: "center", maxLines: 2 });
  pen.text(detail, { y: last + 40, sizes: [20, 18], color: "muted", align: "center", maxLines: 2 });
}

function drawProgress(pen: Pen, progress: Progress | undefined): void {
  if (!progress) return;
  pen.bar(204, 6, progress.permille, { isTape: true });
  const row = { y: 230, width: INNER_WIDTH / 2, sizes: [15], color: "muted" } as const;
  pen.text(progress.position, { ...row, x: MARGIN, align: "left" });
  pen.text(progress.duration, { ...row, x: MARGIN + INNER_WIDTH, align: "right" });
}
