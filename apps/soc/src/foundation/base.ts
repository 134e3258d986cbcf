import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import { type AuditStore, createAuditStore } from "./audit/audit.store.ts";
import type { Database, Tables } from "./database/tables.ts";
import { createDueWork, type DueWork } from "./due-work.ts";
import { type ChangesService, createChangesService } from "./runtime/changes.service.ts";
import type { Mode } from "./runtime/runtime.schema.ts";
import { createRuntimeService, type RuntimeService } from "./runtime/runtime.service.ts";
import { type DataSources, dataSources } from "./showcase/data-sources.ts";
import type { Showcase } from "./showcase/showcase.ts";
import type { ShowcaseClock } from "./showcase/showcase-clock.ts";

/** The dependencies that every feature takes. */
export interface Base {
  db: Kysely<Tables>;
  runtime: RuntimeService;
  changes: ChangesService;
  audit: AuditStore;
  dueWork: DueWork;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Builds the store on the database and the store on the showcase; `runtime.choose` picks one per request. */
  sources: <Source>(
    createStore: (db: Kysely<Tables>) => Source,
    createDemoStore: (showcase: Showcase) => Source,
  ) => DataSources<Source>;
}

export interface BaseDeps extends Pick<Base, "clock" | "ids" | "log"> {
  mode: Mode;
  database: Database;
  showcase: ShowcaseClock;
}

export function createBase({ mode, database, showcase, clock, ids, log }: BaseDeps): Base {
  const { db } = database;
  const runtime = createRuntimeService({ mode, database });
  return {
    db,
    runtime,
    changes: createChangesService({ runtime, db }),
    audit: createAuditStore(ids),
    dueWork: createDueWork({ db, clock, log }),
    clock,
    ids,
    log,
    sources: (createStore, createDemoStore) => dataSources(createStore(db), showcase(createDemoStore)),
  };
}
