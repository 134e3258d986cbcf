import type { KeyObject } from "node:crypto";
import type { Verdict } from "../registry/devices.schema.ts";
import type { AttestationAnswer, SoftwareAnswer, TpmAnswer } from "./attestation-answer.schema.ts";
import { addBoot, findClone, type SeenBoots } from "./boots.ts";
import { type CatalogEntry, type FirmwareMatch, matchMeasurement, matchPcrs } from "./firmware-match.ts";
import { parseBase64, verifyMeasurement } from "./measurement.ts";
import { verifyQuote } from "./quote.ts";
import { type Reason, toVerdict } from "./reason.ts";
import type { ClockInfo, PcrSelection } from "./tpm/attest.ts";
import type { PublicArea } from "./tpm/public-area.ts";

export type AttestationKind = AttestationAnswer["kind"];

export interface AskedAttestation {
  id: string;
  device_id: string;
  nonce: Uint8Array;
  selection: PcrSelection;
  deadline: Date;
}

/** The facts about the device: its keys, and their previous answers. */
export interface AttestedDevice {
  /** Activated by the TPM of the device; null for a device without a TPM. */
  attestationKey: { area: PublicArea; qualifiedNames: readonly Uint8Array[] } | null;
  /** The key of its certificate; undefined if the answer contains no valid one. */
  deviceKey: KeyObject | undefined;
  history: AttestationHistory;
}

export interface AttestationHistory {
  /** From the last genuine quote. */
  clockInfo: ClockInfo | undefined;
  boots: SeenBoots;
  /** The evidence that the key was copied. It is permanent, because the genuine device cannot be told from the copy. */
  clone: string | null;
}

export interface Judgement {
  kind: AttestationKind;
  verdict: Verdict;
  reasons: readonly Reason[];
  firmware: { hash: string; version: string } | null;
  /** Stored for the next judgement. */
  history: AttestationHistory;
}

/** Adds a reason to a judgement. */
export function withReason(judged: Judgement, reason: Reason): Judgement {
  const reasons = [...judged.reasons, reason];
  return { ...judged, reasons, verdict: toVerdict(reasons) };
}

export interface ReceivedAnswer {
  answer: AttestationAnswer;
  at: Date;
}

/**
 * Judges the answer to one request, or its absence. The result depends only on the input. The device's keys determine
 * the kind, not the answer: a device with a TPM never falls back to software, and one without never passes as TPM.
 */
export function judgeAttestation(
  asked: AskedAttestation,
  received: ReceivedAnswer | "malformed" | undefined,
  device: AttestedDevice,
  catalog: readonly CatalogEntry[],
): Judgement {
  const kind: AttestationKind = device.attestationKey ? "tpm" : "software";
  const refuse = (...reasons: readonly Reason[]): Judgement => ({
    kind,
    verdict: toVerdict(reasons),
    reasons,
    firmware: null,
    history: device.history,
  });
  if (!received) return refuse({ code: "no_answer", message: "no answer within 60 seconds" });
  if (received === "malformed")
    return refuse({ code: "malformed", message: "the answer does not have the documented fields" });
  const { answer, at } = received;
  if (at > asked.deadline) return refuse({ code: "late_answer", message: "the answer came after 60 seconds" });
  if (answer.request_id !== asked.id)
    return refuse({ code: "other_nonce", message: "the answer names another request" });
  if (answer.kind !== kind)
    return refuse({
      code: "other_kind",
      message: `the device attests by ${kind}, the answer is of kind ${answer.kind}`,
    });
  const proof =
    answer.kind === "tpm"
      ? proveByTpm(asked, answer, device, catalog)
      : proveBySoftware(asked, { answer, at }, device, catalog);
  if (!proof.match) return refuse(...proof.reasons);
  const { entry } = proof.match;
  const reasons = [...proof.reasons, ...proof.match.reasons, ...findKnownClone(proof.history)];
  const firmware = proof.firmware ?? (entry ? { hash: entry.hash, version: entry.version } : null);
  return { kind, verdict: toVerdict(reasons), reasons, firmware, history: proof.history };
}

/** Without `match` the answer proves nothing. */
interface Proof {
  match?: FirmwareMatch;
  reasons: readonly Reason[];
  firmware?: Judgement["firmware"];
  history: AttestationHistory;
}

function findKnownClone({ clone }: AttestationHistory): Reason[] {
  return clone === null ? [] : [{ code: "clone", message: `two boots answer with the key of the device: ${clone}` }];
}

function proveByTpm(
  { nonce, selection }: AskedAttestation,
  answer: TpmAnswer,
  { attestationKey, history }: AttestedDevice,
  catalog: readonly CatalogEntry[],
): Proof {
  const [quote, signature] = [parseBase64(answer.quote), parseBase64(answer.signature)];
  if (!quote || !signature || !attestationKey)
    return { history, reasons: [{ code: "malformed", message: "quote and signature: must be base64" }] };
  const { area: key, qualifiedNames } = attestationKey;
  const given = { quote, signature, pcrs: answer.pcrs };
  const result = verifyQuote(given, { key, qualifiedNames, nonce, selection, last: history.clockInfo });
  if (result.isGenuine) {
    const { clockInfo } = result;
    return { match: matchPcrs(answer.pcrs, catalog), reasons: [], history: { ...history, clockInfo } };
  }
  const [back, ...others] = result.reasons;
  if (back?.code !== "counter_back" || others.length > 0) return { history, reasons: result.reasons };
  // The answer is fresh and genuine, but its counters are old: a second TPM or a copy of its state has the key.
  return {
    match: matchPcrs(answer.pcrs, catalog),
    reasons: result.reasons,
    history: { ...history, clone: history.clone ?? back.message },
  };
}

function proveBySoftware(
  { id, device_id, nonce }: AskedAttestation,
  { answer, at }: { answer: SoftwareAnswer; at: Date },
  { deviceKey, history }: AttestedDevice,
  catalog: readonly CatalogEntry[],
): Proof {
  if (!deviceKey)
    return {
      history,
      reasons: [{ code: "wrong_signature", message: "certificate: is not a valid certificate of the device" }],
    };
  const result = verifyMeasurement(answer, { device_id, request_id: id, nonce, deviceKey });
  if (!result.isGenuine) return { history, reasons: result.reasons };
  const { measurement } = result;
  const boot = { ...measurement.boot, at };
  const clone = history.clone ?? findClone(boot, history.boots) ?? null;
  return {
    match: matchMeasurement(measurement, catalog),
    reasons: [],
    firmware: measurement.firmware,
    history: { ...history, boots: addBoot(boot, history.boots), clone },
  };
}
