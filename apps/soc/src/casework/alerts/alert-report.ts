import type { NewAlert } from "./alert.ts";

/** The longest texts and lists that an alert takes. */
export const ALERT_LIMITS = {
  title: 500,
  description: 20_000,
  source: 100,
  name: 255,
  site: 100,
  logIds: 100,
} as const;

/** The fields of a log that an alert may repeat. */
export interface ReportedLog {
  id: string;
  ingested_at: string;
  host: string;
  user: string;
  site: string;
}

/** An alert names a host, a user or a site only if all of its logs do. */
export function sharedFields(logs: readonly ReportedLog[]): Pick<NewAlert, "host" | "user" | "site"> {
  const shared = (field: "host" | "user" | "site", maxLength: number) => {
    const text = logs[0]?.[field] ?? "";
    const named = logs.every((log) => log[field] === text) ? oneLine(text, maxLength) : undefined;
    return named === undefined ? {} : { [field]: named };
  };
  const { name, site } = ALERT_LIMITS;
  return { ...shared("host", name), ...shared("user", name), ...shared("site", site) };
}

/** Which logs an alert is about, how many, and when the newest of them was received. */
export function countedLogs(
  logs: readonly Pick<ReportedLog, "id" | "ingested_at">[],
): Pick<NewAlert, "log_ids" | "occurrence_count" | "seen_at"> {
  const newest = logs.map(({ ingested_at }) => Date.parse(ingested_at)).reduce((a, b) => Math.max(a, b), 0);
  return {
    log_ids: logs.slice(0, ALERT_LIMITS.logIds).map(({ id }) => id),
    occurrence_count: Math.max(logs.length, 1),
    ...(logs.length > 0 && { seen_at: new Date(newest) }),
  };
}

/** One line, limited in length and without characters that cannot be stored; undefined when nothing is left. */
export function oneLine(text: string, maxLength: number): string | undefined {
  return shortened(wellFormed(text).replaceAll(/[\s\p{Cc}]+/gu, " "), maxLength);
}

/** Limited in length and without characters that cannot be stored; undefined when nothing is left. */
export function paragraphs(text: string, maxLength: number): string | undefined {
  return shortened(wellFormed(text).replaceAll("\0", " "), maxLength);
}

function shortened(text: string, maxLength: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (trimmed.length <= maxLength) return trimmed;
  return `${wellFormed(trimmed.slice(0, maxLength - 1))}…`;
}

/** Replaces unpaired surrogates by U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
