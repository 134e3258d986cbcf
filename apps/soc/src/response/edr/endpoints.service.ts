import type { Clock } from "@kit/clock";
import { invalidField, notFound } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createActionsWriter } from "./actions.store.ts";
import type { EdrStatsBody, EndpointBody, HeartbeatRequest, ListEndpointsQuery } from "./edr.schema.ts";
import type { EdrAdapter } from "./edr-adapter.ts";
import { applyHeartbeat, type EndpointRow, toEndpointBody } from "./endpoint.ts";
import { createEndpointsWriter, type EndpointsStore } from "./endpoints.store.ts";

export interface EndpointsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: EndpointsStore; showcase: EndpointsStore };
  adapters: { database: Pick<EdrAdapter, "state">; showcase: Pick<EdrAdapter, "state"> };
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type EndpointsService = ReturnType<typeof createEndpointsService>;

export function createEndpointsService({ runtime, stores, adapters, audit, clock }: EndpointsServiceDeps) {
  async function record(tx: Tx, actor: string, action: string, { id, hostname, reported }: EndpointRow): Promise<void> {
    const details = { hostname, reported };
    await audit.record(tx, { actor, action, subject_type: "endpoint", subject_id: id, details });
  }

  /** Completes the actions whose target state the endpoint reports. */
  async function confirm(tx: Tx, caller: Caller, row: EndpointRow): Promise<void> {
    if (row.reported === "unknown") return;
    const action = row.reported === "isolated" ? "isolate" : "unisolate";
    await createActionsWriter(tx).confirmReported(row.id, action, row.last_seen);
    await record(tx, caller.username, "endpoint.reported", row);
  }

  return {
    async list(query: ListEndpointsQuery): Promise<Page<EndpointBody>> {
      requireStorable(query);
      const now = clock.now();
      const page = await (await runtime.choose(stores)).list(query, now);
      return { ...page, items: page.items.map((row) => toEndpointBody(row, now)) };
    },

    async get(id: string): Promise<EndpointBody> {
      const row = await (await runtime.choose(stores)).find(id);
      if (!row) throw notFound("endpoint", id);
      return toEndpointBody(row, clock.now());
    },

    async stats(): Promise<EdrStatsBody> {
      const counts = await (await runtime.choose(stores)).counts(clock.now());
      return { ...counts, adapter: await (await runtime.choose(adapters)).state() };
    },

    /** The first heartbeat registers the endpoint. Only changes are audited, because heartbeats are too many. */
    async recordHeartbeat(
      tx: Tx,
      caller: Caller,
      id: string,
      said: HeartbeatRequest,
    ): Promise<{ endpoint: EndpointBody; isNew: boolean }> {
      const writer = createEndpointsWriter(tx);
      requireStorable(said);
      if (!isUuid(id)) throw invalidField("id", "must be a UUID");
      const now = clock.now();
      const known = await writer.lock(id);
      const row = applyHeartbeat(id, known, said, now);
      if (!known && (await writer.insert(row))) {
        await record(tx, caller.username, "endpoint.registered", row);
        return { endpoint: toEndpointBody(row, now), isNew: true };
      }
      const before = known ?? (await writer.lock(id));
      const after = applyHeartbeat(id, before, said, now);
      const { registered_at: _, desired: __, ...fields } = after;
      await writer.update(id, fields);
      if (said.isolation !== undefined && after.reported !== before?.reported) await confirm(tx, caller, after);
      return { endpoint: toEndpointBody(after, now), isNew: false };
    },
  };
}
