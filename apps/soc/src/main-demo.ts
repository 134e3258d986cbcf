import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createLog } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import { createDatabase } from "./adapters/postgres.ts";
import { fingerprintOf } from "./casework/alerts/alert.ts";
import { insertOrCount } from "./casework/alerts/alerts.store.ts";
import type { WholeCase } from "./casework/cases/case.ts";
import { createCaseItemsStore } from "./casework/cases/case-items.store.ts";
import { createCasesStore } from "./casework/cases/cases.store.ts";
import { createEvidenceStore } from "./casework/cases/evidence.store.ts";
import { insertEntry } from "./casework/ledger/chain.store.ts";
import { insertSite } from "./casework/sites/sites.store.ts";
import { readConfig } from "./composition/config.ts";
import type { Database, Tx } from "./foundation/database/tables.ts";
import { buildShowcase } from "./showcase/showcase.ts";

const ANSWER_WITHIN_MS = 30_000;
const clock = createClock();

/** Stores the showcase as real records, once: where there is an alert already, nothing is touched. */
async function main(): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  if (databaseUrl === undefined) throw invalidField("SOC_DATABASE_URL", "is required");
  const database = createDatabase({
    url: databaseUrl,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    clock,
    log: createLog({ clock, level: "warn" }),
    // The service itself sees to its administrator.
    onFirstAnswer: async () => undefined,
  });
  try {
    await waitFor(database);
    await database.db.transaction().execute(storeOnce);
  } finally {
    await database.close();
  }
}

/** The first answer includes all migrations, which may take longer than an answer may. */
async function waitFor(database: Database): Promise<void> {
  const deadline = clock.deadline(ANSWER_WITHIN_MS);
  while (!(await database.isAvailable())) {
    if (deadline.aborted) throw new Problem("unavailable", "the database is unavailable");
    await clock.sleep(200);
  }
}

async function storeOnce(tx: Tx): Promise<void> {
  if (await tx.selectFrom("alerts").select("id").limit(1).executeTakeFirst()) return;
  process.stdout.write("storing demo data…\n");
  const { sites, cases, alerts, ledger, audit } = buildShowcase(clock.now());
  for (const site of sites) await insertSite(tx, site);
  for (const each of cases) await storeCase(tx, each);
  for (const alert of alerts) await insertOrCount(tx, { ...alert, fingerprint: fingerprintOf(alert) });
  for (const entry of ledger) await insertEntry(tx, entry);
  // Not by its store: that one tells listeners, and what happened days ago is no news.
  await tx.insertInto("audit_log").values(audit).execute();
}

async function storeCase(tx: Tx, whole: WholeCase): Promise<void> {
  const { timeline, observables, evidence, comments, tasks, ...opened } = whole;
  const { id } = opened;
  const [cases, items, exhibits] = [createCasesStore(tx), createCaseItemsStore(tx), createEvidenceStore(tx)];
  await cases.insert(opened);
  for (const entry of timeline) await cases.addToTimeline(id, entry);
  for (const observable of observables) await items.insertObservable(id, observable);
  for (const comment of comments) await items.insertComment(id, comment);
  for (const task of tasks) await items.insertTask(id, task);
  for (const { custody_entries, custody_total: _, ...registered } of evidence) {
    await exhibits.insert(id, registered);
    await exhibits.addCustody(registered.id, custody_entries);
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
