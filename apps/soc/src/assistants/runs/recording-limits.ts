import type { LogEvent } from "../../ports/log-event.ts";

/** A value in its stored form: limited in size, with characters that PostgreSQL can store. */
export interface BoundedValue<Value = unknown> {
  value: Value;
  isCut: boolean;
}

interface Limits {
  text: number;
  items: number;
  depth: number;
}

const EVERYTHING: Limits = { text: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY, depth: 64 };
/** Tried in order until the value fits. */
const TIGHTER: readonly Limits[] = [
  { text: 20_000, items: 500, depth: 32 },
  { text: 2000, items: 100, depth: 16 },
  { text: 500, items: 20, depth: 8 },
  { text: 100, items: 5, depth: 4 },
];
const CUT = "… (cut)";
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Truncates long texts and lists until the JSON fits. */
export function toBounded(value: unknown, maxBytes: number): BoundedValue {
  for (const limits of [EVERYTHING, ...TIGHTER]) {
    const state = { isCut: false };
    const bounded = shorten(value, limits, state, 0);
    if (measureBytes(bounded) <= maxBytes) return { value: bounded, isCut: state.isCut };
  }
  return { value: CUT, isCut: true };
}

/** Truncates a text to this number of bytes. */
export function boundText(text: string, maxBytes: number): string {
  const whole = toStorable(text);
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  // A UTF-16 unit has at most three bytes in UTF-8.
  return `${toStorable(whole.slice(0, Math.floor(maxBytes / 3) - CUT.length))}${CUT}`;
}

export function measureBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

function shorten(value: unknown, limits: Limits, state: { isCut: boolean }, depth: number): unknown {
  if (typeof value === "string") return shortenText(value, limits, state);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return value;
  if (depth >= limits.depth) {
    state.isCut = true;
    return CUT;
  }
  if (Array.isArray(value)) {
    if (value.length > limits.items) state.isCut = true;
    return value.slice(0, limits.items).map((each) => shorten(each, limits, state, depth + 1));
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (entries.length > limits.items) state.isCut = true;
  const kept = entries.slice(0, limits.items);
  return Object.fromEntries(kept.map(([key, each]) => [toStorable(key), shorten(each, limits, state, depth + 1)]));
}

function shortenText(text: string, limits: Limits, state: { isCut: boolean }): string {
  const storable = toStorable(text);
  if (storable.length <= limits.text) return storable;
  state.isCut = true;
  return `${toStorable(storable.slice(0, limits.text))}${CUT}`;
}

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
function toStorable(text: string): string {
  return text.replaceAll(UNSTORABLE, "\uFFFD");
}

const MAX_EVENT_BYTES = 16_384;
const MAX_RAW = 4096;

/**
 * Limits events for investigations: removes the original if the fields contain it, limits each event, and keeps as
 * many as fit. The investigation uses the recorded form, so that a replay sees the same.
 */
export function boundEvents(events: readonly LogEvent[], maxBytes: number): BoundedValue<LogEvent[]> {
  const value: LogEvent[] = [];
  let isCut = false;
  let left = maxBytes;
  for (const event of events) {
    const bounded = boundEvent(event);
    left -= measureBytes(bounded.value) + 1;
    if (left < 0) return { value, isCut: true };
    isCut ||= bounded.isCut;
    value.push(bounded.value);
  }
  return { value, isCut };
}

function boundEvent(event: LogEvent): BoundedValue<LogEvent> {
  const isSaid = event.message !== "" || Object.keys(event.attributes).length > 0;
  const slim = { ...event, raw: isSaid ? "" : boundText(event.raw, MAX_RAW) };
  const { value, isCut } = toBounded(slim.attributes, MAX_EVENT_BYTES);
  const attributes = isRecord(value) ? value : {};
  const texts = Object.fromEntries(
    Object.entries({ ...slim, attributes: {} }).map(([name, field]) => [
      name,
      typeof field === "string" ? boundText(field, MAX_EVENT_BYTES) : field,
    ]),
  );
  const bounded = { ...slim, ...texts, attributes };
  return { value: bounded, isCut: isCut || bounded.message !== event.message };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
