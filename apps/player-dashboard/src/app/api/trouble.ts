import type { ApiError } from "./api-client.ts";

/** Refusals that the user can resolve. */
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

/** By the last segment of the field name, if the refusal has no code. */
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

/** Status and headers identify the problem. The message is for logs and in English only. */
export function findTrouble({ status, code, field = "" }: Pick<ApiError, "status" | "code" | "field">): Trouble {
  if (status === 404) return "gone";
  if (status !== 400) return "part";
  // A name can also be refused for its characters, but its text differs from that of an address.
  if (code === "characters_forbidden") return field.endsWith("url") ? "spaces" : "characters";
  const byField = BY_FIELD.find(([ending]) => field === ending || field.endsWith(`.${ending}`));
  return BY_CODE.get(code) ?? byField?.[1] ?? "input";
}
