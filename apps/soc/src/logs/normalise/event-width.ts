import { NAMES_OF } from "./event-names.ts";
import { type Fields, isFields, parsePath } from "./event-path.ts";

/** How many values of an event become attributes. The time and the memory of the log store grow with each. */
export const MAX_VALUES = 1000;
/** The attribute with the rest of a wider event: the number of its values, and its fields as one JSON text. */
const REST = "manara_rest";

const DEEPEST = 20;
const KNOWN = new Set(Object.values(NAMES_OF).flatMap((names) => names.map((name) => parsePath(name)[0])));

/** Returns the event unchanged, or its first values with the rest of them as one text. A list of texts is one value. */
export function limitWidth(event: Fields): Fields {
  if (countValues(event, MAX_VALUES, 0) <= MAX_VALUES) return event;
  const names = Object.keys(event);
  const ordered = [...names.filter((name) => KNOWN.has(name)), ...names.filter((name) => !KNOWN.has(name))];
  const { kept, rest } = split(event, ordered, { left: MAX_VALUES - 2 }, 0);
  const values = countValues(rest, Number.POSITIVE_INFINITY, 0);
  return { ...kept, [REST]: { values, text: JSON.stringify(rest) } };
}

/** Stops beyond the limit. */
function countValues(value: unknown, limit: number, depth: number): number {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return 1;
  if (Array.isArray(value) && !value.some(isFields)) return 1;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) {
      count += countValues(each, limit - count, depth + 1);
      if (count > limit) return count;
    }
    return count;
  }
  if (!isFields(value)) return 1;
  for (const name of Object.keys(value)) {
    count += countValues(value[name], limit - count, depth + 1);
    if (count > limit) return count;
  }
  return count;
}

function split(fields: Fields, names: readonly string[], room: { left: number }, depth: number) {
  const kept = new Map<string, unknown>();
  const rest = new Map<string, unknown>();
  for (const name of names) {
    const value = fields[name];
    const count = countValues(value, room.left, depth);
    if (count <= room.left) {
      room.left -= count;
      kept.set(name, value);
    } else if (isFields(value) && depth < DEEPEST && room.left > 0) {
      const inner = split(value, Object.keys(value), room, depth + 1);
      kept.set(name, inner.kept);
      rest.set(name, inner.rest);
    } else rest.set(name, value);
  }
  return { kept: Object.fromEntries(kept), rest: Object.fromEntries(rest) };
}
