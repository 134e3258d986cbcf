import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Frame } from "@kit/http/frame";
import type { Measure } from "@kit/http/metrics";
import type { Action } from "./actions/action.ts";
import type { Needs } from "./caller/permissions.ts";
import type { Scope } from "./caller/scope.ts";
import type { Db, Tx } from "./database/tables.ts";
import type { ProcessRole } from "./process-role.ts";
import type { Finder } from "./search/finder.ts";
import type { Showcase } from "./showcase/showcase.ts";
import type { Lane, WorkflowEngine } from "./workflows/workflow-engine.ts";

/** A task that runs without a request. `close` waits for the work in progress; both methods are safe to call twice. */
export interface Background {
  start(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** Deletes records that are older than their retention. */
export interface Sweep {
  /** The name in the log when the sweep fails. */
  name: string;
  /** Deletes a bounded number of records and returns how many. It is repeated until it returns 0. */
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

/** Decides which records a caller of some sites learns of. */
export interface Sight {
  /** The field of an event's data with the id of the record that decides; without it, the subject of the event does. */
  by?: string;
  /** Those of the records that are in the scope. */
  filter(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What a feature registers with the platform, in addition to the services that it offers to other features. */
export interface Registrations {
  /** The roles whose processes serve its routes and run `serving`: the API, unless the feature says otherwise. */
  roles?: readonly ProcessRole[];
  /** Adds hooks to every route of the service, whatever its role. */
  guards?: readonly ((app: Pick<Frame, "addHook">) => void)[];
  /** Routes below /api/v1. */
  routes?: readonly FastifyPluginAsyncTypebox[];
  /** Routes whose paths other products prescribe. */
  rootRoutes?: readonly FastifyPluginAsyncTypebox[];
  /** Who may receive its events, by the noun before the dot of their type; `subject` is the user they are about. */
  readers?: Readonly<Record<string, Needs | "subject">>;
  /** What callers of some sites see of its events, by the same noun; of a noun without it, nothing. */
  sights?: Readonly<Record<string, Sight>>;
  /** What a search over all records finds of this feature. */
  finders?: readonly Finder[];
  /** The playbook actions of this feature. */
  actions?: readonly Action[];
  sweeps?: readonly Sweep[];
  /** What `GET /metrics` shows of it, in every process. */
  measures?: readonly Measure[];
  /** Runs once, after the migrations and before the database counts as available. */
  onFirstAnswer?(db: Db): Promise<unknown>;
  /** Stores its part of the showcase as real records, for a platform to try out. */
  storeDemo?(tx: Tx, showcase: Showcase): Promise<void>;
  /** Adds what is made from the committed records of the demo. Idempotent: it is repeated after a crash. */
  completeDemo?(showcase: Showcase): Promise<void>;
  /** Runs in the processes of the API and in workers. */
  background?: readonly Background[];
  /** Runs beside its routes, except in dummy mode. Closed in reverse order. */
  serving?: readonly Background[];
  /** Runs in worker processes. */
  createWork?(worker: { executorId: string }): Work;
  /** Runs in relay processes. */
  createRelaying?(): readonly Background[];
}
