import type { Pair } from "../certificates/authority.ts";

/** The broker of the devices, as far as a revocation needs it. Every method ends with the signal. */
export interface Broker {
  /** Its host and port, for the record of what was sent. */
  host: string;
  /** Makes the broker read its files again. */
  reload(signal: AbortSignal): Promise<void>;
  /** Whether the broker refuses this certificate as revoked. */
  refuses(pair: Pair, signal: AbortSignal): Promise<boolean>;
  /** Ends the sessions of these devices, by a certificate that may command the broker. */
  cut(device_ids: readonly string[], pair: Pair, signal: AbortSignal): Promise<void>;
}

/** Clients with the same name end each other's session: each process picks one of several names. */
const CONTROL_NAMES = Array.from({ length: 8 }, (_, index) => `soc-control-${index}`);

export function pickControlName(chance: number): string {
  return CONTROL_NAMES[chance % CONTROL_NAMES.length] ?? "soc-control-0";
}

/**
 * The rights at the broker. A device reaches only topics below its own id, which is the name in its certificate. A
 * revoked device reaches none: this also holds for a connection that it opened before its revocation and on which it
 * identifies itself afterwards, where the broker checks no revocation list.
 */
export function buildAccessList(revoked: readonly string[]): string {
  const lines = [
    "# Written by Manara SOC. Changes are overwritten.",
    ...CONTROL_NAMES.flatMap((name) => ["", `user ${name}`, "topic readwrite $CONTROL/dynamic-security/#"]),
    "",
    "pattern read devices/%u/attestation/request",
    "pattern write devices/%u/attestation/receipt",
    "pattern write devices/%u/attestation/answer",
    ...revoked.flatMap((id) => ["", `user ${id}`, "topic deny #"]),
  ];
  return `${lines.join("\n")}\n`;
}
