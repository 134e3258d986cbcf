import type { SKRSContext2D } from "@napi-rs/canvas";
import { SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";
import { fitText, type TextBox } from "./text-lines.ts";
import type { Language } from "./words.ts";

export const MARGIN = 16;
export const INNER_WIDTH = SCREEN_WIDTH - 2 * MARGIN;

export const COLORS = {
  background: "#0a0e13",
  surface: "#1c2430",
  text: "#f6f2e7",
  muted: "#a3aebb",
  accent: "#f0bd4f",
} as const;

type Color = keyof typeof COLORS;
/** Left and right are the same in both languages. */
type Align = "start" | "center" | "end" | "left" | "right";
type Weight = "medium" | "bold";

/** The font files, by the names under which they are registered. */
export const FONTS = {
  "Latin Medium": "Inter-Medium.otf",
  "Latin Bold": "Inter-SemiBold.otf",
  "Arabic Medium": "Amiri-Regular.ttf",
  "Arabic Bold": "Amiri-Bold.ttf",
} as const;

const FAMILIES = {
  latin: { medium: '"Latin Medium", "Arabic Medium"', bold: '"Latin Bold", "Arabic Bold"' },
  arabic: { medium: '"Arabic Medium", "Latin Medium"', bold: '"Arabic Bold", "Latin Bold"' },
} as const;

// Unicode assigns the digits to no script.
const ARABIC = /[\p{Script=Arabic}\u0660-\u0669]/u;

/** Amiri has small letters for its size; with this factor they look as tall as the Latin ones. */
const ARABIC_SCALE = 1.25;
/** The distance between two baselines, as a multiple of the size. */
const LATIN_LEADING = 1.2;
const ARABIC_LEADING = 1.6;

export interface TextStyle extends Partial<Omit<TextBox, "sizes">> {
  x?: number;
  /** The baseline of the first line. */
  y: number;
  sizes: TextBox["sizes"];
  color?: Color;
  weight?: Weight;
  align?: Align;
}

export type Pen = ReturnType<typeof createPen>;

/** Draws the common elements of all screens. Horizontal positions are those of English: Arabic is mirrored. */
export function createPen(context: SKRSContext2D, language: Language) {
  const isMirrored = language === "ar";

  function mirror(x: number, width = 0): number {
    return isMirrored ? SCREEN_WIDTH - x - width : x;
  }

  /** A text has one font, even if one of its lines has no letter of its script. */
  function setFont(text: string, size: number, weight: Weight): void {
    const isArabic = ARABIC.test(text);
    const family = FAMILIES[isArabic ? "arabic" : "latin"][weight];
    context.font = `${isArabic ? Math.round(size * ARABIC_SCALE) : size}px ${family}`;
    context.direction = isArabic ? "rtl" : "ltr";
  }

  function measureWidth(text: string, size: number, weight: Weight): number {
    setFont(text, size, weight);
    return context.measureText(text).width;
  }

  function toSide(align: Align): "left" | "center" | "right" {
    if (align === "start") return isMirrored ? "right" : "left";
    if (align === "end") return isMirrored ? "left" : "right";
    return align;
  }

  /** Returns the baseline of the last line. */
  function text(content: string, style: TextStyle): number {
    const { weight = "medium", align = "start", width = INNER_WIDTH, maxLines = 1 } = style;
    const { x = align === "center" ? SCREEN_WIDTH / 2 : MARGIN, color = "text", sizes } = style;
    if (content === "") return style.y;
    const fitted = fitText(content, { width, maxLines, sizes }, (line, size) => {
      setFont(content, size, weight);
      return context.measureText(line).width;
    });
    setFont(content, fitted.size, weight);
    context.fillStyle = COLORS[color];
    context.textAlign = toSide(align);
    const anchor = align === "left" || align === "right" ? x : mirror(x);
    const step = fitted.size * (ARABIC.test(content) ? ARABIC_LEADING : LATIN_LEADING);
    for (const [index, line] of fitted.lines.entries()) context.fillText(line, anchor, style.y + index * step);
    return style.y + (fitted.lines.length - 1) * step;
  }

  function box(x: number, y: number, width: number, height: number, radius: number, color: Color): void {
    context.fillStyle = COLORS[color];
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    context.fill();
  }

  /** Fills from the left in both languages when it shows a recording: playback time is not mirrored. */
  function bar(y: number, height: number, permille: number, how: { isTape: boolean }): void {
    const filled = Math.max(height, (INNER_WIDTH * permille) / 1000);
    box(MARGIN, y, INNER_WIDTH, height, height / 2, "surface");
    box(how.isTape ? MARGIN : mirror(MARGIN, filled), y, filled, height, height / 2, "accent");
  }

  function ring(x: number, y: number, radius: number, lineWidth: number, permille: number, color: Color): void {
    const top = -Math.PI / 2;
    const arc = (part: number, stroke: Color) => {
      context.strokeStyle = COLORS[stroke];
      context.lineWidth = lineWidth;
      context.lineCap = "round";
      context.beginPath();
      context.arc(mirror(x), y, radius, top, top + part * 2 * Math.PI);
      context.stroke();
    };
    arc(1, "surface");
    if (permille > 0) arc(permille / 1000, color);
  }

  /** The header of most screens: the kind of screen, and the time. */
  function header(word: string, clock: string, icon: (x: number, y: number) => void): void {
    icon(mirror(MARGIN, 16), 14);
    text(word, { x: MARGIN + 24, y: 28, width: 180, sizes: [17], color: "muted" });
    text(clock, { x: SCREEN_WIDTH - MARGIN, y: 28, width: 80, sizes: [17], color: "muted", align: "end" });
  }

  context.fillStyle = COLORS.background;
  context.fillRect(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT);
  context.textBaseline = "alphabetic";

  return { context, mirror, measureWidth, text, box, bar, ring, header };
}
