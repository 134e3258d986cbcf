import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES, type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createActionsWriter } from "./actions.store.ts";
import type { EdrStatsBody, EndpointBody, HeartbeatRequest, ListEndpointsQuery } from "./edr.schema.ts";
import type { EdrAdapter } from "./edr-adapter.ts";
import { applyHeartbeat, type EndpointRow, MAX_ENDPOINTS, placeHeartbeat, toEndpointBody } from "./endpoint.ts";
import { createEndpointsWriter, type EndpointsStore, type EndpointsWriter } from "./endpoints.store.ts";

export interface EndpointsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: EndpointsStore; showcase: EndpointsStore };
  adapters: { database: Pick<EdrAdapter, "state">; showcase: Pick<EdrAdapter, "state"> };
  /** Whether an adapter carries out isolations. If so, its report counts, not that of the endpoint. */
  hasAdapter: boolean;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type EndpointsService = ReturnType<typeof createEndpointsService>;

export function createEndpointsService(deps: EndpointsServiceDeps) {
  const { runtime, stores, adapters, hasAdapter, audit, clock } = deps;
  const outside = AsyncLocalStorage.snapshot();

  async function record(tx: Tx, actor: string, action: string, { id, hostname, reported }: EndpointRow): Promise<void> {
    const details = { hostname, reported };
    await audit.record(tx, { actor, action, subject_type: "endpoint", subject_id: id, details });
  }

  /**
   * Removes an isolation state that only the endpoint claims, because a compromised endpoint would lie. The adapter
   * settles actions; without an adapter, people do.
   */
  async function believed(tx: Tx, id: string, said: HeartbeatRequest): Promise<HeartbeatRequest> {
    if (said.isolation !== "isolated" || !hasAdapter) return said;
    if (await createActionsWriter(tx).isConfirmed(id)) return said;
    const { isolation: _, ...rest } = said;
    return rest;
  }

  /**
   * Requires a unique hostname, because a playbook could not isolate an ambiguous name. The error reveals no names of
   * other sites.
   */
  async function requireOwnName(writer: EndpointsWriter, scope: Scope, row: EndpointRow): Promise<void> {
    const other = await writer.lockName(scope, row);
    if (other === undefined) return;
    throw new Problem(
      "conflict",
      `hostname: '${row.hostname}' is the name of endpoint '${other}'; retire that endpoint first`,
    );
  }

  async function register(tx: Tx, caller: Caller, row: EndpointRow): Promise<boolean> {
    const writer = createEndpointsWriter(tx);
    const scope = toScope(caller);
    if ((await writer.count(scope)) >= MAX_ENDPOINTS) {
      throw new Problem("conflict", `the limit of ${MAX_ENDPOINTS} endpoints is reached; retire some endpoints first`);
    }
    await requireOwnName(writer, scope, row);
    if (!(await writer.insert(scope, row))) return false;
    await record(tx, caller.username, "endpoint.registered", row);
    return true;
  }

  return {
    async list(scope: Scope, query: ListEndpointsQuery): Promise<Page<EndpointBody>> {
      requireStorable(query);
      const now = clock.now();
      const page = await (await runtime.choose(stores)).list(scope, query, now);
      return { ...page, items: page.items.map((row) => toEndpointBody(row, now)) };
    },

    async get(scope: Scope, id: string): Promise<EndpointBody> {
      const row = await (await runtime.choose(stores)).find(scope, id);
      if (!row) throw notFound("endpoint", id);
      return toEndpointBody(row, clock.now());
    },

    async findVisible(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
      return (await runtime.choose(stores)).findVisible(scope, ids);
    },

    async stats(scope: Scope): Promise<EdrStatsBody> {
      const counts = await (await runtime.choose(stores)).counts(scope, clock.now());
      const adapter = await runtime.choose(adapters);
      // The circuit breaker belongs to no site.
      return { ...counts, adapter: await outside(() => adapter.state()) };
    },

    /**
     * Records a heartbeat; the first one registers the endpoint. Only changes are audited, because heartbeats are too
     * frequent.
     */
    async recordHeartbeat(
      tx: Tx,
      caller: Caller,
      id: string,
      request: HeartbeatRequest,
    ): Promise<{ endpoint: EndpointBody; isNew: boolean }> {
      const writer = createEndpointsWriter(tx);
      requireStorable(request);
      if (!isUuid(id)) throw invalidField("id", "must be a UUID");
      const now = clock.now();
      const scope = toScope(caller);
      const known = await writer.lock(scope, id);
      const said = await believed(tx, id, placeHeartbeat(scope, known, request));
      const row = applyHeartbeat(id, known, said, now);
      if (!known && (await register(tx, caller, row))) return { endpoint: toEndpointBody(row, now), isNew: true };
      const before = known ?? (await writer.lock(scope, id));
      if (!before && scope !== ALL_SITES) throw notFound("endpoint", id);
      const after = applyHeartbeat(id, before, said, now);
      if (after.hostname.toLowerCase() !== before?.hostname.toLowerCase()) await requireOwnName(writer, scope, after);
      const { registered_at: _, desired: __, ...fields } = after;
      await writer.update(id, fields);
      if (after.reported !== before?.reported) await record(tx, caller.username, "endpoint.reported", after);
      return { endpoint: toEndpointBody(after, now), isNew: false };
    },

    /** Removes an endpoint from lists and names; its actions stay. Its next heartbeat registers it again. */
    async retire(tx: Tx, caller: Caller, id: string): Promise<{ deleted: boolean; id: string }> {
      const writer = createEndpointsWriter(tx);
      const row = await writer.lock(toScope(caller), id);
      if (!row) throw notFound("endpoint", id);
      if (await createActionsWriter(tx).isBusy(row.id)) {
        throw new Problem("conflict", `endpoint '${id}' is isolated or has an action in flight, which must end first`);
      }
      await writer.update(row.id, { retired_at: clock.now() });
      await record(tx, caller.username, "endpoint.retired", row);
      return { deleted: true, id: row.id };
    },
  };
}
