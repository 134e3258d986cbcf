import { invalidField } from "@kit/problem";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** PostgreSQL stores neither U+0000 nor lone surrogates. Checked here, so that the error names the field. */
export function requireStorable(fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    if (!isStorable(value)) throw invalidField(field, "holds a character that cannot be stored");
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && !LONE_SURROGATE.test(value);
  return typeof value !== "object" || value === null || Object.entries(value).flat().every(isStorable);
}
