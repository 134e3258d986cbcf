import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import { canonicalJson } from "../../foundation/records/canonical-json.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { LOG_SEVERITIES, type LogEvent } from "../search/log.ts";
import { findRowProblem } from "../search/log-row.ts";
import type { LogPlace, LogStore } from "../search/log-store.ts";
import type { MovedRecord, PageAsked } from "./moved-records.store.ts";

export interface MovedLogsDeps {
  logStore: Pick<LogStore, "search" | "insert">;
}

const FIRST = new Date(0);
/** The last day that a log store can name. */
const LAST = new Date(Date.UTC(2299, 11, 31));
const PLACE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.+)$/;
const DAY_LENGTH = "2026-11-18".length;

const Text = Type.String();
const MovedLog = Type.Object({
  id: Type.String({ minLength: 1 }),
  timestamp: Text,
  timestamp_origin: Type.Enum(["event", "arrival"]),
  ingested_at: Text,
  site: Text,
  source: Text,
  host: Text,
  severity: Type.Enum([...LOG_SEVERITIES]),
  event_code: Text,
  action: Text,
  outcome: Text,
  user: Text,
  src_ip: Text,
  dst_ip: Text,
  src_port: Type.Integer(),
  dst_port: Type.Integer(),
  process: Text,
  message: Text,
  raw: Text,
  attributes: Type.Record(Type.String(), Type.Unknown()),
});

export type MovedLogs = ReturnType<typeof createMovedLogs>;

/** The logs of a site that is being moved, by the time of their arrival: they keep it, and their ids. */
export function createMovedLogs({ logStore }: MovedLogsDeps) {
  /** Stores the logs of one day that are not here yet: a batch of several days would not be stored as a whole. */
  async function putDay(logs: readonly LogEvent[]): Promise<void> {
    const times = logs.map(({ ingested_at }) => Date.parse(ingested_at));
    const known = await logStore.search({
      scope: [...new Set(logs.map(({ site }) => site))],
      where: { sql: "id IN {moved_ids:Array(String)}", parameters: { moved_ids: logs.map(({ id }) => id) } },
      time: "ingested_at",
      from: new Date(Math.min(...times)),
      to: new Date(Math.max(...times) + 1),
      order: "oldest",
      limit: logs.length,
    });
    const here = new Set(known.map(({ id }) => id));
    const missing = logs.filter(({ id }) => !here.has(id));
    if (missing.length === 0) return;
    // A request that was cut off may still be storing the same logs: with this token they are stored once.
    const token = `moved ${sha256Hex(missing.map(({ id }) => id).join("\n"))}`;
    await logStore.insert(missing, { token });
  }

  return {
    async list({ texts, after, limit }: PageAsked): Promise<MovedRecord[]> {
      const logs = await logStore.search({
        scope: texts,
        where: { sql: "true", parameters: {} },
        time: "ingested_at",
        from: FIRST,
        to: LAST,
        order: "oldest",
        limit,
        ...(after !== undefined && { after: parsePlace(after) }),
      });
      return logs.map((log) => ({ id: `${log.ingested_at} ${log.id}`, text: canonicalJson(log) }));
    },

    async put(texts: readonly string[], sites: readonly string[]): Promise<void> {
      const logs = texts.map((text) => parseLog(text, sites));
      const days = new Set(logs.map(({ ingested_at }) => ingested_at.slice(0, DAY_LENGTH)));
      for (const day of days) await putDay(logs.filter(({ ingested_at }) => ingested_at.startsWith(day)));
    },
  };
}

function parsePlace(place: string): LogPlace {
  const [, ingested_at, id] = PLACE.exec(place) ?? [];
  if (ingested_at === undefined || id === undefined) throw new Problem("invalid", "after: is not one of these pages");
  return { id, ingested_at, timestamp: ingested_at };
}

function parseLog(text: string, sites: readonly string[]): LogEvent {
  const log: unknown = JSON.parse(text);
  if (!Value.Check(MovedLog, log)) throw new Problem("invalid", "items: must be logs of another cell");
  const problem = sites.includes(log.site) ? findRowProblem(log) : "site: is another one";
  if (problem !== undefined) throw new Problem("invalid", `items: log '${log.id}': ${problem}`);
  return log;
}
