import { invalidField } from "@kit/problem";

export interface FieldChange {
  field: string;
  from: string;
  to: string;
}

const MAX_VALUE_LENGTH = 200;

/** Refuses a patch without any known field, because the caller probably misspelled one. */
export function requireSome<Field extends string>(
  patch: Partial<Record<Field, unknown>>,
  fields: readonly Field[],
): void {
  if (fields.some((field) => patch[field] !== undefined)) return;
  const words = `${fields.slice(0, -1).join(", ")} or ${fields.at(-1)}`;
  throw invalidField("body", `must have ${words}`);
}

/** Returns the fields that differ, with values short enough for a timeline. */
export function changesBetween<Item extends object>(
  before: Item,
  after: Item,
  fields: readonly (keyof Item & string)[],
): FieldChange[] {
  return fields
    .map((field) => ({ field, from: formatValue(before[field]), to: formatValue(after[field]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ field, from, to }) => ({ field, from: shorten(from), to: shorten(to) }));
}

export function formatChanges(changes: readonly FieldChange[]): string {
  return changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`).join("; ");
}

/** Cuts between whole characters, because PostgreSQL cannot store a lone surrogate. */
export function shorten(text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  return `${Array.from(text).slice(0, MAX_VALUE_LENGTH).join("")}…`;
}

function formatValue(value: unknown): string {
  if (value === null) return "none";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : JSON.stringify(value);
}
