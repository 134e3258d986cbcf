import type { Clock } from "@kit/clock";
import { notFound, Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { CellSettings } from "../../casework/cells/cell.ts";
import { FRESH_MS } from "../../casework/cells/cells.service.ts";
import type { KnownMove, SiteMoves } from "../../casework/cells/site-move.ts";
import type { LedgerService } from "../../casework/ledger/ledger.service.ts";
import type { Site } from "../../casework/sites/site.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Scope, SiteName } from "../../foundation/caller/scope.ts";
import type { Db, Tables, Tx } from "../../foundation/database/tables.ts";
import { hasReached, type LogStreams } from "../../foundation/events/log-streams.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { MAX_UNCHECKED_MS } from "../intake/intake.service.ts";
import type { MovedLogs } from "./moved-logs.ts";
import { createMovedRecordsStore, type MovedRecord, type PageAsked } from "./moved-records.store.ts";
import {
  type ArrivalRequest,
  type ArrivingRequest,
  MAX_PAGE_BYTES,
  MAX_PAGE_ITEMS,
  type MoveBody,
  type MovedPart,
  type MoveRequest,
  type RecordsBody,
  type RecordsQuery,
} from "./site-moves.schema.ts";

export interface SiteMovesServiceDeps {
  /** Undefined for a platform that is no cell. */
  settings: CellSettings | undefined;
  runtime: Pick<RuntimeService, "choose">;
  lists: { database: ListMoved; showcase: ListMoved };
  db: Kysely<Tables>;
  logs: Pick<MovedLogs, "put">;
  /** The lowest ingest time that a writer seen within so many seconds may still write to. */
  writers: { lowest(withinSeconds: number): Promise<Date | undefined> };
  openMoves: (tx: Db) => SiteMoves;
  openSites: (tx: Tx) => OpenSites;
  /** Undefined without streams: then a log is acknowledged when it is stored. */
  streams: Pick<LogStreams, "sources"> | undefined;
  partitions: { listHandled(): Promise<ReadonlyMap<number, string>> } | undefined;
  ledger: Pick<LedgerService, "append">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
interface OpenSites {
  all(scope: Scope): Promise<Site[]>;
  findNames(texts: readonly string[]): Promise<SiteName[]>;
  insert(site: Site): Promise<boolean>;
}
type ListMoved = (part: MovedPart, asked: PageAsked) => Promise<MovedRecord[]>;
export type SiteMovesService = ReturnType<typeof createSiteMovesService>;

/** After a freeze, which may wait for changes itself, requests that did not see it yet may take logs for this long. */
const SETTLING_MS = MAX_UNCHECKED_MS + 5 * FRESH_MS;
/** Without a report for this long, a writer has ended. */
const WRITER_SECONDS = 90;
/** A case has much that belongs to it. */
const MAX_ITEMS: Readonly<Record<MovedPart, number>> = { cases: 20, alerts: 500, logs: MAX_PAGE_ITEMS };

/** Gives a site to another cell, and takes one. Every step can be repeated. */
export function createSiteMovesService(deps: SiteMovesServiceDeps) {
  const {
    settings,
    runtime,
    lists,
    db,
    logs,
    writers,
    openMoves,
    openSites,
    streams,
    partitions,
    ledger,
    audit,
    clock,
  } = deps;

  function requireOther(name: string, field: string): void {
    if (!settings) throw new Problem("conflict", "this platform is no cell");
    if (name === settings.self || !settings.cells.some((cell) => cell.name === name)) {
      throw new Problem("conflict", `${field}: '${name}' is no other cell`);
    }
  }

  async function requireMove(tx: Tx, siteId: string): Promise<KnownMove> {
    const move = await openMoves(tx).find(siteId);
    if (!move) throw notFound("move of site", siteId);
    return move;
  }

  async function record(tx: Tx, { username }: Caller, action: string, siteId: string, details: object): Promise<void> {
    await audit.record(tx, { actor: username, action, subject_type: "site", subject_id: siteId, details });
  }

  /** Whether all logs that were acknowledged are stored. The ends of the streams are kept when no more can be added. */
  async function isSettled({ site_id, frozen_at, stream_ends }: KnownMove): Promise<boolean> {
    const settledMs = frozen_at.getTime() + SETTLING_MS;
    if (clock.now().getTime() < settledMs) return false;
    const lowest = await writers.lowest(WRITER_SECONDS);
    if (lowest && lowest.getTime() < settledMs) return false;
    if (!streams || !partitions) return true;
    if (!stream_ends) {
      const ends = await Promise.all(streams.sources.map((source) => source.last()));
      await openMoves(db).keepEnds(site_id, Object.fromEntries(ends.entries()));
      return false;
    }
    const handled = await partitions.listHandled();
    return Object.entries(stream_ends).every(([partition, end]) => hasReached(handled.get(Number(partition)), end));
  }

  /** The site is not here, and was not here before: its former records would be mixed with those that come. */
  async function requireNew(tx: Tx, { site_id, site_name, from }: Omit<ArrivalRequest, "profile">): Promise<void> {
    requireOther(from, "from");
    if (await openMoves(tx).find(site_id)) {
      throw new Problem("conflict", `site_id: site '${site_name}' was in this cell before, and its records still are`);
    }
    if ((await openSites(tx).findNames([site_id, site_name])).length > 0) {
      throw new Problem("conflict", `site_name: this cell has site '${site_name}'`);
    }
  }

  return {
    async freeze(tx: Tx, caller: Caller, { site_id, to }: MoveRequest) {
      requireOther(to, "to");
      const [site] = await openSites(tx).all([site_id]);
      if (!site) throw notFound("site", site_id);
      const writer = openMoves(tx);
      const known = await writer.find(site_id);
      if (!known) {
        await writer.freeze({ site_id, site_name: site.name, to_cell: to });
        await record(tx, caller, "site.move_started", site_id, { name: site.name, to });
      }
      const move = await requireMove(tx, site_id);
      if (move.to_cell !== to) throw new Problem("conflict", `to: the site moves to cell '${move.to_cell}'`);
      return { ...site, move };
    },

    async describe({ move, name, profile }: { move: KnownMove; name: string; profile: MoveBody["profile"] }) {
      const { site_id, to_cell: to, state } = move;
      return { site_id, site_name: name, profile, to, state, is_settled: await isSettled(move) } satisfies MoveBody;
    },

    /** A page of the records of a site: of the cell that gives it, and of the one that takes it. */
    async page({ site_id, site_name, part, after, limit, only }: RecordsQuery): Promise<RecordsBody> {
      const list = await runtime.choose(lists);
      const asked = { texts: [site_id, site_name], after, limit: Math.min(limit, MAX_ITEMS[part]) };
      const found = await list(part, asked);
      const page = cutPage(found);
      const isLast = page.length === found.length && found.length < asked.limit;
      const ids = part === "cases" && only === undefined ? page.map(({ id }) => id) : [];
      return {
        items: only === "digest" ? [] : page.map(({ text }) => text),
        count: page.length,
        digest: sha256Hex(JSON.stringify(page.map(({ text }) => text))),
        next: isLast ? null : (page.at(-1)?.id ?? null),
        last_entries: ids.length === 0 ? [] : await createMovedRecordsStore(db).listLastEntries(ids),
      };
    },

    /** Stores records of another cell; logs are stored by `putLogs`. */
    async put(tx: Tx, { username }: Caller, asked: ArrivingRequest): Promise<{ count: number }> {
      const { part, items, from, last_entries } = asked;
      await requireNew(tx, asked);
      const store = createMovedRecordsStore(tx);
      await store.setUtc();
      if (part === "alerts") await store.putAlerts(items);
      for (const text of part === "cases" ? items : []) {
        const id = await store.putCase(text);
        const last = last_entries.find(({ case_id }) => case_id === id);
        const former = { last_sequence: last?.sequence ?? null, last_entry_hash: last?.entry_hash ?? null };
        const body = { from_cell: from, ...former, sha256: sha256Hex(text) };
        await ledger.append(tx, id, { kind: "case.moved", actor: username, body });
      }
      return { count: items.length };
    },

    async putLogs({ part, items, site_id, site_name }: ArrivingRequest): Promise<void> {
      if (part === "logs") await logs.put(items, [site_id, site_name]);
    },

    /** The site belongs to this cell from now on. */
    async arrive(tx: Tx, caller: Caller, asked: ArrivalRequest) {
      const { site_id, site_name, profile, from } = asked;
      const [known] = await openSites(tx).all([site_id]);
      const isHere = known && !(await openMoves(tx).find(site_id));
      if (!isHere) {
        await requireNew(tx, asked);
        await openSites(tx).insert({ id: site_id, name: site_name, profile });
        await record(tx, caller, "site.arrived", site_id, { name: site_name, from });
      }
      return { site_id, site_name };
    },

    /** The other cell has the site. Requests for it are sent there from now on. */
    async end(tx: Tx, caller: Caller, siteId: string) {
      const { state, site_name, to_cell } = await requireMove(tx, siteId);
      if (state === "frozen") {
        await openMoves(tx).end(siteId, clock.now());
        await record(tx, caller, "site.moved", siteId, { name: site_name, to: to_cell });
      }
      return { site_id: siteId, site_name };
    },

    /** The site stays. What the other cell has of it already is not used. */
    async cancel(tx: Tx, caller: Caller, siteId: string) {
      const { state, site_name, to_cell } = await requireMove(tx, siteId);
      if (state === "moved") throw new Problem("conflict", `site '${site_name}' is in cell '${to_cell}' already`);
      await openMoves(tx).delete(siteId);
      await record(tx, caller, "site.move_cancelled", siteId, { name: site_name, to: to_cell });
      return { deleted: true, id: siteId };
    },
  };
}

/** The records of a site in this cell, in the order of their places. */
export function createMovedLists(db: Kysely<Tables>, logs: Pick<MovedLogs, "list">): ListMoved {
  return (part, asked) => {
    if (part === "logs") return logs.list(asked);
    return db.transaction().execute(async (tx) => {
      const store = createMovedRecordsStore(tx);
      await store.setUtc();
      return part === "alerts" ? store.listAlerts(asked) : store.listCases(asked);
    });
  };
}

/** At least one record, and no more than fit. */
function cutPage(found: readonly MovedRecord[]): readonly MovedRecord[] {
  let bytes = 0;
  const end = found.findIndex(({ text }, place) => {
    bytes += Buffer.byteLength(text);
    return place > 0 && bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? found : found.slice(0, end);
}
