import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { AlertsService } from "../../alerts/module.ts";
import type { LedgerService } from "../../cases/module.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { findRefusal } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createAttestationsWriter } from "../registry/attestations.store.ts";
import { type DeviceRow, isRevoked } from "../registry/device.ts";
import { createDevicesWriter } from "../registry/devices.store.ts";
import type { AttestationRequestBody } from "./attestation.schema.ts";
import {
  ANSWER_MS,
  ATTESTATION,
  firstAttestation,
  INTERVAL_MS,
  NONCE_BYTES,
  REMIND_MS,
  RESEND_MS,
  SELECTION,
} from "./attestation.ts";
import { buildAlert, buildLedgerEntry } from "./attestation-records.ts";
import { type AttestationRequestRow, createAttestationRequestsWriter } from "./attestation-requests.store.ts";
import type { AnswerOutcome, AttestationRequests, SentRequest } from "./attestation-requests.ts";
import { readAttested, readCatalog, toHistoryRow } from "./attested-device.ts";
import { type AttestedDeviceRow, createAttestedDevicesWriter } from "./attested-devices.store.ts";
import { parseAnswer } from "./parse-answer.ts";
import { formatReasons, toSharedTpm } from "./reason.ts";
import { createTpmBindingsWriter } from "./tpm-bindings.store.ts";
import { type Judgement, judgeAttestation, type ReceivedAnswer, withReason } from "./verify-attestation.ts";

export interface AttestationServiceDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  alerts: Pick<AlertsService, "create">;
  ledger: Pick<LedgerService, "append">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Ids;
}
export type AttestationService = ReturnType<typeof createAttestationService>;

/** An answer as received, and its parsed content. */
interface GivenAnswer {
  text: string;
  received: ReceivedAnswer | "malformed";
}

/**
 * Requests attestations from devices and judges their answers. Each request ends once, answered or expired, with one
 * verdict.
 */
export function createAttestationService(deps: AttestationServiceDeps) {
  const { db, runtime, alerts, ledger, audit, clock, ids } = deps;

  async function requireAllowed(): Promise<void> {
    const refusal = findRefusal("internal", false, await runtime.truth());
    if (refusal) throw refusal;
  }

  async function open(tx: Tx, device_id: string, actor: string): Promise<AttestationRequestRow> {
    const asked_at = clock.now();
    const nonce = ids.secret(NONCE_BYTES).toString("hex");
    const deadline = new Date(asked_at.getTime() + ANSWER_MS);
    const asked = { id: ids.next(), device_id, nonce, asked_by: actor, asked_at, deadline };
    const opened = await createAttestationRequestsWriter(tx).insert(asked);
    // The API document names this event without a dot.
    const action = "attestation_request";
    const details = toSent(opened);
    await audit.record(tx, { actor, action, subject_type: "device", subject_id: device_id, details });
    return opened;
  }

  /** Ends an open request with a verdict and its consequences. The caller holds the lock of the device. */
  async function settle(
    tx: Tx,
    device: DeviceRow,
    request: AttestationRequestRow,
    given: GivenAnswer | undefined,
  ): Promise<void> {
    const now = clock.now();
    const attested = createAttestedDevicesWriter(tx);
    const row = await attested.lock(device.id, firstAttestation(device.id, now));
    const received = given?.received;
    const answer = received === undefined || received === "malformed" ? undefined : received.answer;
    const known = await readAttested(tx, row, answer, now);
    const asked = { ...request, nonce: Buffer.from(request.nonce, "hex"), selection: SELECTION };
    const judgement = judgeAttestation(asked, received, known, await readCatalog(attested, answer));
    const rival = await findRival(tx, row, now);
    const judged = rival === undefined ? judgement : withReason(judgement, toSharedTpm(rival));
    const { kind, verdict, reasons, firmware } = judged;
    const attestation = {
      ...{ id: ids.next(), device_id: device.id, kind, verdict, reason: formatReasons(reasons) },
      ...{ firmware_hash: firmware?.hash ?? null, at: now },
    };
    await createAttestationsWriter(tx).insert(attestation);
    const entry = buildLedgerEntry(attestation, request, { judged, answer: given?.text, previous: row.entry_hash });
    const { entry_hash } = await ledger.append(tx, attestation.id, entry);
    await attested.keep(device.id, { ...toHistoryRow(judged.history), entry_hash });
    await createDevicesWriter(tx).update(device.id, toDeviceChange(judged, now));
    await createAttestationRequestsWriter(tx).end(request.id, {
      status: given ? "answered" : "expired",
      answer: given?.text ?? null,
      ended_at: now,
      attestation_id: attestation.id,
    });
    if (verdict === "untrusted") await alerts.create(tx, ATTESTATION, buildAlert(device, judged));
    if (verdict !== device.verdict) await recordVerdict(tx, device, attestation);
  }

  /** Returns the device that also has the TPM of this one, as devices of older releases may. */
  async function findRival(tx: Tx, { endorsement_name, device_id }: AttestedDeviceRow, bound_at: Date) {
    if (endorsement_name === null) return undefined;
    return (await createTpmBindingsWriter(tx).bind({ endorsement_name, device_id, bound_at })).rival;
  }

  function recordVerdict(tx: Tx, { id, verdict: previous }: DeviceRow, attestation: object): Promise<void> {
    return audit.record(tx, {
      actor: ATTESTATION.username,
      action: "device.verdict_changed",
      subject_type: "device",
      subject_id: id,
      details: { ...attestation, previous },
    });
  }

  /**
   * Only one of several workers sends the request. It locks the device first, as everywhere else, to avoid deadlocks.
   */
  function askIfDue(id: string, now: Date): Promise<void> {
    return db.transaction().execute(async (tx) => {
      const device = await createDevicesWriter(tx).lock(ALL_SITES, id);
      if (!device || isRevoked(device)) return;
      const attested = createAttestedDevicesWriter(tx);
      const { next_at } = await attested.lock(id, now);
      if (next_at > now) return;
      await attested.postpone(id, new Date(now.getTime() + INTERVAL_MS));
      if (!(await createAttestationRequestsWriter(tx).findOpen(id))) await open(tx, id, ATTESTATION.username);
    });
  }

  /** Ends the request of the device if it is still open and the work agrees. */
  function settleOpen(device_id: string, request_id: string, given: GivenAnswer | undefined): Promise<AnswerOutcome> {
    return db.transaction().execute(async (tx) => {
      // Lock the device first, as a revocation does.
      const device = await createDevicesWriter(tx).lock(ALL_SITES, device_id);
      const request = device && (await createAttestationRequestsWriter(tx).lock(request_id, device.id));
      if (!device || !request) return "unknown";
      if (request.status !== "open") return "repeated";
      await settle(tx, device, request, given);
      return "judged";
    });
  }

  const requests: AttestationRequests = {
    async claim(limit) {
      await requireAllowed();
      const now = clock.now();
      const again = new Date(now.getTime() + RESEND_MS);
      return (await createAttestationRequestsWriter(db).claim(now, again, limit)).map(toSent);
    },

    async confirm(device_id, request_id) {
      await requireAllowed();
      return createAttestationRequestsWriter(db).receive(request_id, device_id, clock.now());
    },

    async answer(device_id, payload) {
      await requireAllowed();
      const { request_id, answer } = parseAnswer(payload);
      if (request_id === undefined) return "unknown";
      const received = answer ? { answer, at: clock.now() } : "malformed";
      return settleOpen(device_id, request_id, { text: answer ? JSON.stringify(answer) : "", received });
    },
  };

  return {
    requests,

    /**
     * Requests an attestation now. Returns an open request instead of a new one, so that answers cannot overtake each
     * other.
     */
    async ask(tx: Tx, id: string, actor: string): Promise<AttestationRequestBody> {
      const device = await createDevicesWriter(tx).lock(ALL_SITES, id);
      if (!device) throw notFound("device", id);
      if (isRevoked(device)) throw new Problem("conflict", `device '${device.name}' is revoked`);
      const known = await createAttestationRequestsWriter(tx).findOpen(device.id);
      if (known && known.deadline >= clock.now()) return toBody(known);
      if (known) await settle(tx, device, known, undefined);
      return toBody(await open(tx, device.id, actor));
    },

    /**
     * Requests attestations from due devices and returns their number. At most this many requests wait to be sent,
     * because they would expire when all devices are due after an outage.
     */
    async askDue(limit: number): Promise<number> {
      const now = clock.now();
      const room = limit - (await createAttestationRequestsWriter(db).countUnsent(now));
      if (room <= 0) return 0;
      const attested = createAttestedDevicesWriter(db);
      for (const id of await attested.listNew(limit)) await attested.lock(id, firstAttestation(id, now));
      const due = await attested.listDue(now, room);
      await forEach(due, (id) => askIfDue(id, now));
      return due.length;
    },

    /** Repeats requests that a device confirmed but did not answer, because an answer can be lost. */
    async remind(limit: number): Promise<number> {
      const before = new Date(clock.now().getTime() - REMIND_MS);
      return createAttestationRequestsWriter(db).forgetReceipts(before, limit);
    },

    /** Ends requests that no device answered in time and returns their number. */
    async expire(limit: number): Promise<number> {
      const overdue = await createAttestationRequestsWriter(db).listOverdue(clock.now(), limit);
      await forEach(overdue, ({ id, device_id }) => settleOpen(device_id, id, undefined));
      return overdue.length;
    },
  };
}

const CONCURRENCY = 4;

/** Runs several items concurrently, because most of the time goes to round trips. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const takeOn = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, takeOn));
}

function toSent({ id, device_id, nonce, deadline }: AttestationRequestRow): SentRequest {
  return { request_id: id, device_id, nonce, pcrs: SELECTION, deadline };
}

function toBody({ id, device_id, asked_at, deadline }: AttestationRequestRow): AttestationRequestBody {
  return { request_id: id, device_id, asked_at, deadline };
}

/** A device that proved its state was seen, whatever the state. */
function toDeviceChange({ verdict, firmware }: Judgement, now: Date): Partial<DeviceRow> {
  const judged = { verdict, attested_at: now };
  if (verdict !== "trusted" && verdict !== "untrusted") return judged;
  return {
    ...judged,
    last_seen: now,
    firmware_version: firmware?.version ?? null,
    firmware_hash: firmware?.hash ?? null,
  };
}
