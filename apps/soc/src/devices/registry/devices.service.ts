import type { Clock } from "@kit/clock";
import { notFound } from "@kit/problem";
import type { Kysely } from "kysely";
import type { RunContext } from "../../foundation/actions/action.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { findRefusal } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { RevocationsService } from "../broker/revocations.service.ts";
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

/** What one source of data offers: the database or the showcase. */
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

/** Who revokes, and why. */
export interface Revocation {
  actor: string;
  details: object;
}

export function createDevicesService({ db, runtime, stores, revocations, audit, clock }: DevicesServiceDeps) {
  async function get(id: string): Promise<DeviceBody> {
    const device = await (await runtime.choose(stores)).devices.find(id);
    if (!device) throw notFound("device", id);
    return toDeviceBody(device, clock.now());
  }

  async function getNamed(name: string): Promise<DeviceBody> {
    const device = await (await runtime.choose(stores)).devices.findNamed(name);
    if (!device) throw notFound("device", name);
    return toDeviceBody(device, clock.now());
  }

  /** The first part of a revocation, in one transaction. From its commit on, the device gets no certificate. */
  async function beginRevocation(tx: Tx, id: string, { actor, details }: Revocation): Promise<DeviceBody> {
    const writer = createDevicesWriter(tx);
    const device = await writer.lock(id);
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
    const changed = await createDevicesStore(tx).find(device.id);
    if (!changed) throw notFound("device", id);
    return toDeviceBody(changed, clock.now());
  }

  return {
    async list(query: ListDevicesQuery): Promise<Page<DeviceBody>> {
      const now = clock.now();
      const page = await (await runtime.choose(stores)).devices.list(query, now);
      return { ...page, items: page.items.map((device) => toDeviceBody(device, now)) };
    },

    get,
    getNamed,
    beginRevocation,

    /** The second part: once the broker is seen to refuse the device, it is `revoked`. */
    async finishRevocation(id: string): Promise<DeviceBody> {
      await revocations.settleNow();
      return get(id);
    },

    /** Revokes for a step of a playbook. Idempotent by nature: a device is revoked once. */
    async revokeNamed(name: string, reason: string, { actor, playbook_id, execution_id }: RunContext) {
      const truth = await runtime.truth();
      const refusal = findRefusal("internal", false, truth);
      if (refusal) throw refusal;
      const { id, status } = await getNamed(name);
      if (!truth.is_external_actions_allowed) return { device_id: id, status, simulated: true };
      const details = { reason, playbook_id, execution_id };
      await db.transaction().execute((tx) => beginRevocation(tx, id, { actor, details }));
      await revocations.settleNow();
      return { device_id: id, status: (await get(id)).status, simulated: false };
    },

    async listAttestations(query: ListAttestationsQuery): Promise<Page<AttestationBody>> {
      return (await runtime.choose(stores)).attestations.list(query);
    },

    async listFirmware(query: ListFirmwareQuery): Promise<Page<FirmwareBody>> {
      return (await runtime.choose(stores)).firmware.list(query);
    },
  };
}
