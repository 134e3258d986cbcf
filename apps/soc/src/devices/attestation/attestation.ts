import type { Caller } from "../../foundation/caller/caller.ts";
import { OUTSIDE } from "../../foundation/runtime/mode-table.ts";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";
import type { PcrSelection } from "./tpm/attest.ts";

/** The author of the platform's own records. */
export const ATTESTATION: Caller = { kind: "api_key", username: "attestation", role: "agent" };

/** A request changes nothing on the device, so it is sent and recorded in dry_run, too. */
export const ASKING = "question";

/** Whether requests are sent to devices in this mode. */
export function isAskingAllowed(truth: Pick<RuntimeTruthBody, "mode" | "is_internal_workflows_allowed">): boolean {
  return truth.is_internal_workflows_allowed && OUTSIDE[ASKING][truth.mode] === "sent";
}

export const NONCE_BYTES = 32;
/** A nonce is valid for one answer within this time. */
export const ANSWER_MS = 60_000;
/** A request without a receipt is sent again after this time. */
export const RESEND_MS = 10_000;
/**
 * A request with a receipt but without an answer is sent again after this time, because the broker may lose the answer.
 */
export const REMIND_MS = 20_000;
export const INTERVAL_MS = 60 * 60_000;

/**
 * Firmware (0 to 7), boot loader (8, 9), unified kernel image (11) and machine owner's keys (14). Not 10, which a
 * running Linux extends at any time.
 */
export const SELECTION: PcrSelection = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14];

/** Spreads the first requests over the hour, so that devices enrolled together are not asked together. */
export function firstAttestation(device_id: string, now: Date): Date {
  const chance = Number.parseInt(device_id.replaceAll("-", "").slice(-8), 16) / 2 ** 32;
  return new Date(now.getTime() + Math.floor(chance * INTERVAL_MS));
}
