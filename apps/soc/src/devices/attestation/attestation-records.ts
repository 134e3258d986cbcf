import type { NewAlert } from "../../alerts/module.ts";
import type { NewEntry } from "../../cases/module.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import type { DeviceRow } from "../registry/device.ts";
import type { AttestationBody } from "../registry/devices.schema.ts";
import { ATTESTATION } from "./attestation.ts";
import type { AttestationRequestRow } from "./attestation-requests.store.ts";
import { formatReasons } from "./reason.ts";
import type { Judgement } from "./verify-attestation.ts";

const MAX_DESCRIPTION = 10_000;
const MAX_TITLE_NAME = 200;

interface Evidence {
  judged: Judgement;
  /** The answer as stored; undefined without an answer. */
  answer: string | undefined;
  /** The hash of the device's previous attestation. */
  previous: string | null;
}

/**
 * Builds the ledger entry of an attestation. Each attestation has its own chain with one entry, so that its proof stays
 * small. The entry contains the hash of the previous one, so that none can be omitted.
 */
export function buildLedgerEntry(
  { id, device_id, kind, verdict, firmware_hash, at }: AttestationBody,
  { id: request_id, nonce, asked_at, deadline }: AttestationRequestRow,
  { judged, answer, previous }: Evidence,
): NewEntry {
  return {
    kind: "attestation.judged",
    actor: ATTESTATION.username,
    body: {
      attestation_id: id,
      device_id,
      kind,
      verdict,
      reasons: judged.reasons,
      firmware_hash,
      at: at.toISOString(),
      request: { id: request_id, nonce, asked_at: asked_at.toISOString(), deadline: deadline.toISOString() },
      answer_sha256: answer === undefined ? null : sha256Hex(answer),
      previous_attestation: previous,
    },
  };
}

/** The title is constant per device, so that repeated verdicts count in the open alert. */
export function buildAlert({ name, site }: DeviceRow, { kind, reasons }: Judgement): NewAlert {
  return {
    title: `Device ${name.slice(0, MAX_TITLE_NAME)} is untrusted`,
    description: `Attestation (${kind}): ${formatReasons(reasons) ?? ""}`.slice(0, MAX_DESCRIPTION),
    source: "attestation",
    severity: "high",
    host: name,
    ...(site === null ? {} : { site }),
  };
}
