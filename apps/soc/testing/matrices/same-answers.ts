import process from "node:process";
import type { Field } from "@kit/query/condition";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALL_SITES, type Scope } from "../../src/foundation/caller/caller.ts";
import { SPLITS } from "../../src/logs/log-summaries/log-summaries.schema.ts";
import { createLogSummariesStore } from "../../src/logs/log-summaries/log-summaries.store.ts";
import type { CountedFacets, GroupRow } from "../../src/logs/log-summaries/log-summary.ts";
import { parseMetric, requireGroupField } from "../../src/logs/log-summaries/metric.ts";
import { toSql } from "../../src/logs/query/condition-sql.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import type { LogReads, LogStore } from "../../src/ports/log-store.ts";
import { arbitraryCondition, arbitraryLog } from "../fixtures/arbitrary-conditions.ts";

export interface ArrivalTimes {
  /** The first log arrives at this instant, and the last one at most 199 steps later. */
  startMs: number;
  stepMs: number;
}

export interface SameAnswers {
  name: string;
  logs: readonly LogEvent[];
  arrivals: ArrivalTimes;
  /** Statistics are requested at instants this many steps after the first arrival. */
  statsAt: { min: number; max: number };
  /** A store that has all logs, and the one that is compared with it. Both are resolved when the tests run. */
  one: () => LogStore;
  other: () => LogStore;
}

const isFull = process.env.PROVE === "full";
const numRuns = isFull ? 2000 : 8;
const seed = 20_261_118;
const LOGS = 2500;
export const MINUTES = 60_000;
export const DAY_MS = 24 * 60 * MINUTES;
export const FIRST_MS = Date.parse("2026-05-01T00:00:00Z");
const BOUND = { maxSeconds: 20 };

const FIELDS: Field[] = [
  ...["severity", "source", "host", "user", "dst_port", "site", "attributes.number", "attributes.text"],
  ...["attributes.list", "attributes.a", "attributes.a.b", "attributes.missing"],
].map((name) => requireGroupField("fields", name));
const METRICS = [
  ...["count", "distinct:user", "distinct:dst_port", "distinct:attributes.number", "distinct:attributes.a"],
  ...["min:timestamp", "max:ingested_at", "min:attributes.number", "max:attributes.a", "avg:attributes.number"],
  ...["avg:dst_port", "min:dst_port"],
].map(parseMetric);

/** Few instants and few values, so that many logs share them; ids of different lengths, some beyond the first plane. */
const sampled = fc.sample(
  fc.tuple(arbitraryLog, fc.integer({ min: 0, max: 199 }), fc.integer({ min: 0, max: 199 }), fc.nat(40)),
  { numRuns: LOGS, seed },
);
/** The same logs in every run, arriving at these instants. */
export function sampleLogs({ startMs, stepMs }: ArrivalTimes): LogEvent[] {
  return sampled.map(([log, happened, arrived, number], place) => ({
    ...log,
    id: `${["", "\u{ffee}", "😀", "é", "A", "a"][place % 6]}${(place * 7919) % LOGS}`,
    timestamp: new Date(FIRST_MS + happened * 60_000).toISOString(),
    ingested_at: new Date(startMs + arrived * stepMs).toISOString(),
    attributes: { ...log.attributes, number, text: `t${number % 7}`, list: [number % 3, "x"] },
  }));
}

const condition = fc.oneof(fc.constant({ kind: "all" } as const), arbitraryCondition);
const scope: fc.Arbitrary<Scope> = fc.oneof(
  { arbitrary: fc.constant(ALL_SITES), weight: 4 },
  fc.subarray([...new Set(sampled.map(([{ site }]) => site))].slice(0, 20)),
);
const spanFrom = (startMs: number, stepMs: number) =>
  fc.tuple(fc.integer({ min: -10, max: 210 }), fc.integer({ min: 1, max: 210 })).map(([from, length]) => ({
    from: new Date(startMs + from * stepMs),
    to: new Date(startMs + (from + length) * stepMs),
  }));
const window = spanFrom(FIRST_MS, MINUTES);
const order = fc.constantFrom("newest", "oldest");

function toSelected<Asked extends { condition: Parameters<typeof toSql>[0] }>({ condition: wanted, ...asked }: Asked) {
  return { ...asked, where: toSql(wanted) };
}

function expectEqual<Answer>(found: Answer, expected: Answer): void {
  expect(found).toEqual(expected);
}

async function collect(blocks: AsyncIterable<readonly LogEvent[]>): Promise<LogEvent[]> {
  const logs: LogEvent[] = [];
  for await (const block of blocks) logs.push(...block);
  return logs;
}

function check<Asked>(asked: fc.Arbitrary<Asked>, ask: (asked: Asked) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(asked, ask), { numRuns, seed });
}

/** Sends every kind of query to both stores, and compares the results. */
export function describeSameAnswers({ name, logs, arrivals, statsAt, one, other }: SameAnswers): void {
  const lastArrivalMs = arrivals.startMs + 200 * arrivals.stepMs;
  const wide = { from: new Date(FIRST_MS - DAY_MS), to: new Date(lastArrivalMs + DAY_MS) };
  const selection = fc
    .record({
      scope,
      condition,
      time: fc.constantFrom("timestamp", "ingested_at"),
      part: window,
      isWide: fc.boolean(),
      arrived: spanFrom(arrivals.startMs, arrivals.stepMs),
    })
    .map(({ part, arrived, isWide, ...asked }) => {
      if (asked.time === "timestamp") return { ...asked, ...part };
      return { ...asked, ...(isWide ? wide : arrived) };
    });
  const after = fc.option(fc.constantFrom(...logs), { nil: undefined });

  async function agree<Answer>(ask: (store: LogStore) => Promise<Answer>, same = expectEqual<Answer>): Promise<void> {
    const [expected, found] = await Promise.all([ask(one()), ask(other())]);
    same(found, expected);
  }

  describe(name, { timeout: 30 * MINUTES }, () => {
    it("for any page of a search", () =>
      check(
        fc.record({
          selection,
          order,
          after,
          limit: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1001, 3000)),
          skip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })),
        }),
        ({ selection: selected, after: place, ...page }) =>
          agree((store) => store.search({ ...toSelected(selected), ...page, ...(place && { after: place }) })),
      ));

    it("for any count", () =>
      check(
        fc.record({ selection, maxCount: fc.integer({ min: 1, max: 3000 }) }),
        ({ selection: selected, maxCount }) => agree((store) => store.count(toSelected(selected), maxCount)),
      ));

    it("for any stream", () =>
      check(
        fc.record({ selection, order, limit: fc.integer({ min: 1, max: 3000 }) }),
        ({ selection: selected, ...asked }) =>
          agree((store) => collect(store.stream({ ...toSelected(selected), ...asked }))),
      ));

    it("for all logs of any window of ingest", () =>
      check(spanFrom(arrivals.startMs, arrivals.stepMs), (asked) => agree((store) => collect(store.read(asked)))));

    it("for any histogram", () =>
      check(
        fc.record({ selection, by: fc.constantFrom(...SPLITS), widthMs: fc.constantFrom(60_000, 900_000, 7_200_000) }),
        ({ selection: selected, ...asked }) =>
          agree((store) =>
            createLogSummariesStore(store).histogram(
              { selection: selected, originMs: selected.from.getTime(), ...asked },
              BOUND,
            ),
          ),
      ));

    it("for any facets", () =>
      check(
        fc.record({ selection, fields: fc.subarray(FIELDS, { minLength: 1 }), limit: fc.integer({ min: 1, max: 30 }) }),
        ({ selection: selected, ...asked }) =>
          agree(
            (store) => createLogSummariesStore(store).facets({ selection: selected, ...asked }, BOUND),
            expectSameFacets,
          ),
      ));

    it("for any groups and metrics", () =>
      check(
        fc.record({
          selection,
          groupBy: fc.subarray(FIELDS, { maxLength: 3 }),
          metrics: fc
            .subarray(METRICS, { minLength: 1 })
            .chain((metrics) => fc.shuffledSubarray(metrics, { minLength: 1 })),
          limit: fc.integer({ min: 1, max: 1000 }),
        }),
        ({ selection: selected, ...asked }) =>
          agree(
            (store) => createLogSummariesStore(store).aggregate({ selection: selected, ...asked }, BOUND),
            expectSameGroups,
          ),
      ));

    it("for the names of attributes", () =>
      check(selection, (selected) => agree((store) => createLogSummariesStore(store).attributes(selected, BOUND))));

    it("for statistics and sources at any time", () =>
      check(fc.integer(statsAt), async (step) => {
        const now = new Date(arrivals.startMs + step * arrivals.stepMs);
        const toStats = async (store: LogReads) => ({ ...(await store.stats(now)), storage_bytes: 0 });
        await agree(async (store) => ({ stats: await toStats(store), sources: await store.sources() }));
      }));
  });
}

/** It is unspecified which of the equally frequent values come last. */
function expectSameFacets(found: CountedFacets | undefined, expected: CountedFacets | undefined): void {
  const cut = (answer: CountedFacets | undefined) =>
    answer && {
      ...answer,
      facets: answer.facets.map(({ values, ...facet }) => ({
        ...facet,
        counts: values.map(({ count }) => count),
        values: values.filter(({ count }) => count > (values.at(-1)?.count ?? 0)),
      })),
    };
  expect(cut(found)).toEqual(cut(expected));
}

/** An average may differ in its last digit, because even a single store adds in any order. */
function expectSameGroups(found: GroupRow[] | undefined, expected: GroupRow[] | undefined): void {
  const round = (rows: GroupRow[] | undefined) =>
    rows?.map(({ group, metrics }) => ({
      group,
      metrics: metrics.map((value) => (typeof value === "number" ? Number(value.toPrecision(12)) : value)),
    }));
  expect(round(found)).toEqual(round(expected));
}
