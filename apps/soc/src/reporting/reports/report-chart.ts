import { type Chart, type Point, shorten } from "./report-document.ts";

export interface ChartImage {
  svg: string;
  width: number;
  height: number;
}

const WIDTH = 500;
const COLORS = ["#1f4e79", "#2f6f9f", "#5b93bd", "#8fb5d1", "#c79a00", "#d9630d", "#a61b1b", "#7a869a"] as const;
const INK = "#1d2733";
const FAINT = "#d5dce4";
const MAX_LABEL_LENGTH = 30;
// The font name in the PDF; a browser uses the next one that is available.
const FONT = `font-family="DejaVu, 'Segoe UI', sans-serif" font-size="9"`;

/** Draws a chart as SVG for HTML and PDF. The PDF passes its own function to set labels. */
export function draw(chart: Chart, setLabel = (label: string) => label): ChartImage {
  const points = chart.points.map((point) => ({ ...point, label: setLabel(shorten(point.label, MAX_LABEL_LENGTH)) }));
  const { height, shapes } = drawShapes({ ...chart, points });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" ` +
    `role="img">${shapes.join("")}</svg>`;
  return { svg, width: WIDTH, height };
}

function drawShapes({ form, points }: Chart): { height: number; shapes: string[] } {
  switch (form) {
    case "bar":
      return bars(points);
    case "line":
      return line(points);
    case "donut":
      return donut(points);
    default:
      return form satisfies never;
  }
}

function bars(points: readonly Point[]) {
  const largest = Math.max(1, ...points.map(({ value }) => value));
  const shapes = points.flatMap((point, index) => {
    const y = index * 20;
    const length = (point.value / largest) * 260;
    return [
      drawText(160, y + 13, "end", point.label),
      `<rect x="168" y="${y + 3}" width="${round(length)}" height="14" rx="2" fill="${pickColor(point, 0)}"/>`,
      drawText(174 + round(length), y + 13, "start", String(point.value)),
    ];
  });
  return { height: Math.max(20, points.length * 20), shapes };
}

function line(points: readonly Point[]) {
  const [left, right, top, bottom] = [34, WIDTH - 8, 8, 112];
  const largest = Math.max(1, ...points.map(({ value }) => value));
  const step = (right - left) / Math.max(1, points.length - 1);
  const at = points.map(({ value }, index) => [left + index * step, bottom - (value / largest) * (bottom - top)]);
  const path = at.map(([x = 0, y = 0]) => `${round(x)},${round(y)}`).join(" ");
  const named = points.filter((_, index) => index % Math.ceil(points.length / 6) === 0);
  return {
    height: 132,
    shapes: [
      ...[0, 0.5, 1].flatMap((share) => {
        const y = round(bottom - share * (bottom - top));
        return [
          `<line x1="${left}" y1="${y}" x2="${right}" y2="${y}" stroke="${FAINT}" stroke-width="1"/>`,
          drawText(left - 5, y + 3, "end", String(Math.round(share * largest))),
        ];
      }),
      `<polygon points="${left},${bottom} ${path} ${round(left + (points.length - 1) * step)},${bottom}" fill="#dbe7f1"/>`,
      `<polyline points="${path}" fill="none" stroke="${COLORS[0]}" stroke-width="1.6"/>`,
      ...named.map((point) => {
        const index = points.indexOf(point);
        return drawText(round(left + index * step), 126, index === 0 ? "start" : "middle", point.label);
      }),
    ],
  };
}

function donut(points: readonly Point[]) {
  const shown = points.filter(({ value }) => value > 0);
  const total = shown.reduce((sum, { value }) => sum + value, 0);
  const height = Math.max(112, points.length * 18 + 8);
  const ends = shown.map((_, index) => shown.slice(0, index + 1).reduce((sum, { value }) => sum + value, 0) / total);
  const slices = shown.map((point, index) => slice(ends[index - 1] ?? 0, ends[index] ?? 1, pickColor(point, index)));
  const legend = points.flatMap((point, index) => {
    const y = 14 + index * 18;
    const share = total === 0 ? 0 : Math.round((100 * point.value) / total);
    return [
      `<rect x="150" y="${y - 8}" width="10" height="10" rx="2" fill="${pickColor(point, index)}"/>`,
      drawText(168, y + 1, "start", `${point.value} (${share} %)`),
      drawText(240, y + 1, "start", point.label),
    ];
  });
  const middle = `<text x="58" y="61" text-anchor="middle" fill="${INK}" font-family="DejaVu, sans-serif" font-size="14">${total}</text>`;
  return { height, shapes: [...slices, middle, ...legend] };
}

/**
 * Draws a segment of a ring between two fractions of a turn. A full ring consists of two halves, because an SVG arc
 * cannot end where it begins.
 */
function slice(from: number, to: number, color: string): string {
  if (to - from > 0.999) return slice(0, 0.5, color) + slice(0.5, 0.998, color);
  const point = (share: number, radius: number) => {
    const angle = 2 * Math.PI * share - Math.PI / 2;
    return `${round(58 + radius * Math.cos(angle))} ${round(56 + radius * Math.sin(angle))}`;
  };
  const isLarge = to - from > 0.5 ? 1 : 0;
  return (
    `<path fill="${color}" d="M ${point(from, 48)} A 48 48 0 ${isLarge} 1 ${point(to, 48)} ` +
    `L ${point(to, 28)} A 28 28 0 ${isLarge} 0 ${point(from, 28)} Z"/>`
  );
}

function drawText(x: number, y: number, anchor: "start" | "middle" | "end", text: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${INK}" ${FONT}>${escapeMarkup(text)}</text>`;
}

function pickColor({ color }: Point, index: number): string {
  return color ?? COLORS[index % COLORS.length] ?? COLORS[0];
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}

/** Escapes text and quoted attributes in HTML and SVG. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
