import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "../../../app/address/link.tsx";
import { now } from "../../../app/browser/clock.ts";
import { useMay } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { resolveRange, type TimeRange } from "../../../app/time/range.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Bucket } from "../../../design/charts/bars.ts";
import { Histogram } from "../../../design/charts/histogram.tsx";
import type { Severity } from "../../../design/severity.tsx";
import { fillBuckets } from "../../casework/alerts/alerts-client.ts";
import { type OverviewClient, overviewKeys } from "./overview-client.ts";
import { OverviewPart } from "./overview-part.tsx";
import { overviewPhrases } from "./overview-phrases.ts";

const MINUTE_MS = 60_000;
const TICKS = 5;

export interface AlertsPartProps {
  client: OverviewClient;
  range: TimeRange;
  onRange: (from: string | undefined, to: string | undefined) => void;
}

function isSeverity(key: string, words: Readonly<Record<Severity, string>>): key is Severity {
  return key in words;
}

/** Alerts over time, and response times. Dragging sets the time range of the page. */
export function AlertsPart({ client, range, onRange }: AlertsPartProps) {
  const words = usePhrases(overviewPhrases);
  const { count, number } = useNumbers();
  const time = useTime();
  const mayCount = useMay("stats:read");
  const query = useQuery({
    queryKey: overviewKeys.part("summary", range.from, range.to ?? ""),
    queryFn: ({ signal }) => {
      const { from, to } = resolveRange(range, now());
      return client.summarise(from.toISOString(), range.to === undefined ? undefined : to.toISOString(), signal);
    },
    placeholderData: (before) => before,
  });
  const { data: dashboard } = useQuery({
    queryKey: overviewKeys.part("dashboard"),
    queryFn: ({ signal }) => client.readDashboard(signal),
    enabled: mayCount,
  });
  const data = query.data;
  const buckets = useMemo(() => data && fillBuckets(data.buckets, data.from, data.to, data.interval_s), [data]);
  const ticks = useMemo(() => {
    if (!data) return [];
    const [start, end] = [Date.parse(data.from), Date.parse(data.to)];
    const isLong = end - start > 48 * 3_600_000;
    const spell = isLong ? time.day : (at: number) => time.time(at).slice(0, 5);
    return Array.from({ length: TICKS }, (_, index) => spell(start + ((end - start) * index) / (TICKS - 1)));
  }, [data, time]);
  const describe = ({ at, parts }: Bucket) =>
    [
      time.dateTime(at),
      ...parts
        .toReversed()
        .flatMap(({ key, value }) =>
          value > 0 && isSeverity(key, words.severities) ? [`${words.severities[key]} ${number(value)}`] : [],
        ),
    ].join("\n");
  const mean = (minutes: number | null) => (minutes === null ? "–" : time.duration(minutes * MINUTE_MS));
  const search = { q: "*", from: range.from, ...(range.to !== undefined && { to: range.to }) };
  return (
    <OverviewPart
      title={words.alerts}
      size="l"
      query={query}
      aside={
        data && (
          <Link to="/alerts" search={search}>
            {count(data.total, words.alertsTotal)}
          </Link>
        )
      }
    >
      {({ from, to }) => (
        <>
          {buckets && (
            <Histogram
              label={words.alerts}
              buckets={buckets}
              from={buckets[0]?.at ?? from}
              to={to}
              intervalS={data?.interval_s}
              height={96}
              describe={describe}
              onRange={onRange}
              onReset={() => onRange(undefined, undefined)}
              ticks={ticks}
            />
          )}
          {dashboard && (
            <dl className="overview-numbers" title={words.meanHint}>
              <div>
                <dt>{words.mtta}</dt>
                <dd>{mean(dashboard.mtta_minutes)}</dd>
              </div>
              <div>
                <dt>{words.mttr}</dt>
                <dd>{mean(dashboard.mttr_minutes)}</dd>
              </div>
            </dl>
          )}
          {dashboard && <p className="overview-soft">{count(dashboard.alerts.new_24h, words.newToday)}</p>}
        </>
      )}
    </OverviewPart>
  );
}
