import { request } from "node:https";
import { json } from "node:stream/consumers";
import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { freePort } from "@kit/testing/process";
import type { SentRequest } from "../../src/devices/attestation/attestation-requests.ts";
import type { EndorsementTrust } from "../../src/devices/attestation/endorsement.ts";
import type { FirmwareRow } from "../../src/devices/registry/device.ts";
import { createDevicesWriter } from "../../src/devices/registry/devices.store.ts";
import { createFirmwareWriter } from "../../src/devices/registry/firmware.store.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { COMPONENTS, GOOD_HASH } from "../fixtures/measured-answer.ts";
import { createAttestationParts } from "./attestation-parts.ts";
import { devicesWorld, type EnrolledDevice, makeRequest } from "./devices-world.ts";
import { featureApp, withClock } from "./feature-app.ts";

export interface AttestationOptions {
  mode?: Mode;
  endorsementTrust?: EndorsementTrust;
  clock?: FakeClock;
}

/** Attestation with its dependencies on its own database: devices, their server, alerts, cases and the ledger. */
export async function attestationWorld({ mode = "real", endorsementTrust, clock }: AttestationOptions = {}) {
  // OpenSSL checks certificates against the real time.
  const time = clock ?? createFakeClock(new Date(Date.now() - 1000));
  const server = { host: "127.0.0.1", port: await freePort() };
  const trust = endorsementTrust ? { endorsementTrust } : {};
  const world = await devicesWorld({ mode, clock: time, server, ...trust });
  const base = withClock(world.platform, time);
  const { ledger, feature } = createAttestationParts(base, world);
  const app = await featureApp(
    world.platform,
    ...feature.registrations.routes,
    ...ledger.registrations.routes,
    ...world.feature.registrations.routes,
  );

  return {
    ...{ clock: time, world, feature, ledger, app, db: base.db, requests: feature.services.attestation.requests },
    enrol: world.enrol,
    enrolAgain: async (device_id: string): Promise<EnrolledDevice> => {
      const payload = { device_id };
      const created = await app.inject({ method: "POST", url: "/api/v1/cps/enrolment-codes", payload });
      const { csr, key } = await makeRequest();
      const { certificate } = await world.feature.services.enrolment.enrol({ code: created.json().code, csr });
      return { id: device_id, cert: certificate, key };
    },
    /** Adds a device record without a certificate. */
    addDevice: async (name: string): Promise<string> => {
      const [id, now] = [base.ids.next(), time.now()];
      await createDevicesWriter(base.db).insert({
        ...{ id, name, type: "player", site: null, status: "active", enrolled_at: now, last_seen: now },
        ...{ firmware_version: null, firmware_hash: null, verdict: null, attested_at: null },
        ...{ revoked_at: null, revoked_by: null },
      });
      return id;
    },
    /** Signs a checkpoint over all entries of the ledger. */
    sign: () => ledger.registrations.completeDemo(),
    addFirmware: (row: Partial<FirmwareRow> = {}) =>
      createFirmwareWriter(base.db).insert({
        ...{ id: base.ids.next(), vendor: "Manara", product: "Player", version: "2.4.1", hash: GOOD_HASH },
        ...{ pcrs: {}, sbom_components: COMPONENTS, known_good: true, created_at: time.now() },
        ...row,
      }),
    ask: async (device_id: string): Promise<SentRequest> => {
      const asked = await app.inject({ method: "POST", url: `/api/v1/cps/devices/${device_id}/attest` });
      const { request_id } = asked.json();
      const { nonce, deadline } = await base.db
        .selectFrom("attestation_requests")
        .select(["nonce", "deadline"])
        .where("id", "=", request_id)
        .executeTakeFirstOrThrow();
      return { request_id, device_id, nonce, deadline, pcrs: [] };
    },
    listAttestations: async (device_id: string) => {
      const listed = await app.inject({ url: `/api/v1/cps/attestations?device_id=${device_id}` });
      return listed.json().items;
    },
    /** Sends to the device server with the device's certificate. */
    send: async (device: EnrolledDevice, path: string, body: object) => {
      const { certificate: ca } = await world.authority();
      const sent = request({
        ...{ ...server, path, method: "POST", ca, cert: device.cert, key: device.key, servername: "localhost" },
        headers: { "content-type": "application/json" },
      });
      sent.end(JSON.stringify(body));
      return new Promise<{ status: number | undefined; body: Record<string, string> }>((resolve, reject) => {
        sent.once("error", reject);
        sent.once("response", (response) => {
          json(response).then((answered) => resolve({ status: response.statusCode, body: Object(answered) }), reject);
        });
      });
    },
    startServer: async () => {
      for (const background of world.feature.registrations.serving) await background.start();
    },
    close: async () => {
      for (const background of world.feature.registrations.serving) await background.close();
      await app.close();
      await world.close();
    },
  };
}
export type AttestationWorld = Awaited<ReturnType<typeof attestationWorld>>;
