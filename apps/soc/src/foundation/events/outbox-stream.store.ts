import type { Clock } from "@kit/clock";
import { sql } from "kysely";
import type { Db } from "../database/tables.ts";
import { parsePlace } from "./event.ts";
import { numberEvents, readLastPlace } from "./event-places.ts";
import type { StreamEvent, StreamRead, StreamSource } from "./event-stream.ts";

export interface OutboxSourceDeps {
  db: Db;
  clock: Pick<Clock, "sleep">;
}

/** An event with the place up to which the outbox was swept; without an event, only that place. */
type Row = { swept: string } & (
  | (Omit<StreamEvent, "at" | "subject_type"> & { place: string; at: Date; subject_type: string | null })
  | { [Column in keyof StreamEvent | "place"]: null }
);

const POLL_MS = 500;
const START = 0n;
const OUTBOX = "outbox";

interface Range {
  after: bigint;
  upTo: bigint | undefined;
  most: number;
}

async function readRange(db: Db, { after, upTo, most }: Range): Promise<Row[]> {
  await numberEvents(db);
  const end = upTo === undefined ? sql`true` : sql`place <= ${String(upTo)}::bigint`;
  // One statement reads events and the sweep place: an event deleted concurrently is either read or reported as
  // missing.
  const { rows } = await sql<Row>`
    SELECT swept.place AS swept, event.* FROM outbox_swept AS swept LEFT JOIN LATERAL (
      SELECT place, coalesce(event_id, xid || '-' || id) AS id, at, type, actor, subject_type, subject_id, data
      FROM outbox WHERE ${end} AND place > ${String(after)}::bigint
      ORDER BY place LIMIT ${upTo === undefined ? most : null}
    ) AS event ON true`.execute(db);
  return rows;
}

function toRead(rows: readonly Row[], { after, upTo }: Range): StreamRead | undefined {
  const events: StreamEvent[] = [];
  const swept = rows[0]?.swept ?? "";
  const hasGap = (parsePlace(swept) ?? START) > after;
  let last: string | undefined;
  for (const row of rows) {
    if (row.place === null) continue;
    const { place, id, at, type, actor, subject_type, subject_id, data } = row;
    const known = { ...(actor && { actor }), ...(subject_type && { subject_type }) };
    events.push({ id, at: at.toISOString(), type, ...known, subject_id, data, place });
    last = place;
  }
  const to = upTo === undefined ? (last ?? swept) : String(upTo);
  return events.length > 0 || hasGap ? { events, to, hasGap } : undefined;
}

export interface OutboxConsumersWriter {
  /**
   * Makes a consumer without a cursor begin here, so that events before the first start of a worker are still delivered
   * to it.
   */
  begin(consumer: string): Promise<void>;
}

export function createOutboxConsumersWriter(tx: Db): OutboxConsumersWriter {
  return {
    async begin(consumer) {
      const place = String(await readLastPlace(tx));
      await sql`
        INSERT INTO stream_cursors (stream, consumer, handled, claimed)
        VALUES (${OUTBOX}, ${consumer}, ${place}, ${place}) ON CONFLICT DO NOTHING`.execute(tx);
    },
  };
}

/** The outbox as a stream: only numbered events, so that no event appears later in between. */
export function createOutboxSource({ db, clock }: OutboxSourceDeps): StreamSource {
  let looking: Promise<bigint> | undefined;

  async function look(): Promise<bigint> {
    await clock.sleep(POLL_MS);
    looking = undefined;
    return readLastPlace(db);
  }

  /** Returns the last place after a pause, with one query for all waiting readers. */
  function lookLater(): Promise<bigint> {
    looking ??= look();
    return looking;
  }

  return {
    name: OUTBOX,

    async first() {
      const { rows } = await sql<{ place: string }>`SELECT place FROM outbox_swept`.execute(db);
      return rows[0]?.place ?? String(START);
    },

    last: async () => String(await readLastPlace(db)),

    async readAfter(place) {
      let after = parsePlace(place) ?? START;
      // A place beyond the last one belongs to another database and has no meaning here.
      let isForeign = after > (await readLastPlace(db));
      if (isForeign) after = START;
      let isWaiting = false;
      return {
        async read({ most, upTo }) {
          if (isWaiting && (await lookLater()) <= after) return undefined;
          isWaiting = false;
          const range = { after, upTo: upTo === undefined || isForeign ? undefined : parsePlace(upTo), most };
          const read = toRead(await readRange(db, range), range);
          isWaiting = !read;
          if (!read) return undefined;
          after = parsePlace(read.to) ?? after;
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
