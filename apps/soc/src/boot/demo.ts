import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { parseQuery } from "@kit/query/query";
import type { Kysely } from "kysely";
import { buildShowcase } from "../demo/showcase.ts";
import type { AuditStore } from "../foundation/audit/audit.store.ts";
import type { Registrations } from "../foundation/base.ts";
import { ALL_SITES } from "../foundation/caller/caller.ts";
import type { Db, Tables } from "../foundation/database/tables.ts";
import type { Showcase } from "../foundation/showcase/showcase.ts";
import { toSql } from "../logs/module.ts";
import type { LogSelection, LogStore } from "../ports/log-store.ts";

type DemoLogStore = Pick<LogStore, "insert" | "search" | "count">;

export interface DemoDeps {
  db: Kysely<Tables>;
  registrations: readonly Pick<Registrations, "storeDemo" | "completeDemo">[];
  /** Called only if logs must be stored. */
  openLogStore: () => Promise<DemoLogStore>;
  audit: Pick<AuditStore, "store">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}

/** `refused`: the database has alerts that are not a demo of this release. */
export type DemoOutcome = "stored" | "exists" | "refused";

/** The audit entries that record the progress of the demo. */
const STORED = "demo.stored";
const COMPLETED = "demo.completed";
const TOKEN = "demo";

/**
 * Stores the showcase as records, once: the logs first, then all records in one transaction, then the derived records.
 * After a crash the next call continues where this one ended.
 */
export async function storeDemo({
  db,
  registrations,
  openLogStore,
  audit,
  clock,
  ids,
}: DemoDeps): Promise<DemoOutcome> {
  const step = { actor: "manara", subject_type: "demo", subject_id: "showcase", details: {} };
  const mark = (tx: Db, action: string) => audit.store(tx, [{ ...step, id: ids.next(), at: clock.now(), action }]);
  if (await isRecorded(db, COMPLETED)) return "exists";
  if (!(await isRecorded(db, STORED))) {
    if (await db.selectFrom("alerts").select("id").limit(1).executeTakeFirst()) return "refused";
    const showcase = await storeLogs(await openLogStore(), clock.now());
    await db.transaction().execute(async (tx) => {
      for (const each of registrations) await each.storeDemo?.(tx, showcase);
      await mark(tx, STORED);
    });
  }
  const showcase = buildShowcase(clock.now());
  for (const each of registrations) await each.completeDemo?.(showcase);
  await mark(db, COMPLETED);
  return "stored";
}

async function isRecorded(db: Db, action: string): Promise<boolean> {
  const found = await db.selectFrom("audit_log").select("id").where("action", "=", action).executeTakeFirst();
  return found !== undefined;
}

/** Stores the logs of the showcase and returns the showcase that they belong to. */
async function storeLogs(logStore: DemoLogStore, now: Date): Promise<Showcase> {
  const showcase = buildShowcase(await findTime(logStore, now));
  const { logs } = showcase;
  await logStore.insert(logs, { token: TOKEN });
  const count = await logStore.count(selectLogs(logs), logs.length + 1);
  if (count !== logs.length) throw new Error(`the log store has ${count} of the ${logs.length} logs of the demo`);
  return showcase;
}

/**
 * Returns the time of the showcase whose logs an interrupted call has stored, so that they are identical; otherwise
 * now.
 */
async function findTime(logStore: DemoLogStore, now: Date): Promise<Date> {
  const { logs } = buildShowcase(now);
  const [stored] = await logStore.search({ ...selectLogs(logs), order: "newest", limit: 1 });
  const same = logs.find(({ id }) => id === stored?.id);
  if (!stored || !same) return now;
  return new Date(now.getTime() + Date.parse(stored.timestamp) - Date.parse(same.timestamp));
}

const ALL_TIME = { from: new Date(0), to: new Date(Date.UTC(2299, 11, 31)) };

/** The ids of all logs of the showcase have a common prefix. */
function selectLogs([first]: Showcase["logs"]): LogSelection {
  const begin = first?.id.slice(0, -12) ?? "";
  return { scope: ALL_SITES, where: toSql(parseQuery(`id:${begin}*`)), time: "ingested_at", ...ALL_TIME };
}
