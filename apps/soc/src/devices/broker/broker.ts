// Clients with the same name end each other's session, so each process picks one of several names.
const CONTROL_NAMES = Array.from({ length: 8 }, (_, index) => `soc-control-${index}`);
const RELAY_NAMES = Array.from({ length: 32 }, (_, index) => `soc-relay-${index}`);

export function pickControlName(chance: number): string {
  return CONTROL_NAMES[chance % CONTROL_NAMES.length] ?? "soc-control-0";
}

export function pickRelayName(chance: number): string {
  return RELAY_NAMES[chance % RELAY_NAMES.length] ?? "soc-relay-0";
}

const RELAY_RIGHTS = [
  "topic write devices/+/attestation/request",
  "topic read devices/+/attestation/receipt",
  "topic read devices/+/attestation/answer",
];

/**
 * Builds the access list of the broker. A device reaches only topics below its id, the name in its certificate. A
 * revoked device reaches none, even if it identifies itself after the revocation on an older connection, where the
 * broker checks no revocation list.
 */
export function buildAccessList(revoked: readonly string[]): string {
  const lines = [
    "# Written by Manara SOC. Changes are overwritten.",
    ...CONTROL_NAMES.flatMap((name) => ["", `user ${name}`, "topic readwrite $CONTROL/dynamic-security/#"]),
    ...RELAY_NAMES.flatMap((name) => ["", `user ${name}`, ...RELAY_RIGHTS]),
    "",
    "pattern read devices/%u/attestation/request",
    "pattern write devices/%u/attestation/receipt",
    "pattern write devices/%u/attestation/answer",
    ...revoked.flatMap((id) => ["", `user ${id}`, "topic deny #"]),
  ];
  return `${lines.join("\n")}\n`;
}
