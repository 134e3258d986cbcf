import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { notFound, Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Effect } from "../../foundation/actions/action.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { type ActionsStore, createActionsWriter } from "./actions.store.ts";
import type { EdrActionRecord, ListActionsQuery } from "./edr.schema.ts";
import {
  buildEdrAction,
  buildEffect,
  checkEdrCommand,
  type EdrActionRow,
  type EdrCommand,
  type InitialStatus,
  isReleaseKept,
  type Result,
  settleAttempt,
  stateAfter,
} from "./edr-action.ts";
import type { EdrAdapter } from "./edr-adapter.ts";
import type { EndpointRow } from "./endpoint.ts";
import { createEndpointsStore, createEndpointsWriter, type EndpointsStore } from "./endpoints.store.ts";

export interface EdrActionsServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  db: Kysely<Tables>;
  stores: { database: ActionsStore; showcase: ActionsStore };
  endpoints: { database: EndpointsStore; showcase: EndpointsStore };
  adapter: Pick<EdrAdapter, "url" | "order">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "info" | "warn">;
}
export type EdrActionsService = ReturnType<typeof createEdrActionsService>;

export interface StartedAction {
  row: EdrActionRow;
  endpoint: EndpointRow;
  isNew: boolean;
}

const BATCH_SIZE = 20;
/** The number of settled actions not in force to keep; older ones are deleted. */
const KEPT = 100_000;
const FORGET_BATCH_SIZE = 500;
const MAX_BATCHES = 20;
const RELEASER = "automatic release";

export function createEdrActionsService(deps: EdrActionsServiceDeps) {
  const { runtime, db, stores, endpoints, adapter, audit, clock, ids, log } = deps;
  // The platform sends stored actions itself, outside the scope of the request.
  const outside = AsyncLocalStorage.snapshot();
  const beginning: InitialStatus = adapter.url === undefined ? "recorded" : "dispatched";

  async function record(tx: Tx, action: string, row: EdrActionRow, details: object = {}): Promise<void> {
    const { id, endpoint_id, status, requested_by, case_id, reason } = row;
    await audit.record(tx, {
      actor: requested_by,
      action,
      subject_type: "endpoint",
      subject_id: endpoint_id,
      details: { action: row.action, action_id: id, status, reason, case_id, ...details },
    });
  }

  /** Stores the action before sending it, so that every sent action has a row that is settled in the end. */
  async function begin(
    scope: Scope,
    tx: Tx,
    command: EdrCommand,
    endpoint_id: string,
    { as = beginning, id = ids.next() }: { as?: InitialStatus; id?: string } = {},
  ): Promise<StartedAction> {
    const actions = createActionsWriter(tx);
    const endpoints = createEndpointsWriter(tx);
    requireStorable(command);
    checkEdrCommand(command);
    const endpoint = await endpoints.lock(scope, endpoint_id);
    if (!endpoint) throw notFound("endpoint", endpoint_id);
    const keptRelease = isReleaseKept(command) ? await actions.findRelease(endpoint.id) : null;
    const proposed = buildEdrAction(command, id, endpoint.id, { beginning: as, keptRelease }, clock.now());
    const row = await actions.insertOrFind(proposed);
    if (row.id !== proposed.id) return { row, endpoint, isNew: false };
    const desired = row.simulated ? undefined : stateAfter(row.action);
    if (desired) {
      await actions.cancelReplaced(row);
      await actions.endIsolations(row);
      await endpoints.update(endpoint.id, { desired });
    }
    const { simulated, release_at } = row;
    const kept = keptRelease && { keeps_release: true };
    await record(tx, "endpoint.action_requested", row, { simulated, release_at, ...kept });
    return { row, endpoint, isNew: true };
  }

  async function conclude(tx: Tx, row: EdrActionRow): Promise<void> {
    const reported = stateAfter(row.action);
    if (row.status === "completed" && reported) await createEndpointsWriter(tx).update(row.endpoint_id, { reported });
    if (row.status === "blocked" && row.action === "unisolate") await createActionsWriter(tx).resumeIsolations(row.id);
    await record(tx, "endpoint.action_settled", row, { error: row.error });
  }

  function settleWith(row: EdrActionRow, result: Result): Promise<EdrActionRow> {
    return db.transaction().execute(async (tx) => {
      const actions = createActionsWriter(tx);
      // Lock the endpoint first, as everywhere else, to avoid deadlocks.
      await createEndpointsWriter(tx).lock(ALL_SITES, row.endpoint_id);
      const settled = { ...row, ...settleAttempt(row, result, clock.now()) };
      const { status, error, attempts, next_attempt_at, settled_at } = settled;
      const isOurs = await actions.settle(row.id, { status, error, attempts, next_attempt_at, settled_at });
      if (!isOurs) return (await actions.find(row.id)) ?? row;
      if (settled_at) await conclude(tx, settled);
      return settled;
    });
  }

  async function deliver(row: EdrActionRow): Promise<EdrActionRow> {
    const endpoint = await createEndpointsStore(db).find(ALL_SITES, row.endpoint_id);
    if (!endpoint) throw notFound("endpoint", row.endpoint_id);
    const isWanted = async () => (await createActionsWriter(db).find(row.id))?.status === "dispatched";
    return settleWith(row, await adapter.order(row, endpoint, isWanted));
  }

  /** Sends the stored action. If sending or settling fails now, the worker retries with the same key. */
  async function deliverNow(row: EdrActionRow): Promise<EdrActionRow> {
    if (row.status !== "dispatched") return row;
    return outside(deliver, row).catch((error: unknown) => {
      log.warn({ err: error, action_id: row.id }, "EDR action failed; the worker will retry it");
      return row;
    });
  }

  async function getNamed(scope: Scope, name: string): Promise<EndpointRow> {
    const [endpoint, other] = await (await runtime.choose(endpoints)).findNamed(scope, name);
    if (!endpoint) throw notFound("endpoint", name);
    if (other) throw new Problem("conflict", `endpoint: more than one has the name '${name}'; use the id`);
    return endpoint;
  }

  async function findRelease(endpoint_id: string): Promise<Date | null> {
    const { is_database_available } = await runtime.truth();
    return is_database_available ? createActionsWriter(db).findRelease(endpoint_id) : null;
  }

  async function release(row: EdrActionRow): Promise<void> {
    const command: EdrCommand = {
      action: "unisolate",
      key: `release:${row.id}`,
      requested_by: RELEASER,
      reason: `the isolation by ${row.requested_by} had a time limit`,
      case_id: row.case_id,
      release_after_minutes: null,
    };
    const begun = await db.transaction().execute(async (tx) => {
      await createEndpointsWriter(tx).lock(ALL_SITES, row.endpoint_id);
      const current = await createActionsWriter(tx).find(row.id);
      // Another process or a user may have ended the isolation first.
      return current?.ended_at === null ? begin(ALL_SITES, tx, command, row.endpoint_id) : undefined;
    });
    if (!begun) return;
    log.info({ endpoint_id: row.endpoint_id, action_id: row.id }, "isolation released automatically");
    await deliverNow(begun.row);
  }

  return {
    async list(scope: Scope, query: ListActionsQuery): Promise<Page<EdrActionRecord>> {
      return (await runtime.choose(stores)).list(scope, query);
    },

    async listByEndpoint(scope: Scope, endpoint_id: string, query: PageQuery): Promise<Page<EdrActionRecord>> {
      const endpoint = await (await runtime.choose(endpoints)).find(scope, endpoint_id);
      if (!endpoint) throw notFound("endpoint", endpoint_id);
      return (await runtime.choose(stores)).listByEndpoint(scope, endpoint.id, query);
    },

    /** Stores a user's action within the user's change; `deliver` then sends it. */
    begin: (scope: Scope, tx: Tx, command: EdrCommand, endpoint_id: string, id?: string): Promise<StartedAction> =>
      begin(scope, tx, command, endpoint_id, id === undefined ? {} : { id }),

    deliver: deliverNow,

    /** Returns the site of the endpoint, which must be in the scope. */
    async getSite(scope: Scope, tx: Tx, endpoint_id: string): Promise<string | null> {
      const endpoint = await createEndpointsStore(tx).find(scope, endpoint_id);
      if (!endpoint) throw notFound("endpoint", endpoint_id);
      return endpoint.site;
    },

    findIn: (tx: Tx, id: string): Promise<EdrActionRow | undefined> => createActionsWriter(tx).find(id),

    /** Describes the effect of an action on the endpoint with this id or name. */
    async describe(scope: Scope, name: string, command: EdrCommand): Promise<Effect> {
      requireStorable(command);
      checkEdrCommand(command);
      const endpoint = await getNamed(scope, name);
      const keptRelease = isReleaseKept(command) ? await findRelease(endpoint.id) : null;
      return buildEffect(adapter.url, command, endpoint, keptRelease);
    },

    /**
     * Runs a playbook's action on the endpoint with this id, or with this name in the scope. Idempotent: the same key
     * returns the same action in its current state.
     */
    async perform(scope: Scope, name: string, command: EdrCommand): Promise<EdrActionRow> {
      const { mode, is_internal_workflows_allowed, is_external_actions_allowed } = await runtime.truth();
      if (!is_internal_workflows_allowed) throw new Problem("forbidden", `Runtime mode '${mode}' blocks this change`);
      const known = await createActionsWriter(db).findByKey(command.key);
      if (known) return deliverNow(known);
      const as = is_external_actions_allowed ? beginning : "simulated";
      const { id } = await getNamed(scope, name);
      const { row, endpoint, isNew } = await db.transaction().execute((tx) => begin(scope, tx, command, id, { as }));
      // Nothing is sent, but the outbound log records the request.
      if (row.simulated && isNew) await adapter.order(row, endpoint, async () => false);
      return deliverNow(row);
    },

    /** Retries due actions: failed ones, accepted ones and those of a crashed process. Returns the number. */
    async retryDue(): Promise<number> {
      const due = await createActionsWriter(db).takeDue(clock.now(), BATCH_SIZE);
      await Promise.all(due.map(deliverNow));
      return due.length;
    },

    /** Deletes the oldest finished actions, up to a limit per call. */
    async forget(keep = KEPT): Promise<void> {
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
        if ((await createActionsWriter(db).deleteSettled(keep, FORGET_BATCH_SIZE)) < FORGET_BATCH_SIZE) return;
      }
    },

    /** Ends each isolation whose release time has passed once. */
    async releaseExpired(): Promise<number> {
      const over = await createActionsWriter(db).listExpired(clock.now(), BATCH_SIZE);
      for (const row of over) await release(row);
      return over.length;
    },
  };
}
