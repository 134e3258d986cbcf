import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { Window } from "../rules/schedule.ts";
import type { RuleVersion } from "../scheduling/dispatcher.ts";
import type { EndedSegment } from "./segment-collector.ts";

/** A segment, over all partitions. */
export interface MadeSegment {
  startMs: number;
  /** How many partitions have completed it. */
  partitions: number;
  generation: bigint;
}

export interface SegmentHits {
  startMs: number;
  dropped: readonly string[];
  hits: ReadonlyMap<string, readonly LogEvent[]>;
}

/** The hits that the owners of partitions have found for scheduled rules. */
export type SegmentsStore = ReturnType<typeof createSegmentsStore>;

/** The longest window, plus an hour to run it. */
const KEPT_HOURS = 26;
const MAX_HIT_BYTES = 64 * 1024 * 1024;
const SWEEP_BATCH_SIZE = 20_000;
const NO_LOGS = "9223372036854775807";
const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

export function createSegmentsStore(db: Db) {
  return {
    async list({ from, to }: Window): Promise<MadeSegment[]> {
      const { rows } = await sql<{ starts_at: Date; partitions: number; generation: string }>`
        SELECT starts_at, count(*)::int AS partitions, min(generation) AS generation FROM log_segments
        WHERE starts_at >= ${from} AND starts_at < ${to} GROUP BY starts_at`.execute(db);
      return rows.map(({ starts_at, partitions, generation }) => ({
        startMs: starts_at.getTime(),
        partitions,
        generation: BigInt(generation),
      }));
    },

    /** The hits of the segments that have any; undefined if they are too large. */
    async read({ from, to }: Window): Promise<SegmentHits[] | undefined> {
      const { rows: sizes } = await sql<{ bytes: string | null }>`
        SELECT sum(octet_length(hits)) AS bytes FROM log_segments
        WHERE starts_at >= ${from} AND starts_at < ${to}`.execute(db);
      if (Number(sizes[0]?.bytes ?? 0) > MAX_HIT_BYTES) return undefined;
      const { rows } = await sql<{ starts_at: Date; dropped: string[]; hits: Buffer | null }>`
        SELECT starts_at, dropped, hits FROM log_segments
        WHERE starts_at >= ${from} AND starts_at < ${to} AND (hits IS NOT NULL OR dropped <> '{}')`.execute(db);
      return Promise.all(
        rows.map(async ({ starts_at, dropped, hits }) => ({
          startMs: starts_at.getTime(),
          dropped,
          hits: hits ? await decodeHits(hits) : new Map(),
        })),
      );
    },

    /** The generation since which each rule is unchanged, for rules that are scheduled in this version. */
    async findGenerations(rules: readonly RuleVersion[]): Promise<ReadonlyMap<string, bigint>> {
      const { rows } = await sql<{ rule_id: string; version: number; generation: string }>`
        SELECT rule_id, version, generation FROM detection_coverage
        WHERE rule_id = ANY(${rules.map(({ id }) => id)}::uuid[]) AND owner = 'schedule' AND generation IS NOT NULL
      `.execute(db);
      const versions = new Map(rules.map(({ id, version }) => [id, version]));
      return new Map(
        rows.flatMap(({ rule_id, version, generation }) =>
          versions.get(rule_id) === version ? [[rule_id, BigInt(generation)] as const] : [],
        ),
      );
    },

    async sweep(): Promise<number> {
      const { numAffectedRows } = await sql`
        DELETE FROM log_segments WHERE (starts_at, partition) IN (
          SELECT starts_at, partition FROM log_segments
          WHERE starts_at < now() - make_interval(hours => ${KEPT_HOURS}) ORDER BY starts_at LIMIT ${SWEEP_BATCH_SIZE}
        )`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}

export function createSegmentsWriter(tx: Db) {
  return {
    async insert(ended: readonly EndedSegment[]): Promise<void> {
      if (ended.length === 0) return;
      const hits = await Promise.all(ended.map(async ({ hits: found }) => (found.size > 0 ? encodeHits(found) : null)));
      await sql`
        INSERT INTO log_segments (partition, starts_at, generation, dropped, hits)
        SELECT partition, starts_at, generation, string_to_array(dropped, ' ')::uuid[], hits
        FROM unnest(${ended.map(({ partition }) => partition)}::integer[],
          ${ended.map(({ startMs }) => new Date(startMs))}::timestamptz[],
          ${ended.map(({ generation }) => generation ?? NO_LOGS)}::bigint[],
          ${ended.map(({ dropped }) => dropped.join(" "))}::text[],
          ${hits}::bytea[]) AS given (partition, starts_at, generation, dropped, hits)
        ON CONFLICT DO NOTHING`.execute(tx);
    },
  };
}

function encodeHits(hits: ReadonlyMap<string, readonly LogEvent[]>): Promise<Buffer> {
  return compress(JSON.stringify([...hits]));
}

async function decodeHits(bytes: Buffer): Promise<ReadonlyMap<string, readonly LogEvent[]>> {
  const entries: unknown = JSON.parse((await decompress(bytes)).toString("utf8"));
  if (!isEntries(entries)) throw new Error("log_segments: hits are not readable");
  return new Map(entries);
}

/** Only `encodeHits` writes the column. */
function isEntries(value: unknown): value is [string, LogEvent[]][] {
  return Array.isArray(value);
}
