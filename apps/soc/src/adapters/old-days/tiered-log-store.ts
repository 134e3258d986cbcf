import type { Clock } from "@kit/clock";
import type {
  LogLane,
  LogReads,
  LogSelection,
  LogStore,
  LogWindow,
  MissingStores,
  SqlCondition,
} from "../../ports/log-store.ts";
import { MAX_SOURCES } from "../clickhouse/clickhouse-questions.ts";
import type { Member, MemberReads, MemberStore } from "../clickhouse/member.ts";
import { addCounts, findMedianLag, mergeSources, type StoreCounts, toStats } from "../clickhouse/store-counts.ts";
import { createFederatedReads } from "../federation/federated-reads.ts";
import { concerns, DAY_MS, type OldDay, toStartMs } from "./old-day.ts";

export interface TieredLogStoreDeps {
  /** The logs on this machine. */
  box: MemberStore;
  /** The old days in the bucket; inserts store nothing in it. */
  bucket: MemberStore;
  /** Returns the days that are currently in the bucket. */
  days: () => readonly OldDay[];
  /** Whether the bucket responds soon. */
  bucketAnswers: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
}

/** The names in responses and messages. */
const BOX = "log store";
const BUCKET = "bucket of old logs";

/**
 * The logs of a machine whose old days are in a bucket. The bucket is queried only if one of its days can match: new
 * logs, and the rules that read them, do not depend on it.
 */
export function createTieredLogStore({ box, bucket, days, bucketAnswers, clock }: TieredLogStoreDeps): LogStore {
  const readsOn = (lane: LogLane): LogReads => {
    const members = { box: box.lane(lane), bucket: bucket.lane(lane) };
    const own: Member = { name: BOX, store: members.box, answers: () => box.isAvailable() };
    const old: Member = { name: BUCKET, store: members.bucket, answers: bucketAnswers };
    return createTieredReads({ box: own, bucket: old, days, clock });
  };
  const reads: Record<LogLane, LogReads> = {
    people: readsOn("people"),
    previews: readsOn("previews"),
    rules: readsOn("rules"),
    stream: readsOn("stream"),
  };

  return {
    ...reads.people,
    lane: (lane) => reads[lane],
    migrate: () => box.migrate(),
    identify: () => box.identify(),
    insert: (batch, options) => box.insert(batch, options),
    isAvailable: () => box.isAvailable(),

    async state() {
      const own = await box.state();
      if (own.missing.length > 0 || days().length === 0) return own;
      return { stores: 2, missing: (await bucketAnswers()) ? [] : [BUCKET] };
    },

    async close() {
      await Promise.all([box.close(), bucket.close()]);
    },
  };
}

interface TieredReadsDeps {
  box: Member;
  bucket: Member;
  days: () => readonly OldDay[];
  clock: Pick<Clock, "sleep">;
}

function createTieredReads({ box, bucket, days, clock }: TieredReadsDeps): LogReads {
  const federate = (members: readonly Member[]) => createFederatedReads(members, clock);

  /** Selects the reads that cover this time range. */
  function choose(asked: Pick<LogSelection, "time" | "from" | "to">): LogReads {
    const concerned = days().filter((each) => concerns(each, asked));
    if (concerned.length === 0) return box.store;
    const hidden = concerned.filter(({ on_box }) => on_box !== "gone");
    const shown = hidden.length === 0 ? box.store : narrow(box.store, buildDays("NOT IN", hidden));
    return federate([
      { ...box, store: shown },
      { ...bucket, store: narrow(bucket.store, buildDays("IN", concerned)) },
    ]);
  }

  /** Each day is read where it is: the days do not overlap, so their logs follow each other. */
  async function* read(window: LogWindow, signal?: AbortSignal) {
    for (const { day, ...part } of splitByDays(window, days())) {
      const members = day?.on_box === "gone" ? [box, bucket] : [bucket];
      yield* day ? federate(members).read(part, signal) : box.store.read(part, signal);
    }
  }

  const listGone = () => days().filter(({ on_box }) => on_box === "gone");

  async function readSources() {
    return mergeSources([await box.store.everySource(), ...listGone().map(({ sources }) => sources)], MAX_SOURCES);
  }

  return {
    search: (asked, signal) => choose(asked).search(asked, signal),
    count: (asked, maxCount, signal) => choose(asked).count(asked, maxCount, signal),
    stream: (asked, signal) => choose(asked).stream(asked, signal),
    summarise: (asked, signal) => choose(asked).summarise(asked, signal),
    read,

    /** The logs in the bucket were counted when they were moved. */
    async stats(now: Date, _missing?: MissingStores) {
      const [own, sources] = await Promise.all([box.store.counts(now), readSources()]);
      const counts = addCounts([own, ...listGone().map(toCounts)]);
      const by_source = Object.fromEntries(sources.map(({ source, events }) => [source, events]));
      return toStats(counts, by_source, findMedianLag(counts.lags));
    },

    sources: readSources,
  };
}

/** None of its logs is from the last day. */
function toCounts({ by_severity, bytes }: OldDay): StoreCounts {
  return { by_severity, bytes, day: 0, minute: 0, lags: [] };
}

function buildDays(is: "IN" | "NOT IN", days: readonly OldDay[]): SqlCondition {
  const sql = `toYYYYMMDD(ingested_at) ${is} {old_days:Array(UInt32)}`;
  return { sql, parameters: { old_days: days.map(({ day }) => day) } };
}

/** Restricts the store to the logs of some days. */
function narrow(store: MemberReads, days: SqlCondition): MemberReads {
  const within = <Asked extends LogSelection>(asked: Asked): Asked => ({
    ...asked,
    where: {
      sql: `(${asked.where.sql}) AND ${days.sql}`,
      parameters: { ...asked.where.parameters, ...days.parameters },
    },
  });
  return {
    ...store,
    search: (asked, signal) => store.search(within(asked), signal),
    count: (asked, maxCount, signal) => store.count(within(asked), maxCount, signal),
    stream: (asked, signal) => store.stream(within(asked), signal),
    summarise: (asked, signal) => store.summarise(within(asked), signal),
    places: (asked, signal) => store.places(within(asked), signal),
  };
}

interface Part extends LogWindow {
  /** The old day that contains the part; undefined if it is on the machine. */
  day?: OldDay;
}

/** Splits a window of ingest time into parts, earliest first. */
export function splitByDays({ from, to }: LogWindow, days: readonly OldDay[]): Part[] {
  const parts: Part[] = [];
  let at = from.getTime();
  for (const day of days.toSorted((a, b) => a.day - b.day)) {
    const startMs = Math.max(toStartMs(day.day), at);
    const endMs = Math.min(toStartMs(day.day) + DAY_MS, to.getTime());
    if (startMs >= endMs) continue;
    if (at < startMs) parts.push({ from: new Date(at), to: new Date(startMs) });
    parts.push({ from: new Date(startMs), to: new Date(endMs), day });
    at = endMs;
  }
  if (at < to.getTime()) parts.push({ from: new Date(at), to });
  return parts;
}
