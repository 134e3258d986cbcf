import { invalidField } from "@kit/problem";

export const FORMATS = ["json", "hec", "bulk", "otlp", "syslog"] as const;
export type Format = (typeof FORMATS)[number];

/** One parsed event. */
export interface ReadEvent {
  fields: Readonly<Record<string, unknown>>;
  /** The original text. */
  raw: string;
  /** The sender's own id for the event: the same id means the same event. */
  id?: string;
  /** The sender guarantees that the id is unique, whatever the content. */
  isIdUnique?: true;
  source?: string;
  /** The sender of the event, in a request that joins events of several senders. */
  sender?: string;
}

/** A part of a body that is not a valid event, and why. */
export interface ParseError {
  raw: string;
  reason: string;
}

/**
 * The result of a parser, in the order of the body. Nothing is dropped: parts that cannot be parsed are included with a
 * reason.
 */
export type ParseResult = ReadEvent | ParseError;

/**
 * Per request. Counted while the body is split, before any event is parsed, so that a decompression bomb costs little.
 */
export const MAX_EVENTS = 200_000;
export const EVENT_CHARACTERS = 1024 * 1024;
export const EVENT_LEVELS = 64;

export function isParseError(found: ParseResult): found is ParseError {
  return "reason" in found;
}

export function requireFewEvents(count: number): void {
  if (count > MAX_EVENTS) throw invalidField("body", `must have at most ${MAX_EVENTS} events`);
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A non-empty text of limited length. */
export function readName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= 512 ? value : undefined;
}
