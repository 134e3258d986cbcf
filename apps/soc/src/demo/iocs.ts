import { parseIndicator } from "../detection/iocs/indicator.ts";
import { type IocHit, toIocId, type WholeIoc } from "../detection/iocs/ioc.ts";
import { createIocMatcher } from "../detection/iocs/ioc-matcher.ts";
import type { LogEvent } from "../ports/log-event.ts";
import { SEED } from "./seed.ts";
import { minutesBefore } from "./story.ts";

/** Builds the known indicators and their hits in the showcase logs. */
export function buildShowcaseIocs(now: Date, logs: readonly LogEvent[]): WholeIoc[] {
  return SEED.iocs.map(({ minutesAgo, days, ...fact }) => {
    const indicator = parseIndicator(fact.value);
    const ioc = { ...fact, ...indicator, id: toIocId(indicator) };
    const first_seen = minutesBefore(now, minutesAgo);
    const matcher = createIocMatcher();
    matcher.add([ioc]);
    const seen_in = logs.filter((log) => matcher.match(log).length > 0).map((log) => buildHit(log, first_seen));
    const last = seen_in.map(({ seen_at }) => seen_at.getTime()).reduce((a, b) => Math.max(a, b), first_seen.getTime());
    return {
      ...ioc,
      first_seen,
      last_seen: new Date(last),
      expires_at: days === undefined ? null : minutesBefore(first_seen, -days * 24 * 60),
      hits: seen_in.length,
      searched_at: first_seen,
      search_is_capped: false,
      seen_in,
    };
  });
}

/** A log older than the indicator was found when the indicator became known. */
function buildHit({ id, ingested_at }: LogEvent, first_seen: Date): IocHit {
  const log_ingested_at = new Date(ingested_at);
  return { id, log_id: id, log_ingested_at, seen_at: log_ingested_at > first_seen ? log_ingested_at : first_seen };
}
