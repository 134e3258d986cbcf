import { invalidField } from "@kit/problem";
import { EVENT_CHARACTERS, EVENT_LEVELS, type Fields, isFields, type ParseError, requireFewEvents } from "./event.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Splits a text into its concatenated JSON values, or into the items of its list, without parsing them. A broken item
 * does not affect the others, and each keeps its original text.
 */
export function valuesIn(text: string): string[] {
  const values: string[] = [];
  let at = skipBlank(text, 0);
  let isInList = false;
  if (text.charCodeAt(at) === OPEN_BRACKET) {
    isInList = true;
    at += 1;
  }
  for (at = skipBlank(text, at); at < text.length; at = skipBlank(text, at)) {
    if (isInList && text.charCodeAt(at) === CLOSE_BRACKET) {
      isInList = false;
      at += 1;
      continue;
    }
    const end = endOfValue(text, at);
    values.push(text.slice(at, end));
    requireFewEvents(values.length);
    at = end;
  }
  return values;
}

/** Returns the non-blank lines, trimmed. `perEvent` is the maximum number of lines of one event. */
export function linesIn(text: string, perEvent = 1): string[] {
  const lines: string[] = [];
  let seen = 0;
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed;
    seen += 1;
    requireFewEvents(seen / perEvent);
    const line = text.slice(at, end).trim();
    if (line !== "") lines.push(line);
    at = end;
  }
  return lines;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

/** Skips blanks and the commas between values. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character > SPACE && character !== COMMA && character !== BYTE_ORDER_MARK) break;
  }
  return at;
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return endOfString(text, from);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNesting(text, from);
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character <= SPACE || character === COMMA || character === OPEN_BRACE || character === CLOSE_BRACKET) break;
  }
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at + 1;
  }
  return text.length;
}

function endOfNesting(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at) - 1;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Parses a text as an object, or returns why it is refused. */
export function objectIn(raw: string): { object: Fields } | ParseError {
  if (raw.length > EVENT_CHARACTERS) {
    return { raw, reason: `event: must be at most ${EVENT_CHARACTERS} characters` };
  }
  if (isDeeperThan(raw, EVENT_LEVELS)) return { raw, reason: `event: must be at most ${EVENT_LEVELS} levels deep` };
  const value = parsed(raw);
  if (value === undefined) return { raw, reason: "event: must be valid JSON" };
  return isFields(value) ? { object: value } : { raw, reason: "event: must be an object" };
}

/** Checked before a parser allocates memory. A text that is too short for this depth is not scanned. */
export function isDeeperThan(raw: string, levels: number): boolean {
  if (raw.length <= levels) return false;
  let depth = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charCodeAt(at);
    if (character === QUOTE) at = endOfString(raw, at) - 1;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Throws before a parser allocates memory for more objects than any real request has. */
export function requireFewObjects(raw: string, most: number): void {
  let objects = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charCodeAt(at);
    if (character === QUOTE) at = endOfString(raw, at) - 1;
    else if (character === OPEN_BRACE) objects += 1;
    if (objects > most) throw invalidField("body", `must have at most ${most} objects`);
  }
}

/** Undefined for a text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
