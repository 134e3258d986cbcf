import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import { notFound } from "@kit/problem";
import type { Kysely } from "kysely";
import type { RunContext } from "../../foundation/actions/action.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Scope } from "../../foundation/caller/caller.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { findRefusal } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createCertificatesWriter } from "../certificates/certificates.store.ts";
import type { AttestationsStore } from "./attestations.store.ts";
import { isRevoked, toDeviceBody } from "./device.ts";
import type {
  AttestationBody,
  DeviceBody,
  FirmwareBody,
  ListAttestationsQuery,
  ListDevicesQuery,
  ListFirmwareQuery,
} from "./devices.schema.ts";
import { createDevicesStore, createDevicesWriter, type DevicesStore } from "./devices.store.ts";
import type { FirmwareStore } from "./firmware.store.ts";
import type { RevocationsService } from "./revocations.service.ts";

/** The operations of a data source: the database or the showcase. */
export interface DeviceSource {
  devices: DevicesStore;
  attestations: AttestationsStore;
  firmware: FirmwareStore;
}

export interface DevicesServiceDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "choose" | "truth">;
  stores: { database: DeviceSource; showcase: DeviceSource };
  revocations: Pick<RevocationsService, "settleNow">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type DevicesService = ReturnType<typeof createDevicesService>;

/** The actor and reason of a revocation. */
export interface Revocation {
  actor: string;
  details: object;
}

export function createDevicesService({ db, runtime, stores, revocations, audit, clock }: DevicesServiceDeps) {
  const outside = AsyncLocalStorage.snapshot();

  async function get(scope: Scope, id: string): Promise<DeviceBody> {
    const device = await (await runtime.choose(stores)).devices.find(scope, id);
    if (!device) throw notFound("device", id);
    return toDeviceBody(device, clock.now());
  }

  async function getNamed(scope: Scope, name: string): Promise<DeviceBody> {
    const device = await (await runtime.choose(stores)).devices.findNamed(scope, name);
    if (!device) throw notFound("device", name);
    return toDeviceBody(device, clock.now());
  }

  /** Starts a revocation in one transaction. After its commit, the device gets no certificate. */
  async function beginRevocation(
    scope: Scope,
    tx: Tx,
    id: string,
    { actor, details }: Revocation,
  ): Promise<DeviceBody> {
    const writer = createDevicesWriter(tx);
    const device = await writer.lock(scope, id);
    if (!device) throw notFound("device", id);
    if (!isRevoked(device)) {
      const now = clock.now();
      await createCertificatesWriter(tx).revokeAll(device.id, now);
      await writer.update(device.id, { status: "revoking", revoked_at: now, revoked_by: actor });
      await audit.record(tx, {
        actor,
        action: "device.revocation_begun",
        subject_type: "device",
        subject_id: device.id,
        details: { name: device.name, ...details },
      });
    }
    const changed = await createDevicesStore(tx).find(scope, device.id);
    if (!changed) throw notFound("device", id);
    return toDeviceBody(changed, clock.now());
  }

  return {
    async list(scope: Scope, query: ListDevicesQuery): Promise<Page<DeviceBody>> {
      const now = clock.now();
      const page = await (await runtime.choose(stores)).devices.list(scope, query, now);
      return { ...page, items: page.items.map((device) => toDeviceBody(device, now)) };
    },

    async findVisible(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
      return (await runtime.choose(stores)).devices.findVisible(scope, ids);
    },

    get,
    getNamed,
    beginRevocation,

    /** Finishes a revocation: after the broker verifiably refuses the device, it is `revoked`. */
    async finishRevocation(scope: Scope, id: string): Promise<DeviceBody> {
      // Runs outside of the request's scope, because it concerns the revoked devices of all sites.
      await outside(() => revocations.settleNow());
      return get(scope, id);
    },

    /** Revokes for a step of a playbook. Idempotent, because a device is revoked once. */
    async revokeNamed(name: string, reason: string, { actor, playbook_id, execution_id, scope }: RunContext) {
      const truth = await runtime.truth();
      const refusal = findRefusal("internal", false, truth);
      if (refusal) throw refusal;
      const { id, status } = await getNamed(scope, name);
      if (!truth.is_external_actions_allowed) return { device_id: id, status, simulated: true };
      const details = { reason, playbook_id, execution_id };
      await db.transaction().execute((tx) => beginRevocation(scope, tx, id, { actor, details }));
      await revocations.settleNow();
      return { device_id: id, status: (await get(scope, id)).status, simulated: false };
    },

    async listAttestations(scope: Scope, query: ListAttestationsQuery): Promise<Page<AttestationBody>> {
      return (await runtime.choose(stores)).attestations.list(scope, query);
    },

    async listFirmware(query: ListFirmwareQuery): Promise<Page<FirmwareBody>> {
      return (await runtime.choose(stores)).firmware.list(query);
    },
  };
}
