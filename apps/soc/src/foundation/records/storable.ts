import { invalidField } from "@kit/problem";

const HALF_A_PAIR = /\p{Surrogate}/u;

/** PostgreSQL stores neither U+0000 nor half a surrogate pair; refused here, the sentence can name the field. */
export function requireStorable(fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    if (!isStorable(value)) throw invalidField(field, "holds a character that cannot be stored");
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && !HALF_A_PAIR.test(value);
  return typeof value !== "object" || value === null || Object.entries(value).flat().every(isStorable);
}
