import type { BundleBody } from "../../cases/ledger/ledger.schema.ts";
import { makeVisible } from "../../foundation/records/visible-text.ts";
import type { ReportType } from "./reports.schema.ts";

/** The content of a report, independent of its format. Every text in it may come from an attacker. */
export interface ReportDocument {
  title: string;
  report_type: ReportType;
  made_by: string;
  made_at: Date;
  /** The line under the title: the case or the period of the report. */
  subject: string;
  blocks: readonly Block[];
  /** The input of the stand-alone verifier; null when the report has no ledger, or the bundle is too large. */
  ledger_bundle: BundleBody | null;
}

export type Block =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "facts"; facts: readonly Fact[] }
  | Table
  | Chart
  | { kind: "timeline"; entries: readonly TimelineItem[]; more: number };

export interface Fact {
  name: string;
  value: string;
}

export interface TimelineItem {
  at: string;
  actor: string;
  text: string;
}

export interface Table {
  kind: "table";
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  /** The number of omitted rows. */
  more: number;
  /** The text that replaces an empty table. */
  empty: string;
}

export interface Column {
  name: string;
  /** The relative width of the column. */
  weight: number;
  /** Hashes and similar values. */
  isCode?: boolean;
}

export interface Chart {
  kind: "chart";
  form: "bar" | "line" | "donut";
  title: string;
  points: readonly Point[];
}

export interface Point {
  label: string;
  value: number;
  color?: string;
}

export const SEVERITY_COLORS: Readonly<Record<string, string>> = {
  critical: "#a61b1b",
  high: "#d9630d",
  medium: "#c79a00",
  low: "#2f6f9f",
  info: "#7a869a",
};

/** Truncates a text to a maximum number of characters and marks the truncation. */
export function shorten(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : text;
}

/** Formats in UTC, which each renderer states once. */
export function timeText(at: Date | string | null): string {
  if (at === null) return "–";
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

export function minutesText(minutes: number | null): string {
  if (minutes === null) return "no data";
  if (minutes < 120) return `${minutes.toFixed(0)} minutes`;
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} hours` : `${(minutes / 1440).toFixed(1)} days`;
}

/** Formats the line with author and time under the title. */
export function madeText({ made_by, made_at }: Pick<ReportDocument, "made_by" | "made_at">): string {
  return `Created by ${made_by} at ${timeText(made_at)}. All times are UTC.`;
}

export const heading = (text: string): Block => ({ kind: "heading", text });
export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
export const facts = (...pairs: readonly (readonly [string, string])[]): Block => ({
  kind: "facts",
  facts: pairs.map(([name, value]) => ({ name, value })),
});

/** Builds a table with its number of omitted rows. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { total = rows.length, empty = "None." }: { total?: number; empty?: string } = {},
): Block {
  return { kind: "table", columns, rows, more: Math.max(0, total - rows.length), empty };
}

/** Cleans every text of the document in one place, so that no renderer can omit it. */
export function cleaned(document: ReportDocument): ReportDocument {
  return {
    ...document,
    title: oneLine(document.title),
    subject: oneLine(document.subject),
    made_by: oneLine(document.made_by),
    blocks: document.blocks.map(cleanBlock),
  };
}

function oneLine(text: string): string {
  return makeVisible(text).replaceAll("\n", " ");
}

function cleanBlock(block: Block): Block {
  switch (block.kind) {
    case "heading":
      return { ...block, text: oneLine(block.text) };
    case "paragraph":
      return { ...block, text: makeVisible(block.text) };
    case "facts":
      return { ...block, facts: block.facts.map(({ name, value }) => ({ name, value: makeVisible(value) })) };
    case "table":
      return { ...block, rows: block.rows.map((row) => row.map(makeVisible)) };
    case "chart":
      return { ...block, points: block.points.map((point) => ({ ...point, label: oneLine(point.label) })) };
    case "timeline":
      return {
        ...block,
        entries: block.entries.map(({ at, actor, text }) => ({ at, actor: oneLine(actor), text: makeVisible(text) })),
      };
    default:
      return block satisfies never;
  }
}
