import type { NewAlert } from "../../../casework/alerts/alert.ts";
import type { Caller } from "../../../foundation/caller/caller.ts";

/** That a source has said nothing for longer than is usual for it. */
export interface Silence {
  source: string;
  silent_since: Date;
  /** The usual time between two arrivals. */
  interval_ms: number;
}

/** As whom the intake tells what it noticed by itself. */
export const INTAKE: Caller = { kind: "api_key", username: "intake", role: "agent" };

/** When a network ends, many fall silent at once; more than this are told as one. */
export const SILENCES_APART = 20;
const NAMES = 100;

/** What is told of those that were found silent in one look. */
export function buildSilenceReports(silences: readonly Silence[]): NewAlert[] {
  if (silences.length > SILENCES_APART) return [buildGroupReport(silences)];
  return silences.map(({ source, silent_since, interval_ms }) => ({
    title: `Log source '${oneLine(source)}' is silent since ${silent_since.toISOString()}`,
    description: `It usually says something every ${formatSpan(interval_ms)}. Look whether the sender, its network or its settings have changed.`,
    source: "intake",
    severity: "medium",
  }));
}

function buildGroupReport(silences: readonly Silence[]): NewAlert {
  const ordered = silences.toSorted((a, b) => a.silent_since.getTime() - b.silent_since.getTime());
  const first = ordered[0]?.silent_since.toISOString() ?? "";
  const names = ordered.slice(0, NAMES).map(({ source }) => oneLine(source));
  const others = ordered.length > NAMES ? ` and ${ordered.length - NAMES} more` : "";
  return {
    title: `${silences.length} log sources are silent, the first since ${first}`,
    description: `They were found silent at the same time, so what they share may be the cause: ${names.join(", ")}${others}.`,
    source: "intake",
    severity: "high",
  };
}

/** The name comes from outside. */
function oneLine(name: string): string {
  return name.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

function formatSpan(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 2) return `${Math.round(ms / 1000)} seconds`;
  return minutes < 120 ? `${Math.round(minutes)} minutes` : `${Math.round(minutes / 60)} hours`;
}
