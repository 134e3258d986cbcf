import type { Background, Base, Count, Registrations } from "../foundation/base.ts";
import { type Scope, toScope } from "../foundation/caller/caller.ts";
import type { Tx } from "../foundation/database/tables.ts";
import type { Routes } from "../foundation/runtime/operation.ts";
import { createSiteFinder } from "../foundation/search/finder.ts";
import type { Showcase } from "../foundation/showcase/showcase.ts";
import type { SitesService } from "../identity/module.ts";
import type { Broker } from "../ports/broker.ts";
import { attestationKeyRoutes } from "./attestation/attestation.routes.ts";
import { createAttestationKeysService } from "./attestation/attestation-keys.service.ts";
import type { EndorsementTrust } from "./attestation/endorsement.ts";
import { createBrokerFiles } from "./broker/broker-files.ts";
import type { Authority } from "./certificates/authority.ts";
import { createCertificatesStore, createCertificatesWriter } from "./certificates/certificates.store.ts";
import { createDeviceIdentity } from "./certificates/device-identity.ts";
import { createDeviceServer } from "./certificates/device-server.ts";
import { findListAlarm } from "./certificates/list-alarm.ts";
import { deviceRoutes, enrolmentCodesRoutes } from "./enrolment/enrolment.routes.ts";
import { createEnrolmentService } from "./enrolment/enrolment.service.ts";
import { createEnrolmentWriter } from "./enrolment/enrolment.store.ts";
import { deviceEventsRoutes } from "./events/device-events.routes.ts";
import { createDeviceEventsService, type DeviceEventsDeps } from "./events/device-events.service.ts";
import { createAttestationsStore, createAttestationsWriter } from "./registry/attestations.store.ts";
import { createBrokerWorker } from "./registry/broker.worker.ts";
import { createDeviceAction } from "./registry/devices.actions.ts";
import { devicesRoutes } from "./registry/devices.routes.ts";
import { createDevicesService } from "./registry/devices.service.ts";
import { countShown, createShowcaseDevices } from "./registry/devices.showcase.ts";
import { createDevicesStore, createDevicesWriter, type DeviceCounts } from "./registry/devices.store.ts";
import { createFirmwareStore, createFirmwareWriter } from "./registry/firmware.store.ts";
import { findRevocationAlarm } from "./registry/revocation-alarm.ts";
import {
  createRevocationCommandsService,
  type RevocationCommandsDeps,
} from "./registry/revocation-commands.service.ts";
import { createRevocationsService, type RevocationsServiceDeps } from "./registry/revocations.service.ts";

export { createAttestation } from "./attestation/attestation.feature.ts";
export type { EndorsementTrust } from "./attestation/endorsement.ts";
export type { Authority, AuthorityDeps } from "./certificates/authority.ts";
export { createCorrelations } from "./correlations/correlations.feature.ts";
export type { DevicesService } from "./registry/devices.service.ts";
export { createRelay } from "./relay/relay.feature.ts";

export interface DeviceSettings {
  /** The address where devices enrol and renew; undefined if this process has no such server. */
  server: { host: string; port: number } | undefined;
  /** The names at which devices reach that server and the broker. */
  names: readonly string[];
  /** The folder of the broker's files. */
  brokerFolder: string;
}

/** Loaded lazily, because a platform without an authority does not need the certificate library. */
export const loadCertificates = () => import("./certificates/authority.ts");

export interface DevicesNeeds {
  devices: DeviceSettings;
  dataFolder: string;
  /** Both are opened on first use, because most processes never use them. */
  authority: () => Promise<Authority>;
  broker: (() => Promise<Broker>) | undefined;
  endorsementTrust: EndorsementTrust;
  sites: Pick<SitesService, "keep">;
  intake: DeviceEventsDeps["intake"];
  sendRecorded: RevocationsServiceDeps["sendRecorded"];
  gate: RevocationCommandsDeps["gate"];
  fourEyes: boolean;
}

const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 7 * DAY_MS;
const ATTESTATIONS_KEPT_MS = 365 * DAY_MS;
const SWEEP_BATCH_SIZE = 1000;

const COUNT: Count<DeviceCounts> = {
  stored: (tx) => createDevicesStore(tx).counts(),
  shown: ({ cps }) => countShown(cps),
};

/**
 * Reports whether a site has devices. Sites call this and devices need the sites, so it depends only on the
 * transaction.
 */
export async function hasDevices(tx: Tx, site: string): Promise<boolean> {
  return createDevicesWriter(tx).isAtSite(site);
}

export function createDevices(base: Base, needs: DevicesNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const { devices: settings, authority, broker, sites, dataFolder } = needs;
  const files = createBrokerFiles(settings.brokerFolder);
  const shared = { db, runtime, authority, audit, clock, ids };
  const revocations = createRevocationsService({ ...shared, ...needs, names: settings.names, files, broker, log });
  const enrolment = createEnrolmentService({ ...shared, broker, sites });
  const stores = base.sources(
    (source) => ({
      devices: createDevicesStore(source),
      attestations: createAttestationsStore(source),
      firmware: createFirmwareStore(source),
    }),
    ({ cps }) => createShowcaseDevices(cps),
  );
  const devices = createDevicesService({ db, runtime, stores, revocations, audit, clock });
  const commands = createRevocationCommandsService({ ...needs, changes, devices, ids });
  const identity = createDeviceIdentity({ db, runtime, clock });
  const keys = createAttestationKeysService({ db, identity, trust: needs.endorsementTrust, audit, clock, ids });
  const events = createDeviceEventsService({ db, identity, intake: needs.intake });
  const { server: address, names } = settings;
  const called: Routes = async (app) => {
    await app.register(deviceRoutes(enrolment));
    await app.register(attestationKeyRoutes(keys));
    await app.register(deviceEventsRoutes(events));
  };
  const serving: Background[] = address
    ? [createDeviceServer({ address, names, dataFolder, authority, routes: called, clock, ids, log })]
    : [];
  const before = (keptMs = KEPT_MS) => new Date(clock.now().getTime() - keptMs);
  return {
    services: {
      devices,
      enrolment,
      revocations,
      count: COUNT,
      /** Reports whether a revocation or the revocation list waits so long that a person must act. */
      health: async (): Promise<{ alarm: string | null }> => {
        const store = createCertificatesStore(db);
        const isUsed = broker !== undefined || (await store.hasAny());
        if (!isUsed) return { alarm: null };
        const [oldest] = await createDevicesWriter(db).listRevoking(1);
        const now = clock.now();
        return { alarm: findRevocationAlarm(oldest, now) ?? findListAlarm(await store.readList(), now) };
      },
    },
    registrations: {
      routes: [devicesRoutes(devices, commands), enrolmentCodesRoutes(enrolment, changes)],
      actions: [createDeviceAction(devices)],
      readers: { device: ["cps:read"] as const },
      sights: { device: { filter: (scope: Scope, ids: readonly string[]) => devices.findVisible(scope, ids) } },
      finders: [
        createSiteFinder("device", ["cps:read"], async (caller, q, limit) => {
          const { items } = await devices.list(toScope(caller), { q, limit });
          return items.map(({ id, name: title, type, last_seen: at }) => ({ id, title, subtitle: type, at }));
        }),
      ],
      async storeDemo(tx: Tx, { cps }: Showcase): Promise<void> {
        for (const row of cps.firmware) await createFirmwareWriter(tx).insert(row);
        for (const { certificate: _, is_firmware_known: __, ...device } of cps.devices) {
          await createDevicesWriter(tx).insert(device);
        }
        for (const attestation of cps.attestations) await createAttestationsWriter(tx).insert(attestation);
      },
      sweeps: [
        {
          name: "device certificates",
          run: () => createCertificatesWriter(db).deleteExpired(before(), SWEEP_BATCH_SIZE),
        },
        {
          name: "attestations",
          run: () => createAttestationsWriter(db).deleteOld(before(ATTESTATIONS_KEPT_MS), SWEEP_BATCH_SIZE),
        },
        { name: "enrolment codes", run: () => createEnrolmentWriter(db).deleteExpired(before(), SWEEP_BATCH_SIZE) },
      ],
      serving,
      createRelaying: () => [createBrokerWorker({ runtime, revocations, clock, log })],
    } satisfies Registrations,
  };
}
