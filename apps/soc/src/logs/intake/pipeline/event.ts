export const FORMATS = ["json", "hec", "bulk", "otlp", "syslog"] as const;
export type Format = (typeof FORMATS)[number];

/** One event as a reader found it. */
export interface ReadEvent {
  fields: Readonly<Record<string, unknown>>;
  /** As it came. */
  raw: string;
  /** The sender's own name for it: the same one again is the same event. */
  id?: string;
  /** The sender means no other event by it, whatever that says. */
  isIdUnique?: true;
  source?: string;
}

/** Something that should have been an event, and why it is none. */
export interface Unreadable {
  raw: string;
  reason: string;
}

/** What a reader found, in the order of the body. Nothing is left out: what cannot be read is told. */
export type Found = ReadEvent | Unreadable;

export const EVENT_CHARACTERS = 1024 * 1024;
export const EVENT_LEVELS = 64;

export function isUnreadable(found: Found): found is Unreadable {
  return "reason" in found;
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text that names something: not empty, and not without end. */
export function readName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= 512 ? value : undefined;
}
