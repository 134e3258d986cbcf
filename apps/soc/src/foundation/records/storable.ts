import { invalidField } from "@kit/problem";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** PostgreSQL stores neither U+0000 nor lone surrogates. Checked here so that the error names the field. */
export function requireStorable(fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    if (!isStorable(value)) throw invalidField(field, "contains a character that cannot be stored");
    if (!isExact(value))
      throw invalidField(field, "contains an integer beyond 2^53, which would be rounded; send it as a string");
  }
}

/** JSON.parse has already rounded a larger integer, so the sender's value is lost. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}

/** Whether PostgreSQL can store every string in the value. */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && !LONE_SURROGATE.test(value);
  return typeof value !== "object" || value === null || Object.entries(value).flat().every(isStorable);
}
