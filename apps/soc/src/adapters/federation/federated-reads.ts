import type { Clock } from "@kit/clock";
import type { LogEvent } from "../../ports/log-event.ts";
import { compareLogs } from "../../ports/log-order.ts";
import type { LogReads, LogSearch, LogSummary, MissingStores } from "../../ports/log-store.ts";
import { isUnreachable, unreachable } from "../clickhouse/clickhouse-problems.ts";
import { MAX_SOURCES } from "../clickhouse/clickhouse-questions.ts";
import type { Member, MemberReads } from "../clickhouse/member.ts";
import { addCounts, findMedianLag, mergeSources, toStats } from "../clickhouse/store-counts.ts";
import { askStores } from "./ask-stores.ts";
import { mergePages, mergeStreams } from "./merge-logs.ts";

/**
 * Up to this size a page is cut from whole logs; a larger one from their places, which are a fraction of their size.
 */
const MAX_WHOLE_LOGS = 1000;
const READ_ORDER = compareLogs("ingested_at", "oldest");

/** The reads of one lane over several stores: the result is the same as from one store with all logs. */
export function createFederatedReads(members: readonly Member[], clock: Pick<Clock, "sleep">): LogReads {
  async function searchAll(asked: LogSearch, signal: AbortSignal | undefined): Promise<LogEvent[]> {
    const { missing, limit } = asked;
    const pages = await askStores(members, (store, until) => store.search(asked, until), { missing, signal, clock });
    return mergePages(pages, compareLogs(asked.time, asked.order), limit);
  }

  async function search(asked: LogSearch, signal?: AbortSignal): Promise<LogEvent[]> {
    const { skip = 0, limit, missing } = asked;
    if (skip === 0) return searchAll(asked, signal);
    if (skip > 0 && skip + limit <= MAX_WHOLE_LOGS) {
      return (await searchAll({ ...asked, skip: 0, limit: skip + limit }, signal)).slice(skip);
    }
    const places = await askStores(members, (store, until) => store.places(asked, until), { missing, signal, clock });
    const after = mergePages(places, compareLogs(asked.time, asked.order), skip).at(skip - 1);
    return after ? searchAll({ ...asked, skip: 0, after }, signal) : [];
  }

  /** A count that reaches its maximum is correct, whatever an unreachable store contains. */
  const count: LogReads["count"] = async (selection, maxCount, signal) => {
    const missing: MissingStores = new Set();
    const ask = (store: MemberReads, until: AbortSignal) => store.count(selection, maxCount, until);
    const counts = await askStores(members, ask, { missing, signal, clock });
    const total = counts.reduce((sum, each) => sum + each, 0);
    if (total >= maxCount) return maxCount;
    const [name] = missing;
    if (name !== undefined && !selection.missing) throw unreachable(name, undefined);
    for (const each of missing) selection.missing?.add(each);
    return total;
  };

  async function summarise<Row, Part>(asked: LogSummary<Row, Part>, signal?: AbortSignal): Promise<Row[] | undefined> {
    const { columns, groups, merge } = asked.parts;
    const { groups: _, ...selected } = asked;
    const partly = { ...selected, columns, ...(groups !== undefined && { groups }) };
    const parts = { columns, merge: (rows: readonly (readonly Part[])[]) => rows.flat() };
    const ask = (store: MemberReads, until: AbortSignal) => store.summarise<Part, Part>({ ...partly, parts }, until);
    const answers = await askStores(members, ask, { missing: asked.missing, signal, clock });
    const answered = answers.flatMap((rows) => (rows ? [rows] : []));
    return answered.length < answers.length ? undefined : merge(answered);
  }

  return {
    search,
    count,

    async *stream(asked, signal) {
      const open = (until: AbortSignal) =>
        members.map(({ name, store }) => nameFailure(name, store.stream(asked, until)));
      let left = asked.limit;
      for await (const block of mergeStreams(open, compareLogs(asked.time, asked.order), signal)) {
        yield block.length > left ? block.slice(0, left) : block;
        left -= block.length;
        if (left <= 0) return;
      }
    },

    read: (window, signal) =>
      mergeStreams(
        (until) => members.map(({ name, store }) => nameFailure(name, store.read(window, until))),
        READ_ORDER,
        signal,
      ),

    summarise,

    async stats(now, missing) {
      const ask = (store: MemberReads) => Promise.all([store.counts(now), store.everySource()]);
      const answers = await askStores(members, ask, { missing, clock });
      const counts = addCounts(answers.map(([counted]) => counted));
      const sources = mergeSources(
        answers.map(([, listed]) => listed),
        MAX_SOURCES,
      );
      const by_source = Object.fromEntries(sources.map(({ source, events }) => [source, events]));
      return toStats(counts, by_source, findMedianLag(counts.lags));
    },

    async sources(missing) {
      const lists = await askStores(members, (store) => store.everySource(), { missing, clock });
      return mergeSources(lists, MAX_SOURCES);
    },
  };
}

async function* nameFailure<Block>(name: string, blocks: AsyncIterable<Block>): AsyncGenerator<Block, void, undefined> {
  try {
    yield* blocks;
  } catch (error) {
    throw isUnreachable(error) ? unreachable(name, error) : error;
  }
}
