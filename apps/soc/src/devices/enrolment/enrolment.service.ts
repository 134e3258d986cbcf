import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem, rateLimited } from "@kit/problem";
import { type Kysely, sql } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES, type Caller } from "../../foundation/caller/caller.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { findRefusal } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SitesService } from "../../identity/module.ts";
import type { Broker } from "../../ports/broker.ts";
import { createAttestedDevicesWriter } from "../attestation/attested-devices.store.ts";
import type { Authority } from "../certificates/authority.ts";
import type { RequestedKey } from "../certificates/certificate-request.ts";
import {
  type CertificateRow,
  createCertificatesStore,
  createCertificatesWriter,
} from "../certificates/certificates.store.ts";
import { refuseCertificate } from "../certificates/client-certificate.ts";
import { type DeviceRow, isRevoked } from "../registry/device.ts";
import { createDevicesStore, createDevicesWriter } from "../registry/devices.store.ts";
import type { CreateCodeRequest, EnrolRequest, IssuedBody, NewCodeBody } from "./enrolment.schema.ts";
import { createEnrolmentWriter, type EnrolmentCodeRow, type EnrolmentWriter } from "./enrolment.store.ts";
import { CODE_BYTES, CODE_MS, formatCode, hashCode } from "./enrolment-code.ts";

export interface EnrolmentServiceDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  /** Opened on first use. */
  authority: () => Promise<Authority>;
  /** Undefined if no broker is configured. */
  broker: (() => Promise<Pick<Broker, "host">>) | undefined;
  sites: Pick<SitesService, "keep">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Ids;
}
export type EnrolmentService = ReturnType<typeof createEnrolmentService>;

/** The device that a code is for. */
type Subject = Pick<EnrolmentCodeRow, "device_id" | "name" | "type" | "site">;

const MAX_OPEN_CODES = 1000;
/** A device that repeatedly loses its new certificates still gets one, but cannot fill the revocation list. */
const MAX_VALID_CERTIFICATES = 10;
const RETRY_MS = 60 * 60_000;
/** Separates the locks of keys from other advisory locks. */
const KEY_LOCKS = 7_305_149;

/** Manages codes, enrolment and renewal, the only ways to get a device certificate. */
export function createEnrolmentService(deps: EnrolmentServiceDeps) {
  const { db, runtime, authority, broker, sites, audit, clock, ids } = deps;

  /** Devices have no caller, so their reports are internal records in every mode. */
  async function requireAllowed(): Promise<void> {
    const refusal = findRefusal("internal", false, await runtime.truth());
    if (refusal) throw refusal;
  }

  async function issue(tx: Tx, device_id: string, { publicKey, key_hash }: RequestedKey): Promise<IssuedBody> {
    await sql`SELECT pg_advisory_xact_lock(${KEY_LOCKS}, hashtext(${key_hash}))`.execute(tx);
    if (await createCertificatesStore(tx).isKeyTaken(key_hash, device_id)) {
      throw new Problem("conflict", "csr: its key belongs to another device");
    }
    const { certificate: trusted, issueForDevice } = await authority();
    const { pem, serial, fingerprint, not_after } = await issueForDevice(device_id, publicKey);
    const known = { serial, fingerprint, not_after, device_id, key_hash };
    await createCertificatesWriter(tx).insert({ ...known, issued_at: clock.now(), revoked_at: null, is_listed: false });
    const address = broker ? `mqtts://${(await broker()).host}` : null;
    return { device_id, certificate: pem, authority: trusted, not_after, broker: address };
  }

  /** Registers a new device, or replaces the certificates of a known one. */
  async function admit(tx: Tx, { device_id, name, type, site }: EnrolmentCodeRow): Promise<DeviceRow> {
    const now = clock.now();
    const writer = createDevicesWriter(tx);
    if (device_id !== null) {
      const known = await writer.lock(ALL_SITES, device_id);
      if (!known || isRevoked(known)) throw new Problem("conflict", "code: its device has been revoked");
      await createCertificatesWriter(tx).revokeAll(device_id, now);
      await createAttestedDevicesWriter(tx).forget(device_id);
      await writer.update(device_id, { last_seen: now });
      return known;
    }
    if (site !== null) await sites.keep(tx, site);
    const device = buildDevice(ids.next(), { name, type, site }, now);
    if (!(await writer.insert(device))) throw new Problem("conflict", `name: device '${name}' is already enrolled`);
    return device;
  }

  async function takeCode(codes: EnrolmentWriter, code_hash: string): Promise<EnrolmentCodeRow> {
    const now = clock.now();
    const used = await codes.use(code_hash, now);
    if (used) return used;
    // The other request may still fail, which makes the code usable again.
    if (await codes.isOpen(code_hash, now)) {
      throw new Problem("conflict", "code: another request is using it", { field: "code" });
    }
    throw refuseCode();
  }

  async function findKnown(tx: Tx, device_id: string, request: CreateCodeRequest): Promise<Subject> {
    const named = (["name", "type", "site"] as const).find((field) => request[field] !== undefined);
    if (named) throw invalidField(named, "must be absent with device_id");
    const known = await createDevicesWriter(tx).lock(ALL_SITES, device_id);
    if (!known) throw notFound("device", device_id);
    if (isRevoked(known)) throw new Problem("conflict", `device '${known.name}' is revoked; enrol it as a new device`);
    return { device_id: known.id, name: known.name, type: known.type, site: known.site };
  }

  async function findNew(tx: Tx, { name, type, site = null }: CreateCodeRequest): Promise<Subject> {
    if (name === undefined) throw invalidField("name", "is required");
    if (type === undefined) throw invalidField("type", "is required");
    requireStorable({ name });
    if (site !== null) await sites.keep(tx, site);
    if (await createDevicesStore(tx).findNamed(ALL_SITES, name)) {
      throw new Problem("conflict", `name: device '${name}' is already enrolled`);
    }
    return { device_id: null, name, type, site };
  }

  return {
    /** Creates a code that enrols one device once. It is returned only now. */
    async createCode(tx: Tx, caller: Caller, request: CreateCodeRequest): Promise<NewCodeBody> {
      const known = request.device_id;
      const subject = known === undefined ? await findNew(tx, request) : await findKnown(tx, known, request);
      const writer = createEnrolmentWriter(tx);
      const created_at = clock.now();
      if ((await writer.countOpen(created_at)) >= MAX_OPEN_CODES) {
        throw new Problem("conflict", `${MAX_OPEN_CODES} codes are open; wait until some are used or expire`);
      }
      const code = formatCode(ids.secret(CODE_BYTES));
      const expires_at = new Date(created_at.getTime() + CODE_MS);
      const row = { ...subject, created_by: caller.username, created_at, expires_at };
      await writer.insert({ ...row, code_hash: hashCode(code), used_at: null });
      const { device_id, name } = subject;
      await audit.record(tx, {
        actor: caller.username,
        action: "device.code_created",
        subject_type: "device",
        subject_id: device_id ?? name,
        details: { name, type: subject.type, site: subject.site, expires_at },
      });
      return { code, ...row, authority_fingerprint: (await authority()).fingerprint };
    },

    /** Issues a certificate to one of several concurrent requests with the same code. */
    async enrol({ code, csr }: EnrolRequest): Promise<IssuedBody> {
      await requireAllowed();
      const code_hash = hashCode(code);
      // Checked before the expensive validation of the request; `use` below decides.
      if (!(await createEnrolmentWriter(db).isOpen(code_hash, clock.now()))) throw refuseCode();
      const key = await (await authority()).parseRequest(csr);
      return db.transaction().execute(async (tx) => {
        const used = await takeCode(createEnrolmentWriter(tx), code_hash);
        const { id, name, type, site } = await admit(tx, used);
        const issued = await issue(tx, id, key);
        await audit.record(tx, {
          actor: used.created_by,
          action: used.device_id === null ? "device.enrolled" : "device.reenrolled",
          subject_type: "device",
          subject_id: id,
          details: { name, type, site, not_after: issued.not_after },
        });
        return issued;
      });
    },

    /** Renews with a certificate that its sender has proved to hold. */
    async renew(fingerprint: string, csr: string): Promise<IssuedBody> {
      await requireAllowed();
      const find = async (tx: Tx | Kysely<Tables>) => {
        const own = await createCertificatesStore(tx).findByFingerprint(fingerprint);
        return own && isValid(own, clock.now()) ? own.device_id : null;
      };
      if ((await find(db)) === null) throw refuseCertificate();
      const key = await (await authority()).parseRequest(csr);
      return db.transaction().execute(async (tx) => {
        const writer = createDevicesWriter(tx);
        // A revocation also locks the device first, so after the lock the certificate shows whether it was revoked.
        const device = await writer.lock(ALL_SITES, (await find(tx)) ?? "");
        if (!device || isRevoked(device) || (await find(tx)) === null) throw refuseCertificate();
        const now = clock.now();
        if ((await createCertificatesStore(tx).countValid(device.id, now)) >= MAX_VALID_CERTIFICATES) {
          throw rateLimited(`a device has at most ${MAX_VALID_CERTIFICATES} valid certificates`, RETRY_MS);
        }
        await writer.update(device.id, { last_seen: now });
        return issue(tx, device.id, key);
      });
    },
  };
}

function isValid({ revoked_at, not_after }: CertificateRow, now: Date): boolean {
  return revoked_at === null && not_after > now;
}

/** The answer is the same for an unknown, a used and an expired code, so that it does not reveal which codes exist. */
function refuseCode(): Problem {
  return new Problem("unauthenticated", "code: is unknown, used or expired", { field: "code" });
}

function buildDevice(id: string, named: Pick<DeviceRow, "name" | "type" | "site">, now: Date): DeviceRow {
  return {
    ...named,
    id,
    status: "active",
    firmware_version: null,
    firmware_hash: null,
    verdict: null,
    attested_at: null,
    enrolled_at: now,
    last_seen: now,
    revoked_at: null,
    revoked_by: null,
  };
}
