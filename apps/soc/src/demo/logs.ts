import type { SourceCounts } from "../logs/search/sources.schema.ts";
import type { LogEvent } from "../ports/log-event.ts";
import { type LogFact, SEED } from "./seed.ts";
import { minutesBefore, SITES, toStoryId } from "./story.ts";

const LAG_MS = 800;

export interface ShowcaseLogs {
  logs: LogEvent[];
  /** Logs by the title of their alert. */
  logsByAlert: ReadonlyMap<string, LogEvent[]>;
}

/** Builds the logs. Their ids depend on the order, so new facts must be added at the end. */
export function buildShowcaseLogs(now: Date): ShowcaseLogs {
  let count = 0;
  const buildLogs = (fact: LogFact): LogEvent[] =>
    Array.from({ length: fact.times ?? 1 }, (_, turn) => {
      count += 1;
      return buildShowcaseLog(fact, turn, toStoryId("log", count), now);
    });
  const ofAlerts = SEED.alert_logs.map(({ alert, logs }) => ({
    alert,
    logs: logs.flatMap(buildLogs),
  }));
  return {
    logs: [...ofAlerts.flatMap(({ logs }) => logs), ...SEED.everyday_logs.flatMap(buildLogs)],
    logsByAlert: new Map(ofAlerts.map(({ alert, logs }) => [alert, logs])),
  };
}

function buildShowcaseLog(fact: LogFact, turn: number, id: string, now: Date): LogEvent {
  const part = { ...fact, ...fact.cast?.[turn % fact.cast.length] };
  const at = minutesBefore(now, fact.minutesAgo - (turn * (fact.everySeconds ?? 60)) / 60);
  const timestamp = at.toISOString();
  const { host = "", process = "" } = part;
  return {
    id,
    timestamp,
    timestamp_origin: "event",
    ingested_at: new Date(at.getTime() + LAG_MS).toISOString(),
    site: SITES[fact.site].name,
    source: fact.source,
    host,
    severity: fact.severity,
    event_code: fact.event_code ?? "",
    action: fact.action ?? "",
    outcome: fact.outcome ?? "",
    user: part.user ?? "",
    src_ip: part.src_ip ?? "",
    dst_ip: part.dst_ip ?? "",
    src_port: part.src_port ?? 0,
    dst_port: part.dst_port ?? 0,
    process,
    message: fact.message,
    raw: `${timestamp} ${host === "" ? fact.source : host} ${process === "" ? fact.source : process}: ${fact.message}`,
    attributes: part.attributes ?? {},
  };
}

// The intruder stopped the agent of one workstation, so this source has been silent since.
const SILENT = "edr-waterworks";

/** Builds the counters that the intake would have stored. */
export function buildShowcaseCounters(logs: readonly LogEvent[]): Map<string, SourceCounts> {
  const counters = new Map<string, SourceCounts>();
  for (const { source, timestamp } of logs) {
    const { received = 0, silent_since = null } = counters.get(source) ?? {};
    const last = new Date(timestamp);
    const silent = silent_since !== null && silent_since > last ? silent_since : last;
    counters.set(source, {
      received: received + 1,
      stored: received + 1,
      rejected: 0,
      late: 0,
      silent_since: source === SILENT ? silent : null,
    });
  }
  return counters;
}
