import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import type { Bucket } from "../../../design/charts/bars.ts";
import { Histogram } from "../../../design/charts/histogram.tsx";
import type { Severity } from "../../../design/severity.tsx";
import { Stale } from "../../../design/states.tsx";
import { type AlertsClient, alertKeys, fillBuckets } from "./alerts-client.ts";
import { alertsPhrases } from "./alerts-phrases.ts";
import type { AlertList } from "./use-alert-list.ts";

const BUCKETS = 72;
function isSeverity(key: string, words: Readonly<Record<Severity, string>>): key is Severity {
  return key in words;
}

export interface AlertsHistogramProps {
  client: AlertsClient;
  list: AlertList;
  stateKey: string;
  height?: number;
  onRange: (from: string, to: string) => void;
  onReset: () => void;
}

/** Alerts over time. A separate request: the list does not wait for it. */
export function AlertsHistogram({ client, list, stateKey, onRange, onReset }: AlertsHistogramProps) {
  const words = usePhrases(alertsPhrases);
  const { count } = useNumbers();
  const time = useTime();
  const { generation, readParameters, total, isEstimate } = list;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: alertKeys.summary(`${stateKey} ${generation}`),
    queryFn: ({ signal }) => client.summarise(readParameters(), BUCKETS, signal),
    enabled: generation > 0,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const buckets = useMemo(() => data && fillBuckets(data.buckets, data.from, data.to, data.interval_s), [data]);
  const describe = ({ at, parts }: Bucket) =>
    [
      time.dateTime(at),
      ...parts
        .toReversed()
        .flatMap(({ key, value }) =>
          value > 0 && isSeverity(key, words.severities) ? [`${words.severities[key]} ${value}`] : [],
        ),
    ].join("\n");
  const totalWords = total === undefined ? "" : count(total, words.total);
  return (
    <div className="alerts-chart">
      {data && buckets ? (
        <Stale isStale={isFetching}>
          <Histogram
            label={words.histogram}
            buckets={buckets}
            from={buckets[0]?.at ?? data.from}
            to={data.to}
            intervalS={data.interval_s}
            describe={describe}
            onRange={onRange}
            onReset={onReset}
          />
        </Stale>
      ) : (
        <div className="alerts-chart-room">
          {error && (
            <Button size="s" onClick={() => void refetch()}>
              {words.failedHistogram} · {words.retry}
            </Button>
          )}
        </div>
      )}
      <p className="alerts-chart-words">
        {isEstimate ? fill(words.estimate, { total: totalWords }) : totalWords}
        {list.isGrouped && !list.pages.isLoading && ` · ${count(list.groupCount, words.groupsTotal)}`}
        <br />
        {data?.is_partial && data.covered_from
          ? fill(words.partial, { time: time.time(data.covered_from) })
          : words.dragHint}
      </p>
    </div>
  );
}
