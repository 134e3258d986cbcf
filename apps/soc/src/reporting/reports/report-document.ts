import type { BundleBody } from "../../casework/ledger/ledger.schema.ts";
import type { ReportType } from "./reports.schema.ts";

/** What a report says, before anybody decides how it looks. Every text in it may come from an attacker. */
export interface ReportDocument {
  title: string;
  report_type: ReportType;
  made_by: string;
  made_at: Date;
  /** One line under the title: what, or which time, it is about. */
  subject: string;
  blocks: readonly Block[];
  /** What the stand-alone verifier takes; null when the report has no ledger, or one too large to carry. */
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
  /** How many rows were left out. */
  more: number;
  /** What is said when there are no rows. */
  empty: string;
}

export interface Column {
  name: string;
  /** Its share of the width. */
  weight: number;
  /** Hashes and the like. */
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

/** Characters that are not seen, but change what is: controls, and those that turn the direction of a text. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** The text with everything unseen made visible; line breaks stay. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(UNSEEN, (unseen) => (unseen === "\n" ? unseen : unseen === "\t" ? " " : formatCodePoint(unseen)))
    .replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

function formatCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** So many characters at most, the last one a sign that there were more. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}

/** In UTC, as each renderer says once. */
export function timeText(at: Date | string | null): string {
  if (at === null) return "–";
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

export function minutesText(minutes: number | null): string {
  if (minutes === null) return "nothing to measure";
  if (minutes < 120) return `${minutes.toFixed(0)} minutes`;
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} hours` : `${(minutes / 1440).toFixed(1)} days`;
}

/** The line under the title. */
export function madeText({ made_by, made_at }: Pick<ReportDocument, "made_by" | "made_at">): string {
  return `Made by ${made_by} at ${timeText(made_at)}. All times are UTC.`;
}

export const heading = (text: string): Block => ({ kind: "heading", text });
export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
export const facts = (...pairs: readonly (readonly [string, string])[]): Block => ({
  kind: "facts",
  facts: pairs.map(([name, value]) => ({ name, value })),
});

/** A table of what was read, and how much more there is. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { total = rows.length, empty = "None." }: { total?: number; empty?: string } = {},
): Block {
  return { kind: "table", columns, rows, more: Math.max(0, total - rows.length), empty };
}

/** The whole document with every text made visible: done once, so that no renderer can forget it. */
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
  return visible(text).replaceAll("\n", " ");
}

function cleanBlock(block: Block): Block {
  switch (block.kind) {
    case "heading":
      return { ...block, text: oneLine(block.text) };
    case "paragraph":
      return { ...block, text: visible(block.text) };
    case "facts":
      return { ...block, facts: block.facts.map(({ name, value }) => ({ name, value: visible(value) })) };
    case "table":
      return { ...block, rows: block.rows.map((row) => row.map(visible)) };
    case "chart":
      return { ...block, points: block.points.map((point) => ({ ...point, label: oneLine(point.label) })) };
    case "timeline":
      return {
        ...block,
        entries: block.entries.map(({ at, actor, text }) => ({ at, actor: oneLine(actor), text: visible(text) })),
      };
    default:
      return block satisfies never;
  }
}
