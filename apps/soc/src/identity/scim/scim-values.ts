import { invalidField, type Problem } from "@kit/problem";
import { isStorable } from "../../foundation/records/storable.ts";

export type Fields = Readonly<Record<string, unknown>>;

const MAX_TEXT_LENGTH = 255;
const MAX_USERNAME_LENGTH = 100;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const USERNAME = /^[A-Za-z0-9._@+-]+$/;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refuseValue(field: string, text: string): Problem {
  return invalidField(field, text, { code: "invalid_value" });
}

/** Returns the attribute with this case-insensitive name. */
export function pick(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  const key = Object.keys(fields).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : fields[key];
}

/** A string, or null if it is missing. */
export function readText(field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string" || value.length > MAX_TEXT_LENGTH || !isStorable(value)) {
    throw refuseValue(field, `must be a text of at most ${MAX_TEXT_LENGTH} characters`);
  }
  return value;
}

export function readRequiredText(field: string, value: unknown): string {
  const text = readText(field, value);
  if (text === null || text.trim() === "") throw refuseValue(field, "is required");
  return text;
}

/** Entra ID sends "True" and "False" as strings. */
export function readBoolean(field: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text !== "true" && text !== "false") throw refuseValue(field, "must be true or false");
  return text === "true";
}

/** The name of a new account. */
export function requireAccountName(userName: string): string {
  if (userName.length <= MAX_USERNAME_LENGTH && USERNAME.test(userName)) return userName;
  throw refuseValue("userName", `must be 1 to ${MAX_USERNAME_LENGTH} letters, digits or . _ @ + -`);
}

/**
 * Returns the address to write to: the primary one, else the work address, else the first. Ignores an invalid address,
 * so that it cannot prevent a user from being disabled.
 */
export function readEmail(value: unknown): string | null {
  const listed = (Array.isArray(value) ? value : [value]).filter(isFields);
  const chosen =
    listed.find((each) => pick(each, "primary") === true) ??
    listed.find((each) => pick(each, "type") === "work") ??
    listed[0];
  return toEmail(chosen && pick(chosen, "value"));
}

export function toEmail(value: unknown): string | null {
  return typeof value === "string" && EMAIL.test(value) && isStorable(value) ? value : null;
}

/** Undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
