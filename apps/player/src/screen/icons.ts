import type { SKRSContext2D } from "@napi-rs/canvas";
import { COLORS } from "./pen.ts";

/** Draws into a square of 16 pixels whose upper left corner is given. */
export type Icon = (x: number, y: number) => void;

type Point = readonly [x: number, y: number];

const BAR_LEFT = rectangle(2, 1, 4, 14);
const BAR_RIGHT = rectangle(10, 1, 4, 14);

const PAGE_LEFT: readonly Point[] = [
  [0, 2],
  [7, 4],
  [7, 15],
  [0, 13],
];
const PAGE_RIGHT = PAGE_LEFT.map(([x, y]) => [16 - x, y] as const);

const TRIANGLE: readonly Point[] = [
  [2, 0],
  [15, 8],
  [2, 16],
];
const PEAK: readonly Point[] = [
  [8, 0],
  [16.5, 15],
  [-0.5, 15],
];

const CARD_TOP = rectangle(0, 2, 16, 3);
const CARD_BODY = rectangle(0, 7, 16, 7);

function rectangle(x: number, y: number, width: number, height: number): readonly Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

export function createIcons(context: SKRSContext2D) {
  function shapes(...polygons: readonly (readonly Point[])[]): Icon {
    return (x, y) => {
      context.fillStyle = COLORS.accent;
      for (const points of polygons) {
        context.beginPath();
        for (const [dx, dy] of points) context.lineTo(x + dx, y + dy);
        context.closePath();
        context.fill();
      }
    };
  }

  function discs(radius: number, ...centers: readonly Point[]): Icon {
    return (x, y) => {
      context.fillStyle = COLORS.accent;
      for (const [dx, dy] of centers) {
        context.beginPath();
        context.arc(x + dx, y + dy, radius, 0, 2 * Math.PI);
        context.fill();
      }
    };
  }

  return {
    playing: shapes(TRIANGLE),
    paused: shapes(BAR_LEFT, BAR_RIGHT),
    live: discs(6, [8, 8]),
    waiting: discs(2.4, [2, 8], [8, 8], [14, 8]),
    book: shapes(PAGE_LEFT, PAGE_RIGHT),
    card: shapes(CARD_TOP, CARD_BODY),
    warning: shapes(PEAK),
  } satisfies Record<string, Icon>;
}
