import type { DeviceFacts, FirmwareRow, ShowcaseCps } from "../devices/registry/device.ts";
import type { AttestationBody, Verdict } from "../devices/registry/devices.schema.ts";
import { type DeviceFact, SEED } from "./seed.ts";
import { minutesBefore, SITES, toStoryId } from "./story.ts";

const UNKNOWN_HASH = "b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184";
const RELEASE = "2.4.1";
const HASHES = {
  player: "5f1d7a84db00d2fce00b31a7fc73224f9d1b2c7a86c09a3e4d55b0f1e2c3a491",
  gateway: "a4e624d686e03ed2767c0abd85c14426b0b1157d2ce81d27bb4fe4f6f01d688a",
} as const;
const ENROLLED_MINUTES_AGO = 60 * 24 * 60;
const CERTIFICATE_MINUTES = 24 * 60;
const DIGEST = "0123456789abcdef".repeat(4);

const REASONS: Readonly<Record<Verdict, string | null>> = {
  trusted: null,
  untrusted: "the measurement is not in the firmware catalog",
  stale: "no answer within 60 seconds",
  failed: "the quote is not genuine",
};

/** Builds devices, their latest attestations, and the firmware catalog. */
export function buildShowcaseDevices(now: Date): ShowcaseCps {
  const devices = SEED.devices.map((fact, index) => buildDevice(now, fact, index + 1));
  return {
    devices,
    attestations: SEED.devices.map((fact, index) => buildAttestation(now, fact, index + 1)),
    firmware: buildFirmware(now),
  };
}

function findHash({ type, verdict, hasUnknownFirmware = false }: DeviceFact): string | null {
  if (verdict === "stale") return null;
  return hasUnknownFirmware ? UNKNOWN_HASH : HASHES[type];
}

function buildDevice(now: Date, fact: DeviceFact, number: number): DeviceFacts {
  const { name, type, site, verdict, minutesAgo, isQuarantined = false, hasUnknownFirmware = false } = fact;
  const seenMinutesAgo = verdict === "stale" ? minutesAgo + 60 : minutesAgo;
  return {
    id: toStoryId("device", number),
    name,
    type,
    site: SITES[site].id,
    status: isQuarantined ? "quarantined" : "active",
    firmware_version: hasUnknownFirmware ? null : RELEASE,
    firmware_hash: hasUnknownFirmware ? UNKNOWN_HASH : HASHES[type],
    is_firmware_known: !hasUnknownFirmware,
    verdict,
    attested_at: minutesBefore(now, minutesAgo),
    enrolled_at: minutesBefore(now, ENROLLED_MINUTES_AGO + number),
    last_seen: minutesBefore(now, seenMinutesAgo),
    revoked_at: null,
    revoked_by: null,
    certificate: {
      serial: `4${number.toString(16).padStart(31, "0")}`,
      fingerprint: `${number.toString(16).padStart(2, "0")}${DIGEST.slice(2)}`,
      not_after: minutesBefore(now, seenMinutesAgo - CERTIFICATE_MINUTES),
      revoked_at: null,
    },
  };
}

function buildAttestation(now: Date, fact: DeviceFact, number: number): AttestationBody {
  const { type, verdict, minutesAgo } = fact;
  return {
    id: toStoryId("attestation", number),
    device_id: toStoryId("device", number),
    kind: type === "gateway" ? "tpm" : "software",
    verdict,
    reason: REASONS[verdict],
    firmware_hash: findHash(fact),
    at: minutesBefore(now, minutesAgo),
  };
}

function buildFirmware(now: Date): FirmwareRow[] {
  return [
    {
      id: toStoryId("firmware", 1),
      vendor: "Manara",
      product: "Recitation player",
      version: RELEASE,
      hash: HASHES.player,
      pcrs: {},
      sbom_components: [
        { name: "linux", version: "6.12.48" },
        { name: "mpv", version: "0.35.1" },
      ],
      known_good: true,
      created_at: minutesBefore(now, ENROLLED_MINUTES_AGO),
    },
    {
      id: toStoryId("firmware", 2),
      vendor: "Manara",
      product: "Pump gateway",
      version: RELEASE,
      hash: HASHES.gateway,
      pcrs: { "0": DIGEST, "4": DIGEST, "7": DIGEST },
      sbom_components: [{ name: "linux", version: "6.12.48" }],
      known_good: true,
      created_at: minutesBefore(now, ENROLLED_MINUTES_AGO + 1),
    },
  ];
}
