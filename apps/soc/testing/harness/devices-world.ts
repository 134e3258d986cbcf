import { leaveSite } from "../../src/identity/users/users.feature.ts";
import "reflect-metadata";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import { createMosquitto } from "../../src/adapters/broker/mosquitto.ts";
import { type Authority, openAuthority } from "../../src/devices/certificates/authority.ts";
import { createDevices, type DevicesNeeds, hasDevices } from "../../src/devices/module.ts";
import { createOutbound } from "../../src/foundation/outbound/outbound.feature.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { createSites } from "../../src/identity/sites/sites.feature.ts";
import type { ParseResult } from "../../src/logs/intake/formats/event.ts";
import type { Origin } from "../../src/logs/intake/pipeline/chunk.ts";
import type { Pair } from "../../src/ports/broker.ts";
import { createApprovalGate } from "../../src/response/approvals/approvals.feature.ts";
import type { MosquittoServer } from "../servers/mosquitto.ts";
import { featureApp, testPlatform, withClock } from "./feature-app.ts";

const NAMES = ["localhost", "127.0.0.1"];
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const MACHINE = { deployment_mode: "one_box", hostname: "soc-1", platform: "linux" } as const;

export interface World {
  mode?: Mode;
  database?: "fresh" | "none";
  clock?: Clock;
  fourEyes?: boolean;
  mosquitto?: MosquittoServer;
  server?: DevicesNeeds["devices"]["server"];
  endorsementTrust?: DevicesNeeds["endorsementTrust"];
}

/** The events that the log intake received. */
interface ReceivedEvents {
  found: readonly ParseResult[];
  origin: Origin;
}

/** The features of devices and sites on their own database. */
export async function devicesWorld(world: World = {}) {
  const { mode = "real", database = "fresh", fourEyes = false, mosquitto, server } = world;
  const platform = await testPlatform(mode, database);
  const base = world.clock ? withClock(platform, world.clock) : platform;
  const dataFolder = await mkdtemp(join(tmpdir(), "devices-"));
  let opened: Promise<Authority> | undefined;
  const authority = () => {
    opened ??= openAuthority({ path: join(dataFolder, "devices-ca.pem"), clock: base.clock, ids: base.ids });
    return opened;
  };
  const broker =
    mosquitto &&
    (async () => {
      const { url, pidFile } = mosquitto;
      return createMosquitto({
        url,
        reload: { pidFile },
        authority: (await authority()).certificate,
        clock: platform.clock,
      });
    });
  const sites = createSites(base, { machine: MACHINE, isInUse: hasDevices, leaveSite });
  const start = { id: base.ids.next(), at: base.clock.now(), mode };
  const outbound = createOutbound(base, {
    start,
    hasDatabase: database === "fresh",
    httpAdapters: [],
    configured: [],
    mailbox: undefined,
  });
  const received: ReceivedEvents[] = [];
  const brokerFolder = mosquitto?.folder ?? join(dataFolder, "broker");
  const feature = createDevices(base, {
    ...sites.services,
    ...outbound.services,
    ...createApprovalGate(base, { fourEyes }).services,
    intake: {
      async accept(found, origin) {
        received.push({ found, origin });
        return { accepted: found.length, rejected: 0, dead_letter_ids: [], refused: [] };
      },
    },
    devices: { server, names: NAMES, brokerFolder },
    dataFolder,
    authority,
    broker,
    endorsementTrust: world.endorsementTrust ?? { roots: [], names: new Set() },
    fourEyes,
  });
  const app = await featureApp(platform, ...sites.registrations.routes, ...feature.registrations.routes);
  /** Enrols a device as an owner does, with a code and a certificate request. */
  async function enrol(name: string) {
    const payload = { name, type: "player" };
    const created = await app.inject({ method: "POST", url: "/api/v1/cps/enrolment-codes", payload });
    const { csr, key } = await makeRequest();
    const { device_id, certificate } = await feature.services.enrolment.enrol({ code: created.json().code, csr });
    return { id: device_id, cert: certificate, key };
  }
  return {
    ...{ app, platform, feature, authority, broker, outbound, dataFolder, brokerFolder, enrol, received },
    async close() {
      await app.close();
      await platform.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
export type DevicesWorld = Awaited<ReturnType<typeof devicesWorld>>;
export type EnrolledDevice = Pair & { id: string };

export function makeKey(): { spki: Uint8Array<ArrayBuffer>; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
  return { spki, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** A certificate request with a new key and a subject chosen by the sender. */
export async function makeRequest(name = "CN=any"): Promise<{ csr: string; key: string }> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pkcs8 = new Uint8Array(privateKey.export({ type: "pkcs8", format: "der" }));
  const spki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
  const keys = {
    privateKey: await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, true, ["sign"]),
    publicKey: await crypto.subtle.importKey("spki", spki, ALGORITHM, true, ["verify"]),
  };
  const csr = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: ALGORITHM });
  return { csr: csr.toString("pem"), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

const RACERS = 50;
const MAX_ATTEMPTS = 100;

/** Retries what a busy database has refused, as a device does: a refusal decides nothing. */
export async function insist<Result>(attempt: () => Promise<Result>, left = MAX_ATTEMPTS): Promise<Result> {
  return attempt().catch((error: unknown) => {
    if (left > 1 && error instanceof Problem && error.kind === "unavailable") return insist(attempt, left - 1);
    throw error;
  });
}

/** Races many requests for one code, repeatedly. Returns how many certificates each race issued. */
export async function raceForCodes({ app, feature }: DevicesWorld, races: number): Promise<number[]> {
  const counts: number[] = [];
  for (let race = 0; race < races; race += 1) {
    const payload = { name: `racer-${race}`, type: "player" };
    const created = await app.inject({ method: "POST", url: "/api/v1/cps/enrolment-codes", payload });
    const { code } = created.json();
    const { csr } = await makeRequest();
    const racers = Array.from({ length: RACERS }, () => insist(() => feature.services.enrolment.enrol({ code, csr })));
    const answers = await Promise.allSettled(racers);
    counts.push(answers.filter(({ status }) => status === "fulfilled").length);
  }
  return counts;
}
