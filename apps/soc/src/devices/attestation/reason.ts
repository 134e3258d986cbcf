import type { Verdict } from "../registry/devices.schema.ts";

/** Machine-readable reasons why an attestation is not trusted, with the verdict that follows from each. */
const VERDICT_OF = {
  // The nonce is valid for 60 seconds: a later answer proves nothing about the present.
  no_answer: "stale",
  late_answer: "stale",
  // No proof of the state of this device, whatever the content.
  malformed: "failed",
  other_kind: "failed",
  other_device: "failed",
  key_not_acceptable: "failed",
  not_generated: "failed",
  not_a_quote: "failed",
  wrong_signature: "failed",
  other_signer: "failed",
  other_nonce: "failed",
  other_pcr_selection: "failed",
  other_pcr_values: "failed",
  // A proof of a state that is not known to be good.
  counter_back: "untrusted",
  shared_tpm: "untrusted",
  clone: "untrusted",
  firmware_unknown: "untrusted",
  firmware_not_good: "untrusted",
  component_differs: "untrusted",
  slot_unknown: "untrusted",
} as const satisfies Record<string, Verdict>;

export type ReasonCode = keyof typeof VERDICT_OF;

export interface Reason {
  code: ReasonCode;
  /** Human-readable text. */
  message: string;
}

/** A failed proof outweighs a proven state, because the state in a forged answer means nothing. */
const HEAVIEST_FIRST = ["stale", "failed", "untrusted"] as const;

export function toVerdict(reasons: readonly Reason[]): Verdict {
  return HEAVIEST_FIRST.find((verdict) => reasons.some(({ code }) => VERDICT_OF[code] === verdict)) ?? "trusted";
}

export function formatReasons(reasons: readonly Reason[]): string | null {
  return reasons.length === 0 ? null : reasons.map(({ message }) => message).join("; ");
}

export function toSharedTpm(device: string): Reason {
  return { code: "shared_tpm", message: `its TPM belongs to device '${device}'` };
}
