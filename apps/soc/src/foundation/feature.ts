import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Action } from "./actions/action.ts";
import type { Needs } from "./caller/permissions.ts";
import type { Db, Tx } from "./database/tables.ts";
import type { Showcase } from "./showcase/showcase.ts";
import type { Lane, WorkflowEngine } from "./workflows/workflow-engine.ts";

/** Something that runs without a request. `close` waits for what is under way; both are safe to call twice. */
export interface Background {
  start(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** Deletes what is older than its retention. */
export interface Sweep {
  /** Stands in the log when it fails. */
  name: string;
  run(): Promise<unknown>;
}

/** What a feature runs in a worker process. */
export interface Work {
  lanes?: readonly Lane[];
  /** Runs before this process takes over work of others. */
  warmUp?(): Promise<void>;
  background?(workflows: WorkflowEngine): readonly Background[];
  /** Runs after everything that ran in the background has ended. */
  close?(): Promise<void>;
}

/** What a feature registers with the platform, beside the services that it offers to other features. */
export interface Feature {
  /** Routes below /api/v1. */
  routes?: readonly FastifyPluginAsyncTypebox[];
  /** Routes whose paths other products fixed. */
  rootRoutes?: readonly FastifyPluginAsyncTypebox[];
  /** Who receives its events, by the noun before the dot of their type. */
  readers?: Readonly<Record<string, Needs>>;
  /** What a step of a playbook can do with it. */
  actions?: readonly Action[];
  sweeps?: readonly Sweep[];
  /** Runs once, after the tables are up to date and before the database counts as available. */
  onFirstAnswer?(db: Db): Promise<unknown>;
  /** Stores its part of the showcase as real records, for a platform to try out. */
  storeDemo?(tx: Tx, showcase: Showcase): Promise<void>;
  /** Runs in every process. */
  background?: readonly Background[];
  /** Runs in the process that serves requests, except in dummy mode. Closed in the opposite order. */
  serving?: readonly Background[];
  /** Runs in worker processes. */
  createWork?(worker: { executorId: string }): Work;
}
