import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Frame } from "@kit/http/frame";
import type { Measure } from "@kit/http/metrics";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Action } from "./actions/action.ts";
import { type AuditStore, createAuditStore } from "./audit/audit.store.ts";
import type { Sealer } from "./audit/seal.ts";
import type { Scope } from "./caller/caller.ts";
import type { Needs } from "./caller/permissions.ts";
import type { Database, Db, Tables, Tx } from "./database/tables.ts";
import type { ProcessRole } from "./process-role.ts";
import { type ChangesService, createChangesService } from "./runtime/changes.service.ts";
import type { Routes } from "./runtime/operation.ts";
import type { Mode } from "./runtime/runtime.schema.ts";
import { createRuntimeService, type RuntimeService } from "./runtime/runtime.service.ts";
import type { Finder } from "./search/finder.ts";
import { type DataSources, dataSources } from "./showcase/data-sources.ts";
import type { Showcase } from "./showcase/showcase.ts";
import type { ShowcaseClock } from "./showcase/showcase-clock.ts";
import { createWorkPoller, type WorkPoller } from "./work-poller.ts";
import type { Lane, WorkflowEngine } from "./workflows/workflow-engine.ts";
import type { YamlReader } from "./yaml/yaml-reader.ts";

/** A number that a feature computes from its own records for the statistics. */
export interface Count<Value> {
  /** Counts inside the given transaction, so that all counts belong to one snapshot. */
  stored(tx: Db, now: Date): Promise<Value>;
  shown(showcase: Showcase, now: Date): Value;
}

/**
 * A task that runs outside of requests. `close` waits for the work in progress; both methods are safe to call twice.
 */
export interface Background {
  start(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** Deletes records that are older than their retention. */
export interface Sweep {
  /** The name in the log if the sweep fails. */
  name: string;
  /** Deletes a bounded number of records and returns it. It is repeated until it returns 0. */
  run: () => Promise<number>;
}

/** What a feature runs in a worker process. */
export interface Work {
  lanes?: readonly Lane[];
  /** Runs before this process takes over work of other processes. */
  warmUp?: () => Promise<void>;
  background?(workflows: WorkflowEngine): readonly Background[];
  /** Runs after all background tasks have ended. */
  close?: () => Promise<void>;
}

/** Limits events to the sites that the caller may see. */
export interface Sight {
  /**
   * The field of an event's data with the id of the record that decides; by default, the subject of the event decides.
   */
  by?: string;
  /** Returns the records that are in the scope. */
  filter(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What a feature registers with the platform, in addition to the services that it offers to other features. */
export interface Registrations {
  /** The roles whose processes serve its routes and run `serving`. The default is the API. */
  roles?: readonly ProcessRole[];
  /** Adds hooks to every route of the service, whatever its role. */
  guards?: readonly ((app: Pick<Frame, "addHook">) => void)[];
  /** Routes below /api/v1. */
  routes?: readonly Routes[];
  /** Routes whose paths another product defines. */
  rootRoutes?: readonly Routes[];
  /**
   * The permission that each event type requires, by the noun before the dot. `subject` limits an event to the user
   * that it is about.
   */
  readers?: Readonly<Record<string, Needs | "subject">>;
  /** What callers restricted to sites see of its events, by the same noun. Without an entry they see nothing. */
  sights?: Readonly<Record<string, Sight>>;
  /** What the global search finds of this feature. */
  finders?: readonly Finder[];
  /** The playbook actions of this feature. */
  actions?: readonly Action[];
  sweeps?: readonly Sweep[];
  /** The metrics that `GET /metrics` shows in every process. */
  measures?: readonly Measure[];
  /** Runs once, after the migrations and before the database counts as available. */
  onFirstAnswer?(db: Db): Promise<unknown>;
  /** Stores its part of the showcase as real records, for a demo platform. */
  storeDemo?(tx: Tx, showcase: Showcase): Promise<void>;
  /**
   * Adds records that derive from the committed records of the demo. Idempotent, because it is repeated after a crash.
   */
  completeDemo?(showcase: Showcase): Promise<void>;
  /** Runs in API and worker processes. */
  background?: readonly Background[];
  /** Runs beside its routes, except in dummy mode. Closed in reverse order. */
  serving?: readonly Background[];
  /** Runs in worker processes. */
  createWork?(worker: { executorId: string }): Work;
  /** Runs in relay processes. */
  createRelaying?(): readonly Background[];
}

/** The dependencies that every feature takes. */
export interface Base {
  db: Kysely<Tables>;
  runtime: RuntimeService;
  changes: ChangesService;
  audit: AuditStore;
  dueWork: WorkPoller;
  yaml: Pick<YamlReader, "parse">;
  clock: Clock;
  ids: Ids;
  log: Log;
  /**
   * Builds one store on the database and one on the showcase; `runtime.choose` selects one of them for each request.
   */
  sources: <Source>(
    createStore: (db: Kysely<Tables>) => Source,
    createDemoStore: (showcase: Showcase) => Source,
  ) => DataSources<Source>;
}

export interface BaseDeps extends Pick<Base, "yaml" | "clock" | "ids" | "log"> {
  mode: Mode;
  database: Database;
  showcase: ShowcaseClock;
  /** Signs audit entries for the chain of the ledger. */
  sealer?: Sealer;
}

export function createBase({ mode, database, showcase, sealer, yaml, clock, ids, log }: BaseDeps): Base {
  const { db } = database;
  const runtime = createRuntimeService({ mode, database });
  return {
    db,
    runtime,
    changes: createChangesService({ runtime, db }),
    audit: createAuditStore(ids, sealer),
    dueWork: createWorkPoller({ db, clock, log }),
    yaml,
    clock,
    ids,
    log,
    sources: (createStore, createDemoStore) => dataSources(createStore(db), showcase(createDemoStore)),
  };
}
