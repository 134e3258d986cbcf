import type { Clock } from "@kit/clock";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import {
  buildIoc,
  changeIoc,
  checkIndicator,
  type Ioc,
  type IocDetail,
  type IocHit,
  type IocRow,
  mergeIocs,
  normaliseFilter,
} from "./ioc.ts";
import type {
  BulkIocsRequest,
  CheckedIocs,
  CheckIocsRequest,
  CreateIocRequest,
  IocFilter,
  ListIocsQuery,
  UpdateIocRequest,
} from "./iocs.schema.ts";
import { createIocsWriter, type IocsStore } from "./iocs.store.ts";
import { findWarning } from "./warning-list.ts";

export interface IocsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: IocsStore; showcase: IocsStore };
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type IocsService = ReturnType<typeof createIocsService>;

export interface Refusal {
  /** The index of the object, from 0. */
  object: number;
  id: string;
  reason: string;
}

export interface ImportedIocs {
  created: number;
  merged: number;
  refused: Refusal[];
}

/** One indicator of a request with several. */
export interface GivenIoc {
  object: number;
  id: string;
  request: CreateIocRequest;
}

const EXPORT_BATCH_SIZE = 1000;
const MAX_EXPORTED = 1_000_000;

export function createIocsService({ runtime, stores, audit, clock }: IocsServiceDeps) {
  /** Stores new indicators and merges known ones; all ids must differ. */
  async function store(tx: Tx, given: readonly IocRow[], now: Date): Promise<{ created: IocRow[]; merged: IocRow[] }> {
    const writer = createIocsWriter(tx);
    const inserted = await writer.insertNew(given);
    const givenById = new Map(given.map((ioc) => [ioc.id, ioc]));
    const known = await writer.lock(given.map(({ id }) => id).filter((id) => !inserted.has(id)));
    const merged = known.flatMap((row) => {
      const again = givenById.get(row.id);
      return again ? [mergeIocs(row, again, now)] : [];
    });
    await writer.update(merged);
    return { created: given.filter(({ id }) => inserted.has(id)), merged };
  }

  async function find(id: string): Promise<IocDetail> {
    const ioc = await (await runtime.choose(stores)).find(id);
    if (!ioc) throw notFound("ioc", id);
    return ioc;
  }

  /** Stores several indicators: an invalid one does not affect the others. */
  async function addAll(
    tx: Tx,
    caller: Caller,
    given: readonly GivenIoc[],
    action: "iocs.added" | "iocs.imported",
  ): Promise<ImportedIocs> {
    const now = clock.now();
    const refused: Refusal[] = [];
    const read = new Map<string, IocRow>();
    for (const { object, id, request } of given) {
      try {
        const ioc = buildIoc(request, caller.username, now);
        const before = read.get(ioc.id);
        read.set(ioc.id, before ? mergeIocs(before, ioc, now) : ioc);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        refused.push({ object, id, reason: error.message });
      }
    }
    const { created, merged } = await store(tx, [...read.values()], now);
    const counts = { created: created.length, merged: merged.length };
    if (created.length + merged.length > 0) {
      await audit.record(tx, {
        actor: caller.username,
        action,
        subject_type: "ioc",
        subject_id: created[0]?.id ?? merged[0]?.id ?? "",
        details: { ...counts, refused: refused.length },
      });
    }
    return { ...counts, refused };
  }

  return {
    async list(query: ListIocsQuery): Promise<Page<Ioc>> {
      return (await runtime.choose(stores)).list(normaliseFilter(query), clock.now());
    },

    get: find,

    async listHits(id: string, query: PageQuery): Promise<Page<IocHit>> {
      const { id: known } = await find(id);
      return (await runtime.choose(stores)).listHits(known, query);
    },

    /** Creates an indicator, or merges it into an existing one. */
    async create(tx: Tx, caller: Caller, request: CreateIocRequest): Promise<{ ioc: Ioc; isNew: boolean }> {
      const now = clock.now();
      const given = buildIoc(request, caller.username, now);
      const { created, merged } = await store(tx, [given], now);
      const [row] = [...created, ...merged];
      // Deleted between the two statements; a retry would succeed.
      if (!row) throw new Problem("conflict", `ioc '${given.id}' is being deleted`);
      const isNew = created.length > 0;
      const { type, value, severity, confidence, source } = row;
      await audit.record(tx, {
        actor: caller.username,
        action: isNew ? "ioc.created" : "ioc.merged",
        subject_type: "ioc",
        subject_id: row.id,
        details: { type, value, severity, confidence, source, warning: findWarning(row) ?? null },
      });
      return { ioc: toIoc(row), isNew };
    },

    async createMany(tx: Tx, caller: Caller, { items, force = false }: BulkIocsRequest): Promise<ImportedIocs> {
      const given = items.map((item, object) => ({ object, id: item.value, request: { ...item, force } }));
      return addAll(tx, caller, given, "iocs.added");
    },

    addImported: (tx: Tx, caller: Caller, given: readonly GivenIoc[]) => addAll(tx, caller, given, "iocs.imported"),

    /** Predicts the result of storing these values. Stores nothing. */
    async check({ values }: CheckIocsRequest): Promise<CheckedIocs> {
      const checked = values.map(checkIndicator);
      const ids = new Set(checked.flatMap(({ id }) => id ?? []));
      const known = new Set(await (await runtime.choose(stores)).findKnown([...ids]));
      return {
        items: checked.map((item) => {
          const isKnown = item.id !== null && known.has(item.id);
          return isKnown ? { ...item, state: "known" as const } : { ...item, id: null };
        }),
      };
    },

    /** Replaces the fields that people decide. */
    async update(tx: Tx, caller: Caller, id: string, request: UpdateIocRequest): Promise<IocDetail> {
      const writer = createIocsWriter(tx);
      const [known] = await writer.lock([id]);
      if (!known) throw notFound("ioc", id);
      const changed = changeIoc(known, request, clock.now());
      await writer.update([changed]);
      await audit.record(tx, {
        actor: caller.username,
        action: "ioc.updated",
        subject_type: "ioc",
        subject_id: id,
        details: { ...request },
      });
      const { created_at: _, updated_at: __, ...detail } = changed;
      return detail;
    },

    async delete(tx: Tx, caller: Caller, id: string) {
      const writer = createIocsWriter(tx);
      const [known] = await writer.lock([id]);
      if (!(known && (await writer.delete(known.id)))) throw notFound("ioc", id);
      await audit.record(tx, {
        actor: caller.username,
        action: "ioc.deleted",
        subject_type: "ioc",
        subject_id: known.id,
        details: { type: known.type, value: known.value },
      });
      return { deleted: true, id: known.id };
    },

    /** Streams the indicators in id order, at the speed of the client. Rejects before the first page or not at all. */
    async export(asked: IocFilter): Promise<AsyncIterable<Ioc[]>> {
      const filter = normaliseFilter(asked);
      const source = await runtime.choose(stores);
      const now = clock.now();
      return streamPages(source, filter, now, await source.next(filter, now, undefined, EXPORT_BATCH_SIZE));
    },
  };
}

async function* streamPages(store: IocsStore, filter: IocFilter, now: Date, first: Ioc[]): AsyncIterable<Ioc[]> {
  let left = MAX_EXPORTED;
  for (let page = first; page.length > 0 && left > 0; left -= page.length) {
    yield page;
    if (page.length < EXPORT_BATCH_SIZE) return;
    page = await store.next(filter, now, page.at(-1)?.id, EXPORT_BATCH_SIZE);
  }
}

function toIoc({ searched_at: _, search_is_capped: __, created_at: ___, updated_at: ____, ...ioc }: IocRow): Ioc {
  return ioc;
}
