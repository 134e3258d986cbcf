import type { ApiError } from "../api/api-client.ts";

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
  | "range";

/** The codes of the device's refusals. */
const TROUBLES: ReadonlyMap<string | undefined, Trouble> = new Map([
  ["address_forbidden", "private"],
  ["scheme_forbidden", "scheme"],
  ["credentials_forbidden", "credentials"],
  ["characters_forbidden", "spaces"],
  ["url_malformed", "malformed"],
  ["url_too_long", "long"],
  ["storage_limit", "full"],
  ["target_missing", "gone"],
  ["file_missing", "file"],
]);

export function findTrouble({
  status,
  code,
  field = "",
}: Pick<ApiError, "status" | "code" | "field">): Trouble | undefined {
  if (status !== 400) return undefined;
  const trouble = TROUBLES.get(code);
  // A name is refused for its characters, too, but these words are about an address.
  if (trouble && (trouble !== "spaces" || field.endsWith("url"))) return trouble;
  if (field.endsWith("path")) return "file";
  return field.endsWith("ab.from") ? "range" : undefined;
}
