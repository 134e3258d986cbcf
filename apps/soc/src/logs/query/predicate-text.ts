import type { Pattern } from "@kit/query/condition";
import { plainTextOf, simplify } from "@kit/query/condition-pattern";

/** The part between two `any` wildcards: texts, and wildcards for one character each. */
type Segment = readonly ({ text: string } | { wildcard: "one" })[];

/**
 * Returns a function that tests whether a text matches a pattern; linear in the text for each segment, no backtracking.
 */
export function toMatcher(pattern: Pattern): (text: string) => boolean {
  const plain = plainTextOf(pattern);
  if (plain !== undefined) return (text) => text === plain;
  return simpleMatcher(simplify(pattern)) ?? generalMatcher(splitSegments(pattern));
}

/** The common shapes, which cover nearly all patterns. */
function simpleMatcher(pattern: Pattern): ((text: string) => boolean) | undefined {
  const shape = pattern.map((part) => ("text" in part ? "text" : part.wildcard)).join(" ");
  const wanted = pattern.map((part) => ("text" in part ? part.text : "")).join("");
  switch (shape) {
    case "any":
      return () => true;
    case "any text any":
      return (text) => text.includes(wanted);
    case "text any":
      return (text) => text.startsWith(wanted);
    case "any text":
      return (text) => text.endsWith(wanted);
    default:
      return undefined;
  }
}

function splitSegments(pattern: Pattern): Segment[] {
  const segments: ({ text: string } | { wildcard: "one" })[][] = [[]];
  for (const part of simplify(pattern)) {
    if ("text" in part) segments.at(-1)?.push(part);
    else if (part.wildcard === "one") segments.at(-1)?.push({ wildcard: "one" });
    else segments.push([]);
  }
  return segments;
}

function generalMatcher(segments: readonly Segment[]): (text: string) => boolean {
  const first = segments[0] ?? [];
  const last = segments.at(-1) ?? [];
  const between = segments.slice(1, -1);
  if (segments.length === 1) return (text) => findSegmentEnd(first, text, 0) === text.length;
  return (text) => {
    let place = findSegmentEnd(first, text, 0);
    for (const segment of between) {
      if (place < 0) return false;
      place = findEnd(segment, text, place);
    }
    // Earlier segments were matched at their earliest position, which leaves the most room for the last one.
    return place >= 0 && findSegmentStart(last, text, text.length) >= place;
  };
}

/** The end of a segment that starts at `start`, or -1. */
function findSegmentEnd(segment: Segment, text: string, start: number): number {
  let place = start;
  for (const part of segment) {
    if ("text" in part) {
      if (!text.startsWith(part.text, place)) return -1;
      place += part.text.length;
    } else {
      if (place >= text.length) return -1;
      place += widthAt(text, place);
    }
  }
  return place;
}

/** The start of a segment that ends at `end`, or -1. */
function findSegmentStart(segment: Segment, text: string, end: number): number {
  let place = end;
  for (const part of segment.toReversed()) {
    if ("text" in part) {
      if (!text.endsWith(part.text, place)) return -1;
      place -= part.text.length;
    } else {
      if (place <= 0) return -1;
      place -= place >= 2 && widthAt(text, place - 2) === 2 ? 2 : 1;
    }
    if (place < 0) return -1;
  }
  return place;
}

/** The end of the earliest occurrence of a segment, or -1. */
function findEnd(segment: Segment, text: string, from: number): number {
  const [first] = segment;
  for (let place = from; place <= text.length; ) {
    const start = first && "text" in first ? text.indexOf(first.text, place) : place;
    if (start < 0) return -1;
    const end = findSegmentEnd(segment, text, start);
    if (end >= 0) return end;
    if (start >= text.length) return -1;
    place = start + widthAt(text, start);
  }
  return -1;
}

/** The number of code units of the character. */
function widthAt(text: string, place: number): number {
  return (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
}
