import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { now } from "../../../app/browser/clock.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { quoteValue } from "../../../app/query-editor/query-place.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { resolveRange, type TimeRange } from "../../../app/time/range.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Bucket } from "../../../design/charts/bars.ts";
import { Histogram } from "../../../design/charts/histogram.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { readHistogram, type SourceHistogram } from "./sources-client.ts";
import { sourcesPhrases } from "./sources-phrases.ts";

const BUCKETS = 60;

function toBuckets({ buckets }: SourceHistogram): Bucket[] {
  return buckets.map(({ at, total }) => ({ at, parts: [{ key: "stored", value: total, fill: "var(--accent)" }] }));
}

/** The stored logs of one source. Selecting a range opens it in the search. */
export function SourceChart({ source, range }: { source: string; range: TimeRange }) {
  const words = usePhrases(sourcesPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { server } = useApp();
  const { go } = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: ["sources", "chart", source, range.from, range.to],
    queryFn: ({ signal }) => {
      const { from, to } = resolveRange(range, now());
      const query = { source, buckets: BUCKETS, from: from.toISOString(), to: to.toISOString() };
      return readHistogram(server, query, signal);
    },
  });
  const buckets = useMemo(() => (data ? toBuckets(data) : []), [data]);
  if (!data) return error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={2} />;
  if (data.total === 0) return <p className="soft">{words.noSeries}</p>;
  const label = fill(words.overTime, { source: safeText(source) });
  return (
    <section aria-label={label}>
      <Histogram
        label={label}
        buckets={buckets}
        from={data.from}
        to={data.to}
        describe={({ at, parts }) => `${time.dateTime(at)} · ${numbers.number(parts[0]?.value ?? 0)}`}
        onRange={(from, to) => go("/hunt", { q: `source:${quoteValue(source)}`, from, to })}
        ticks={[<bdi key="from">{time.dateTime(data.from)}</bdi>, <bdi key="to">{time.dateTime(data.to)}</bdi>]}
      />
      <p className="soft">{fill(words.inTime, { count: numbers.number(data.total) })}</p>
    </section>
  );
}
