import type { Clock } from "@kit/clock";
import { sql } from "kysely";
import type { Db } from "../database/tables.ts";
import { isAfter, type Position, parseEventId } from "./event.ts";
import type { StreamEvent, StreamRead, StreamSource } from "./event-stream.ts";

export interface OutboxSourceDeps {
  db: Db;
  clock: Pick<Clock, "sleep">;
}

/** An event with the position up to which the outbox was swept; without an event, only that position. */
type Row = { swept: string } & (
  | (Omit<StreamEvent, "at"> & { place: string; at: Date })
  | { [Column in keyof StreamEvent | "place"]: null }
);

const POLL_MS = 500;
const START: Position = { xid: 0n, id: 0n };
const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())`;
// A sweep position beyond the horizon comes from another server: this database was restored from its backup.
const SWEPT = sql`SELECT CASE WHEN xid < ${HORIZON} THEN xid || '-' || id ELSE '0-0' END AS swept FROM outbox_swept`;

const toPositionSql = ({ xid, id }: Position) => sql`(${String(xid)}::xid8, ${String(id)}::bigint)`;

interface Range {
  after: Position;
  upTo: Position | undefined;
  most: number;
}

async function readRange(db: Db, { after, upTo, most }: Range): Promise<Row[]> {
  const end = upTo ? sql`(xid, outbox.id) <= ${toPositionSql(upTo)}` : sql`xid < ${HORIZON}`;
  // One statement reads events and sweep position: an event deleted concurrently is either read or reported as missing.
  const { rows } = await sql<Row>`
    SELECT swept.swept, event.* FROM (${SWEPT}) AS swept LEFT JOIN LATERAL (
      SELECT xid || '-' || outbox.id AS place, coalesce(event_id, xid || '-' || outbox.id) AS id, at, type, subject_id, data
      FROM outbox WHERE ${end} AND (xid, outbox.id) > ${toPositionSql(after)}
      ORDER BY xid, outbox.id LIMIT ${upTo ? null : most}
    ) AS event ON true`.execute(db);
  return rows;
}

function toRead(rows: readonly Row[], { after, upTo }: Range): StreamRead | undefined {
  const events: StreamEvent[] = [];
  const swept = rows[0]?.swept ?? "";
  const hasGap = isAfter(parseEventId(swept) ?? START, after);
  let last: string | undefined;
  for (const row of rows) {
    if (row.place === null) continue;
    const { place, id, at, type, subject_id, data } = row;
    events.push({ id, at: at.toISOString(), type, subject_id, data });
    last = place;
  }
  const to = upTo ? `${upTo.xid}-${upTo.id}` : (last ?? swept);
  return events.length > 0 || hasGap ? { events, to, hasGap } : undefined;
}

/**
 * The outbox as a stream: only events older than every running transaction, so that no event appears later in between.
 */
export function createOutboxSource({ db, clock }: OutboxSourceDeps): StreamSource {
  async function horizon(): Promise<Position> {
    const { rows } = await sql<{ xid: string }>`SELECT ${HORIZON} AS xid`.execute(db);
    return { xid: BigInt(rows[0]?.xid ?? 0), id: 0n };
  }

  return {
    name: "outbox",

    async first() {
      const { rows } = await sql<{ swept: string }>`${SWEPT}`.execute(db);
      return rows[0]?.swept ?? "0-0";
    },

    async last() {
      const { xid, id } = await horizon();
      return `${xid}-${id}`;
    },

    async readAfter(place, signal) {
      let after = parseEventId(place) ?? START;
      // A position beyond the horizon belongs to another database and has no meaning here.
      let isForeign = isAfter(after, await horizon());
      if (isForeign) after = START;
      return {
        async read({ most, upTo }) {
          const range = { after, upTo: upTo === undefined || isForeign ? undefined : parseEventId(upTo), most };
          const read = toRead(await readRange(db, range), range);
          if (!read) {
            await clock.sleep(POLL_MS, signal).catch(() => undefined);
            return undefined;
          }
          after = parseEventId(read.to) ?? after;
          const hasGap = read.hasGap || isForeign;
          isForeign = false;
          return { ...read, hasGap };
        },
        close: async () => undefined,
      };
    },

    async publish(events) {
      if (events.length === 0) return;
      // One statement, so it stores all events or none.
      await sql`
        INSERT INTO outbox (event_id, at, type, subject_id, data)
        SELECT id, at, type, subject_id, data FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
          AS event (id text, at timestamptz, type text, subject_id text, data jsonb)
        ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO NOTHING`.execute(db);
    },

    close: async () => undefined,
  };
}
