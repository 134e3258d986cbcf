import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { now } from "../../../app/browser/clock.ts";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { quoteValue } from "../../../app/query-editor/query-place.ts";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { readRange, resolveRange, type TimeRange } from "../../../app/time/range.ts";
import { RangePicker } from "../../../app/time/range-picker.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Spark } from "../../../design/charts/spark.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import type { ReadListPages } from "../../../design/list/use-list-pages.ts";
import { EmptyState } from "../../../design/states.tsx";
import { SourcePane } from "./source-pane.tsx";
import { chunkSources, readSeries } from "./source-series.ts";
import { readSourceState, type SourceState } from "./source-state.ts";
import { listSources, readHistogram, type Source } from "./sources-client.ts";
import { sourcesPhrases } from "./sources-phrases.ts";
import "./sources.css";

export const SourcesPage = withChanges("detections:write", Sources);

const DAY: TimeRange = { from: "-24h" };
const RANGE_ID = "sources-range";
const readKey = ({ source }: Source) => source;

function Sources() {
  const words = usePhrases(sourcesPhrases);
  const { server } = useApp();
  const { search, change } = useAddress();
  const range = readRange(search, now()) ?? DAY;
  const pages = useRecordPages<Source>("sources", {}, (query, signal) => listSources(server, query, signal));
  const series = useSeries(pages, range);
  const renderRow = useSourceRow(series);
  const patch = (changed: Pick<Source, "source" | "watch" | "timezone">) =>
    pages.patch((source) => (source.source === changed.source ? { ...source, ...changed } : source));
  useCommands([
    {
      id: "sources.range",
      label: words.fields.series,
      group: words.sources,
      keys: ["t"],
      run: () => document.getElementById(RANGE_ID)?.click(),
    },
  ]);
  const { fields } = words;
  return (
    <SettingsPage
      tab="sources"
      isFull
      tools={
        <RangePicker
          id={RANGE_ID}
          keys={["T"]}
          range={range}
          onChange={(chosen) => change({ from: chosen.from, to: chosen.to }, { isStep: true })}
        />
      }
    >
      <RecordList
        label={words.sources}
        noun="sources"
        columns={[
          { key: "source", title: fields.source, width: "minmax(150px, 1fr)" },
          { key: "state", title: fields.state, width: "minmax(100px, 150px)" },
          { key: "series", title: fields.series, width: "112px" },
          { key: "received", title: fields.received, width: "72px", align: "end" },
          { key: "stored", title: fields.stored, width: "64px", align: "end" },
          { key: "rejected", title: fields.rejected, width: "64px", align: "end" },
          { key: "late", title: fields.late, width: "48px", align: "end" },
          { key: "last", title: fields.lastSeen, width: "minmax(80px, 120px)" },
        ]}
        pages={pages}
        rowKey={readKey}
        rowName={({ source }) => safeText(source)}
        renderRow={renderRow}
        renderPane={(source) => <SourcePane key={source.source} source={source} range={range} onChanged={patch} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
    </SettingsPage>
  );
}

/** Above this number, rows have no bars; the pane has them. */
const MAX_SERIES = 50;
const SPARK_BUCKETS = 24;

/** The stored logs of each source over the range, ten sources per request. */
function useSeries(pages: ReadListPages<Source>, range: TimeRange): ReadonlyMap<string, readonly number[]> {
  const { server } = useApp();
  const names = useMemo(
    () =>
      Array.from({ length: Math.min(pages.count, MAX_SERIES) }, (_, at) => pages.rowAt(at)?.source).filter(
        (name) => name !== undefined,
      ),
    [pages],
  );
  return useQueries({
    queries: chunkSources(names).map((chunk) => ({
      queryKey: ["sources", "series", range.from, range.to, ...chunk],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { from, to } = resolveRange(range, now());
        const query = {
          query: chunk.map((name) => `source:${quoteValue(name)}`).join(" OR "),
          by: "source",
          buckets: SPARK_BUCKETS,
          from: from.toISOString(),
          to: to.toISOString(),
        };
        const histogram = await readHistogram(server, query, signal);
        return chunk.map((name) => [name, readSeries(histogram, name)] as const);
      },
    })),
    combine: combineSeries,
  });
}

type SeriesAnswer = { data?: readonly (readonly [string, readonly number[]])[] | undefined };

const combineSeries = (answers: readonly SeriesAnswer[]): ReadonlyMap<string, readonly number[]> =>
  new Map(answers.flatMap(({ data }) => data ?? []));

const TONES: Readonly<Record<SourceState, Tone>> = {
  silent: "failed",
  refused: "failed",
  empty: "waiting",
  unwatched: "plain",
  sends: "ok",
};

export function SourceStateBadge({ source }: { source: Source }) {
  const words = usePhrases(sourcesPhrases);
  const time = useTime();
  const state = readSourceState(source);
  const text =
    source.silent_since === null
      ? words.states[state]
      : fill(words.silentFor, { duration: time.duration(now().getTime() - Date.parse(source.silent_since)) });
  return <Badge tone={TONES[state]}>{text}</Badge>;
}

function useSourceRow(series: ReadonlyMap<string, readonly number[]>) {
  const words = usePhrases(sourcesPhrases);
  const numbers = useNumbers();
  const time = useTime();
  return (source: Source) => {
    const values = series.get(source.source);
    return (
      <>
        <SafeText isMono>{source.source}</SafeText>
        <SourceStateBadge source={source} />
        <span>
          {values && (
            <Spark
              label={fill(words.overTime, { source: safeText(source.source) })}
              values={values}
              width={104}
              height={20}
            />
          )}
        </span>
        <span>{numbers.number(source.received)}</span>
        <span>{numbers.number(source.stored)}</span>
        <span className={source.rejected > 0 ? "sources-bad" : "soft"}>{numbers.number(source.rejected)}</span>
        <span className="soft">{numbers.number(source.late)}</span>
        <span className="soft">{source.last_seen === null ? words.never : time.relative(source.last_seen)}</span>
      </>
    );
  };
}
