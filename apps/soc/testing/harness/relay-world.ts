import { readFile } from "node:fs/promises";
import type { Clock } from "@kit/clock";
import { sql } from "kysely";
import { createCertificatesWriter } from "../../src/devices/certificates/certificates.store.ts";
import { createDevicesWriter } from "../../src/devices/registry/devices.store.ts";
import { createFirmwareWriter } from "../../src/devices/registry/firmware.store.ts";
import { createRelay } from "../../src/devices/relay/relay.feature.ts";
import type { Background } from "../../src/foundation/base.ts";
import type { Tx } from "../../src/foundation/database/tables.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { COMPONENTS, GOOD_HASH } from "../fixtures/measured-answer.ts";
import type { Behaviour, FleetDevice } from "../fixtures/simulated-device.ts";
import { type MosquittoServer, prepareMosquitto } from "../servers/mosquitto.ts";
import { createAttestationParts } from "./attestation-parts.ts";
import { devicesWorld, insist, makeKey } from "./devices-world.ts";
import { featureApp, withClock } from "./feature-app.ts";

const MAX_ATTEMPTS = 10;

export interface RelayOptions {
  mode?: Mode;
  clock?: Clock;
  /** For thousands of devices: the broker logs few lines. */
  isQuiet?: boolean;
}

const CONCURRENCY = 8;

/** Attestation and relays on their own running broker. */
export async function relayWorld({ mode = "real", clock, isQuiet = false }: RelayOptions = {}) {
  const mosquitto = await prepareMosquitto({ isQuiet });
  const world = await devicesWorld({ mode, mosquitto, ...(clock && { clock }) });
  const base = clock ? withClock(world.platform, clock) : world.platform;
  const { db } = base;
  const { feature } = createAttestationParts(base, world);
  const app = await featureApp(world.platform, ...feature.registrations.routes, ...world.feature.registrations.routes);
  const running: Background[] = [];
  // Writes the files of the broker. Reloading it fails because it does not run yet.
  await world.feature.services.revocations.refresh(0).catch(() => undefined);
  await mosquitto.start();
  const now = base.clock.now();
  await createFirmwareWriter(db).insert({
    ...{ id: base.ids.next(), vendor: "Manara", product: "Player", version: "2.4.1", hash: GOOD_HASH },
    ...{ pcrs: {}, sbom_components: COMPONENTS, known_good: true, created_at: now },
  });

  async function addDevice(behaviour: Behaviour): Promise<FleetDevice> {
    const id = base.ids.next();
    const { spki, key } = makeKey();
    const { pem, ...certificate } = await (await world.authority()).issueForDevice(id, spki);
    const insert = async (tx: Tx) => {
      await createDevicesWriter(tx).insert({
        ...{ id, name: `device-${id}`, type: "player", site: null, status: "active", enrolled_at: now, last_seen: now },
        ...{ firmware_version: null, firmware_hash: null, verdict: null, attested_at: null },
        ...{ revoked_at: null, revoked_by: null },
      });
      const { serial, fingerprint, not_after } = certificate;
      const row = { serial, fingerprint, not_after, device_id: id, key_hash: fingerprint };
      await createCertificatesWriter(tx).insert({ ...row, issued_at: now, revoked_at: null, is_listed: false });
    };
    await insist(() => db.transaction().execute(insert));
    return { id, cert: pem, key, behaviour };
  }

  return {
    ...{ world, mosquitto, base, db, app, attestation: feature.services.attestation },

    /** Adds devices with certificates, without the enrolment. */
    addFleet: async (behaviours: readonly Behaviour[]): Promise<FleetDevice[]> => {
      const fleet: FleetDevice[] = [];
      for (let first = 0; first < behaviours.length; first += CONCURRENCY) {
        fleet.push(...(await Promise.all(behaviours.slice(first, first + CONCURRENCY).map(addDevice))));
      }
      return fleet;
    },

    /** The data that a device needs to reach the broker. */
    brokerAddress: async () => ({ host: "127.0.0.1", port: mosquitto.port, ca: (await world.authority()).certificate }),

    /** A busy database may refuse a request for a moment; it is retried, as an operator would do. */
    ask: async (device_id: string): Promise<string> => {
      for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
        const asked = await app.inject({ method: "POST", url: `/api/v1/cps/devices/${device_id}/attest` });
        if (asked.statusCode === 201) return asked.json().request_id;
      }
      throw new Error(`device ${device_id} cannot be asked`);
    },

    /** Starts the background work of the features in a relay. */
    startRelay: async (): Promise<Background> => {
      const relay = createRelay(base, { ...world, ...world.outbound.services, ...feature.services });
      const [started] = relay.registrations.createRelaying();
      if (!started) throw new Error("there is no relay");
      running.push(started);
      await started.start();
      return started;
    },

    startAttestation: async (): Promise<Background> => {
      const [started] = feature.registrations.createWork().background();
      if (!started) throw new Error("there is no worker");
      running.push(started);
      await started.start();
      return started;
    },

    listRequests: () => db.selectFrom("attestation_requests").selectAll().orderBy("id").execute(),

    countVerdicts: async (): Promise<Record<string, number>> => {
      const { rows } = await sql<{ verdict: string; count: number }>`
        SELECT verdict, count(*)::int AS count FROM attestations GROUP BY verdict`.execute(db);
      return Object.fromEntries(rows.map(({ verdict, count }) => [verdict, count]));
    },

    brokerMemoryBytes: () => readMemory(mosquitto),

    close: async () => {
      for (const background of running) await background.close();
      await app.close();
      await world.close();
      await mosquitto.remove();
    },
  };
}
export type RelayWorld = Awaited<ReturnType<typeof relayWorld>>;

async function readMemory({ pidFile }: MosquittoServer): Promise<number> {
  const pid = (await readFile(pidFile, "utf8")).trim();
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
