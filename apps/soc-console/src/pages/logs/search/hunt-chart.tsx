import { useMemo } from "react";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Bucket } from "../../../design/charts/bars.ts";
import { Histogram } from "../../../design/charts/histogram.tsx";
import { SelectField } from "../../../design/field.tsx";
import { Stale } from "../../../design/states.tsx";
import { useCountWords } from "./hunt-count.ts";
import { MissingStores } from "./missing-stores.tsx";
import { PartFailed } from "./part-failed.tsx";
import type { HistogramSplit, LogHistogram } from "./search-client.ts";
import { searchPhrases } from "./search-phrases.ts";
import type { HuntRun, useHuntHistogram } from "./use-hunt-run.ts";

const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
const SPLITS: readonly HistogramSplit[] = [
  "severity",
  "source",
  "host",
  "user",
  "process",
  "action",
  "outcome",
  "event_code",
  "site",
];

export function readSplit(text: string | undefined): HistogramSplit {
  return SPLITS.find((split) => split === text) ?? "severity";
}

/** Severities have their colours. Other values share one colour, and the tooltip names them. */
function toBuckets({ by, buckets }: LogHistogram): Bucket[] {
  return buckets.map(({ at, total, by: counts }) => ({
    at,
    parts:
      by === "severity"
        ? SEVERITIES.map((key) => ({ key, value: counts[key] ?? 0, fill: `var(--fill-${key})` }))
        : [{ key: "", value: total, fill: "var(--accent)" }],
  }));
}

export interface HuntChartProps {
  run: HuntRun;
  histogram: ReturnType<typeof useHuntHistogram>;
  by: HistogramSplit;
  onBy: (by: HistogramSplit) => void;
  onRange: (from: string, to: string) => void;
  onReset: () => void;
}

/** The logs over time. A text beside it names what the chart does not cover. */
export function HuntChart({ run, histogram, by, onBy, onRange, onReset }: HuntChartProps) {
  const words = usePhrases(searchPhrases);
  const { data, error, isPlaceholderData, refetch } = histogram;
  const { search } = run;
  const time = useTime();
  const countWords = useCountWords(run);
  const buckets = useMemo(() => (data ? toBuckets(data) : []), [data]);
  const describe = useDescription(data);
  return (
    <section className="search-chart" aria-label={words.overTime}>
      <div className="search-chart-plot">
        {error instanceof ApiError && !data ? (
          <PartFailed title={words.chartFailed} error={error} onRetry={() => void refetch()} />
        ) : (
          <Stale isStale={isPlaceholderData}>
            <Histogram
              label={words.overTime}
              buckets={buckets}
              from={data?.from ?? search.from}
              to={data?.to ?? search.to}
              intervalS={data?.interval_s}
              describe={describe}
              onRange={onRange}
              onReset={onReset}
              ticks={[
                <bdi key="from">{time.dateTime(search.from)}</bdi>,
                <bdi key="to">{time.dateTime(search.to)}</bdi>,
              ]}
            />
          </Stale>
        )}
      </div>
      <div className="search-chart-side">
        <p className="search-total">
          <bdi>{countWords}</bdi>
        </p>
        <SelectField
          label={words.splitBy}
          isLabelHidden
          options={SPLITS.map((value) => ({ value, label: fill(words.by, { field: value }) }))}
          value={by}
          onChange={onBy}
        />
        {data?.is_partial ? <PartialWords data={data} /> : <p className="search-hint">{words.dragHint}</p>}
      </div>
    </section>
  );
}

function PartialWords({ data }: { data: LogHistogram }) {
  const words = usePhrases(searchPhrases);
  const { dateTime } = useTime();
  const isNothing = data.covered_from === data.to;
  if (data.missing_stores && data.covered_from === null) return <MissingStores names={data.missing_stores} />;
  return (
    <p className="search-partial">
      {isNothing || data.covered_from === null
        ? words.chartTooSlow
        : fill(words.chartPartial, { time: dateTime(data.covered_from) })}
    </p>
  );
}

function useDescription(data: LogHistogram | undefined) {
  const words = usePhrases(searchPhrases);
  const { number } = useNumbers();
  const { dateTime } = useTime();
  return useMemo(() => {
    const byTime = new Map(data?.buckets.map((bucket) => [bucket.at, bucket]));
    const name = (value: string) => {
      const severity = SEVERITIES.find((each) => data?.by === "severity" && each === value);
      return severity ? words.severities[severity] : safeText(value);
    };
    return ({ at }: Bucket) => {
      const bucket = byTime.get(at);
      const counts = Object.entries(bucket?.by ?? {}).toSorted(([, a], [, b]) => b - a);
      const lines = counts.map(([value, count]) => `${name(value)} ${number(count)}`);
      return [`${dateTime(at)} · ${number(bucket?.total ?? 0)}`, ...lines].join("\n");
    };
  }, [data, words, number, dateTime]);
}
