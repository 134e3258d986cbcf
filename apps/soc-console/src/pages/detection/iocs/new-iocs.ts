import type { CheckedIoc } from "./iocs-client.ts";

const MAX_TAGS = 50;
const DAY_MS = 24 * 3_600_000;

/** The values to store: new ones and, on request, those on a warning list. Known values are skipped. */
export function chooseItems(items: readonly CheckedIoc[], isForced: boolean): string[] {
  const chosen = items.filter(({ state }) => state === "new" || (isForced && state === "warned"));
  return [...new Set(chosen.map(({ value, given }) => value ?? given))];
}

/** `c2, phishing` as a list without duplicates. */
export function readTags(text: string): string[] {
  const tags = text.split(/[,،;\s]+/u).filter((tag) => tag !== "");
  return [...new Set(tags)].slice(0, MAX_TAGS);
}

/** The instant in that many days; null means no expiry. */
export function toEnd(days: string, now: Date): string | null {
  return days === "" ? null : new Date(now.getTime() + Number(days) * DAY_MS).toISOString();
}

/** The format of an import file: a STIX bundle names its type, everything else is read as MISP. */
export function findFormat(text: string): "stix" | "misp" {
  return /"type"\s*:\s*"bundle"/.test(text) ? "stix" : "misp";
}
