import type { Attestation, AuditEntry, Device, Firmware, Verdict } from "./devices-client.ts";

/** The most important fact about a device. `reason` carries the text of the attestation. */
export type Why =
  | { kind: "reason"; verdict: Verdict; text: string }
  | { kind: "revoking" | "revoked" | "never" | "expired" | "offline" | "fine" };

type AttestationVerdict = Pick<Attestation, "verdict" | "reason">;

/** The most urgent fact: a revocation, then why it is not trusted, then why it does not respond. */
export function readWhy(
  { status, attestation, certificate }: Pick<Device, "status" | "attestation" | "certificate">,
  last: AttestationVerdict | undefined,
): Why {
  if (status === "revoking" || status === "revoked") return { kind: status };
  const { verdict } = attestation;
  if (verdict === null) return { kind: "never" };
  if (verdict !== "trusted") {
    // The loaded attestation may be older than the verdict of the device.
    return { kind: "reason", verdict, text: last?.verdict === verdict ? (last.reason ?? "") : "" };
  }
  if (certificate?.status === "expired") return { kind: "expired" };
  if (status === "offline") return { kind: "offline" };
  return { kind: "fine" };
}

const HOUR_MS = 3_600_000;
const HOURS = 24;

export interface VerdictHour {
  at: string;
  counts: Readonly<Record<Verdict, number>>;
}

/** Verdicts per hour of the last 24 hours. */
export function groupByHour(attestations: readonly Pick<Attestation, "at" | "verdict">[], now: Date): VerdictHour[] {
  const last = Math.floor(now.getTime() / HOUR_MS);
  const hours = Array.from({ length: HOURS }, (_, index) => ({
    at: new Date((last - HOURS + 1 + index) * HOUR_MS).toISOString(),
    counts: { trusted: 0, untrusted: 0, stale: 0, failed: 0 },
  }));
  for (const { at, verdict } of attestations) {
    const hour = hours[Math.floor(Date.parse(at) / HOUR_MS) - last + HOURS - 1];
    if (hour) hour.counts[verdict] += 1;
  }
  return hours;
}

/** The newest attestation of each device. */
export function findNewest(attestations: readonly Attestation[]): ReadonlyMap<string, Attestation> {
  const newest = new Map<string, Attestation>();
  for (const attestation of attestations) {
    const known = newest.get(attestation.device_id);
    if (!known || known.at < attestation.at) newest.set(attestation.device_id, attestation);
  }
  return newest;
}

export interface ValueDifference {
  name: string;
  /** Undefined if the firmware does not contain it. */
  expected: string | undefined;
  actual: string | undefined;
}

function compareValues(
  expected: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
): ValueDifference[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    .map((name) => ({ name, expected: expected[name], actual: actual[name] }))
    .filter(({ expected: before, actual: after }) => before?.toLowerCase() !== after?.toLowerCase());
}

type FirmwareMeasurement = Pick<Firmware, "pcrs" | "sbom_components">;

/** The PCRs and components that differ between two catalog entries: the last trusted one and the current one. */
export function compareFirmware(trusted: FirmwareMeasurement, present: FirmwareMeasurement) {
  const list = ({ sbom_components }: FirmwareMeasurement) =>
    Object.fromEntries(sbom_components.map(({ name, version }) => [name, version]));
  return {
    pcrs: compareValues(trusted.pcrs, present.pcrs).toSorted((a, b) => Number(a.name) - Number(b.name)),
    components: compareValues(list(trusted), list(present)),
  };
}

export interface RevocationProof {
  begun: { at: string; by: string } | undefined;
  /** The broker was observed to refuse the newest CRL entries, and ended their sessions. */
  confirmed: { at: string; isVerified: boolean } | undefined;
}

/** The audit entry of the last revocation of a device. */
export function readProof(
  entries: readonly Pick<AuditEntry, "at" | "actor" | "action" | "details">[],
): RevocationProof {
  const newest = entries.toSorted((a, b) => b.at.localeCompare(a.at));
  const begun = newest.find(({ action }) => action === "device.revocation_begun");
  const confirmed = newest.find(({ action, at }) => action === "device.revoked" && (!begun || at >= begun.at));
  return {
    begun: begun && { at: begun.at, by: begun.actor },
    confirmed: confirmed && {
      at: confirmed.at,
      isVerified: new Map(Object.entries(confirmed.details)).get("verified") === true,
    },
  };
}
