import type { NewAlert } from "../../../alerts/module.ts";
import type { Caller } from "../../../foundation/caller/caller.ts";

/** A source that has sent nothing for longer than usual. */
export interface Silence {
  source: string;
  silent_since: Date;
  /** The usual time between two arrivals. */
  interval_ms: number;
}

/** The caller that raises the intake's own alerts. */
export const INTAKE: Caller = { kind: "api_key", username: "intake", role: "agent" };

/** Counts the sources beyond the limit of counted ones. */
export const OTHERS = "(others)";
/** Events without a source and the sum of many sources: neither is a sender that can fall silent. */
export const NOT_WATCHED = ["unknown", OTHERS] as const;

/** The resolution of an automatically closed alert. */
export const SENDS_AGAIN = "The source sends again.";

/** A network failure silences many sources at once; more than this many are reported in one alert. */
export const MAX_SEPARATE_SILENCES = 20;
const MAX_NAMES = 100;

export interface SilenceReport {
  report: NewAlert;
  /** The sources that the alert is about. */
  sources: readonly string[];
}

/**
 * Builds the alerts for the sources that one check found silent. `maxSeparate` may be less after many other alerts.
 * Titles contain no time, so that repeats are counted.
 */
export function buildSilenceReports(
  silences: readonly Silence[],
  maxSeparate = MAX_SEPARATE_SILENCES,
): SilenceReport[] {
  const sources = silences.map(({ source }) => source);
  if (maxSeparate === 0 && silences.length > 0) return [{ report: buildOverflowReport(silences), sources }];
  if (silences.length > Math.min(maxSeparate, MAX_SEPARATE_SILENCES)) {
    return [{ report: buildGroupReport(silences), sources }];
  }
  return silences.map(({ source, silent_since, interval_ms }) => ({
    report: {
      title: `Log source '${oneLine(source)}' is silent`,
      description: `It has sent nothing since ${silent_since.toISOString()} and usually sends an event every ${formatSpan(interval_ms)}. Check whether the sender, its network or its settings have changed.`,
      source: "intake",
      severity: "medium",
    },
    sources: [source],
  }));
}

/** Its title is constant, so that later ones are counted by the same alert. */
function buildOverflowReport(silences: readonly Silence[]): NewAlert {
  const names = silences.slice(0, MAX_NAMES).map(({ source }) => oneLine(source));
  return {
    title: "Many log sources fell silent within an hour",
    description: `The last ones: ${names.join(", ")}. All of them have silent_since in the list of sources. Names of sources may have been made up by a sender.`,
    source: "intake",
    severity: "medium",
  };
}

function buildGroupReport(silences: readonly Silence[]): NewAlert {
  const ordered = silences.toSorted((a, b) => a.silent_since.getTime() - b.silent_since.getTime());
  const first = ordered[0]?.silent_since.toISOString() ?? "";
  const names = ordered.slice(0, MAX_NAMES).map(({ source }) => oneLine(source));
  const others = ordered.length > MAX_NAMES ? ` and ${ordered.length - MAX_NAMES} more` : "";
  return {
    title: "Many log sources are silent",
    description: `${silences.length} sources fell silent at the same time, the first since ${first}, and may share a cause: ${names.join(", ")}${others}.`,
    source: "intake",
    severity: "high",
  };
}

/** The name comes from an external sender and may contain control characters. */
function oneLine(name: string): string {
  return name.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

function formatSpan(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 2) return `${Math.round(ms / 1000)} seconds`;
  return minutes < 120 ? `${Math.round(minutes)} minutes` : `${Math.round(minutes / 60)} hours`;
}
