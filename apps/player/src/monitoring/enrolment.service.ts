import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import { readIfExists, writeDurably } from "../storage/durable-file.ts";
import { asStorageProblem } from "../storage/sqlite-errors.ts";
import type { TimeService } from "../time/time.service.ts";
import { createDeviceKey, isIssuedFor } from "./device-key.ts";
import type { EnrolmentStore } from "./enrolment.store.ts";
import { type Enrolment, type Identity, isExpired } from "./enrolment.ts";
import type { EnrolRequest } from "./monitoring.schema.ts";
import { type PlatformAddress, parseAddress, parseFingerprint } from "./platform-address.ts";
import type { PlatformAnswer } from "./platform-client.ts";
import { describeAnswer, isRefusal, isSuccess, type PlatformExchange, parseIssued } from "./platform-exchange.ts";
import type { Troubles } from "./troubles.ts";

export interface EnrolmentServiceDeps {
  store: EnrolmentStore;
  exchange: PlatformExchange;
  /** Holds the private key, and nothing else. */
  folder: string;
  time: Pick<TimeService, "now" | "isValid">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "info" | "warn">;
  troubles: Pick<Troubles, "set" | "clear">;
}
export type EnrolmentService = ReturnType<typeof createEnrolmentService>;

const NO_KEY = "key: the private key of this device is missing or broken; enrol it again by a new code";
const SHOWN_CODE = "(a one-time code, not kept)";

/** Who this device is for the platform: the row, the private key, and the two ways to a certificate. */
export function createEnrolmentService(deps: EnrolmentServiceDeps) {
  const { store, exchange, folder, time, ids, log, troubles } = deps;
  let enrolment = store.find();
  let key: string | undefined;
  let isEnrolling = false;
  let removals = 0;
  const nowS = () => Math.floor(time.now() / 1000);
  const toPath = (name: string) => join(folder, `${name}.pem`);

  async function removeOtherKeys(kept: string): Promise<void> {
    const names = await readdir(folder);
    for (const name of names.filter((each) => each !== `${kept}.pem`)) await rm(join(folder, name), { force: true });
  }

  /** No effect if the device was enrolled again or removed in the meantime. A storage error is reported. */
  function update(known: Enrolment, changes: Partial<Enrolment>): void {
    if (enrolment?.key_name !== known.key_name) return;
    enrolment = { ...enrolment, ...changes };
    try {
      store.save(enrolment);
      troubles.clear("storage");
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      troubles.set("storage", error.message);
    }
  }

  function readIssued(answer: PlatformAnswer, { privateKey, authority }: { privateKey: string; authority: string }) {
    const { device_id, certificate, endsAtS, broker } = parseIssued(answer);
    if (!isIssuedFor(privateKey, certificate, authority)) {
      throw new Problem("unavailable", "address: the platform sent a certificate that is not for this device");
    }
    return { device_id, certificate, issued_at: nowS(), not_after: endsAtS, broker: broker ?? null, is_refused: false };
  }

  async function requestCertificate(privateKey: string): Promise<string> {
    // The library is loaded when it is needed.
    const { createCertificateRequest } = await import("./certificate-request.ts");
    return createCertificateRequest(privateKey);
  }

  async function sendCode(address: PlatformAddress, { code, authority_fingerprint }: EnrolRequest): Promise<void> {
    const before = removals;
    const isWanted = () => removals === before;
    const authority = await exchange.findAuthority(address, parseFingerprint(authority_fingerprint));
    const privateKey = await createDeviceKey();
    const key_name = ids.next();
    // Before the code is used: a storage error must not use it up.
    await writeDurably(toPath(key_name), privateKey);
    try {
      const csr = await requestCertificate(privateKey);
      const request = { address, authority, path: "/enrol", body: JSON.stringify({ code, csr }) };
      const shown = JSON.stringify({ code: SHOWN_CODE, csr });
      const answer = await exchange.send({ kind: "enrolment", ...request, isWanted, shown });
      if (!isWanted()) throw invalidField("monitoring", "was removed meanwhile");
      if (!isSuccess(answer)) throw invalidField("code", describeAnswer(answer));
      const issued = readIssued(answer, { privateKey, authority });
      const enrolled = { ...issued, address: address.text, authority, key_name, attested_at: null };
      store.save(enrolled);
      enrolment = enrolled;
    } catch (error) {
      await rm(toPath(key_name), { force: true });
      throw error;
    }
    key = privateKey;
    await removeOtherKeys(key_name).catch((error: unknown) => log.warn({ err: error }, "removing former keys failed"));
  }

  /** Undefined unless the device can currently prove its identity. */
  function identity(): Identity | undefined {
    if (!enrolment || key === undefined || enrolment.is_refused || isExpired(enrolment, nowS())) return undefined;
    return { enrolment, key };
  }

  function removeKeys(): void {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      throw asStorageProblem(error);
    }
  }

  function forget(): void {
    removals += 1;
    enrolment = undefined;
    key = undefined;
    removeKeys();
  }

  return {
    identity,
    current: (): Enrolment | undefined => enrolment,
    isEnrolling: (): boolean => isEnrolling,
    isExpired: (): boolean => enrolment !== undefined && (key === undefined || isExpired(enrolment, nowS())),

    /** Reads the private key. Without it, the enrolment is unusable. */
    async open(): Promise<void> {
      if (!enrolment) {
        await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
          log.warn({ err: error }, "removing former keys failed");
        });
        return;
      }
      const { certificate, authority, key_name } = enrolment;
      const stored = await readIfExists(toPath(key_name)).catch((error: unknown) => {
        log.warn({ err: error }, "reading the enrolment key failed");
        return undefined;
      });
      if (stored !== undefined && isIssuedFor(stored, certificate, authority)) key = stored;
      else troubles.set("key", NO_KEY);
    },

    /** For the caller every failure is a wrong field. */
    async enrol(request: EnrolRequest): Promise<void> {
      if (isEnrolling) throw invalidField("monitoring", "an enrolment is in progress already");
      if (identity()) throw invalidField("monitoring", "is on already; remove it first");
      const address = parseAddress(request.address);
      parseFingerprint(request.authority_fingerprint);
      if (!time.isValid()) throw invalidField("clock", "must be set first: certificates are valid for a time");
      isEnrolling = true;
      try {
        await sendCode(address, request);
        troubles.clear("key");
        log.info({ address: address.text }, "enrolled at a security platform");
      } catch (error) {
        throw asRefusal(error);
      } finally {
        isEnrolling = false;
      }
    },

    /** Renews the certificate using the current one. Returns false when the platform refuses the device. */
    async renew(): Promise<boolean> {
      const known = enrolment;
      if (!known || key === undefined) return true;
      const privateKey = key;
      const { authority, certificate } = known;
      const body = JSON.stringify({ csr: await requestCertificate(privateKey) });
      const pair = { certificate, key: privateKey };
      const address = parseAddress(known.address);
      const isWanted = () => enrolment?.key_name === known.key_name;
      const request = { address, authority, path: "/renew", body, pair, isWanted };
      const answer = await exchange.send({ kind: "renewal", ...request });
      if (isRefusal(answer)) {
        update(known, { is_refused: true });
        return false;
      }
      if (!isSuccess(answer)) throw new Problem("unavailable", `address: ${describeAnswer(answer)}`);
      const issued = readIssued(answer, { privateKey, authority });
      if (issued.device_id !== known.device_id)
        throw new Problem("unavailable", "address: the platform changed the name");
      update(known, issued);
      return true;
    },

    markRefused(): void {
      if (enrolment) update(enrolment, { is_refused: true });
    },

    markAttested(): void {
      if (enrolment) update(enrolment, { attested_at: nowS() });
    },

    /** Removes everything that belongs to the enrolment. */
    remove(): void {
      store.clear();
      forget();
    },

    /** The same for tables that are already empty. */
    forget,
  };
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof Problem) || error.kind !== "unavailable") return error;
  return new Problem("invalid", error.message, { field: error.field, code: error.code, cause: error });
}
