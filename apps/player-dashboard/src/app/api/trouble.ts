import type { ApiError } from "./api-client.ts";

/** What the device refuses, as far as a person can do something about it. */
export type Trouble =
  | "private"
  | "scheme"
  | "credentials"
  | "spaces"
  | "malformed"
  | "long"
  | "full"
  | "gone"
  | "file"
  | "range"
  | "characters"
  | "position"
  | "noOther"
  | "emptyRange"
  | "busyUpdate"
  | "battery"
  | "zone"
  | "clock"
  | "place"
  | "bundle"
  | "input"
  | "part";

/** The codes of the device's refusals. */
const BY_CODE: ReadonlyMap<string | undefined, Trouble> = new Map([
  ["address_forbidden", "private"],
  ["scheme_forbidden", "scheme"],
  ["credentials_forbidden", "credentials"],
  ["url_malformed", "malformed"],
  ["url_too_long", "long"],
  ["storage_limit", "full"],
  ["target_missing", "gone"],
  ["file_missing", "file"],
]);

/** By the last names of the field, where its refusal has no code. */
const BY_FIELD: readonly (readonly [ending: string, trouble: Trouble])[] = [
  ["path", "file"],
  ["fajr_path", "file"],
  ["ab.from", "range"],
  ["ab", "emptyRange"],
  ["position", "position"],
  ["reciter", "noOther"],
  ["surah_number", "noOther"],
  ["ota", "busyUpdate"],
  ["battery", "battery"],
  ["timezone", "zone"],
  ["epoch", "clock"],
  ["lat", "place"],
  ["lng", "place"],
  ["body", "bundle"],
];

/** Status and headers say what is wrong. The message is for logs, and in English only. */
export function findTrouble({ status, code, field = "" }: Pick<ApiError, "status" | "code" | "field">): Trouble {
  if (status === 404) return "gone";
  if (status !== 400) return "part";
  // A name is refused for its characters, too, but in other words than an address.
  if (code === "characters_forbidden") return field.endsWith("url") ? "spaces" : "characters";
  const byField = BY_FIELD.find(([ending]) => field === ending || field.endsWith(`.${ending}`));
  return BY_CODE.get(code) ?? byField?.[1] ?? "input";
}
