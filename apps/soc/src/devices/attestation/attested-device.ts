import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import type { Db } from "../../foundation/database/tables.ts";
import { createCertificatesStore } from "../certificates/certificates.store.ts";
import type { AttestationAnswer } from "./attestation-answer.schema.ts";
import type { AttestedDeviceRow, AttestedDevicesWriter } from "./attested-devices.store.ts";
import type { CatalogEntry } from "./firmware-match.ts";
import { readMeasurement } from "./measurement.ts";
import { computeName, parsePublic, toChildName, toPrimaryName } from "./tpm/public-area.ts";
import type { AttestationHistory, AttestedDevice } from "./verify-attestation.ts";

/** Reads the facts about a device that a judgement needs. */
export async function readAttested(
  tx: Db,
  row: AttestedDeviceRow,
  answer: AttestationAnswer | undefined,
  now: Date,
): Promise<AttestedDevice> {
  const { clock_info, boots, clone } = row;
  return {
    attestationKey: readKey(row),
    deviceKey:
      answer?.kind === "software" ? await findDeviceKey(tx, row.device_id, answer.certificate, now) : undefined,
    history: {
      clockInfo: clock_info ? { ...clock_info, clock: BigInt(clock_info.clock) } : undefined,
      boots: boots.map((boot) => ({ ...boot, at: new Date(boot.at) })),
      clone,
    },
  };
}

export function toHistoryRow({ clockInfo, boots, clone }: AttestationHistory) {
  return {
    clock_info: clockInfo ? { ...clockInfo, clock: String(clockInfo.clock) } : null,
    boots: boots.map((boot) => ({ ...boot, at: boot.at.toISOString() })),
    clone,
  };
}

/**
 * The key is in the endorsement hierarchy, below or beside the endorsement key. Only there are its counters not
 * obfuscated.
 */
function readKey({ endorsement_name, attestation_key }: AttestedDeviceRow): AttestedDevice["attestationKey"] {
  if (endorsement_name === null || attestation_key === null) return null;
  const area = parsePublic(attestation_key);
  const parent = toPrimaryName(Buffer.from(endorsement_name, "hex"));
  const name = computeName(area);
  return { area, qualifiedNames: [toChildName(parent, name), toPrimaryName(name)] };
}

/** Returns the key of a valid certificate that the platform issued to the device. */
async function findDeviceKey(tx: Db, device_id: string, pem: string, now: Date): Promise<KeyObject | undefined> {
  const certificate = parseCertificate(pem);
  if (!certificate) return undefined;
  const fingerprint = createHash("sha256").update(certificate.raw).digest("hex");
  const issued = await createCertificatesStore(tx).findByFingerprint(fingerprint);
  const isValid = issued?.device_id === device_id && issued.revoked_at === null && issued.not_after > now;
  return isValid ? certificate.publicKey : undefined;
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // The error texts of OpenSSL are useless for a device.
    return undefined;
  }
}

/** Reads the catalog entries that are relevant for the answer. */
export async function readCatalog(
  firmware: Pick<AttestedDevicesWriter, "findFirmwareByPcrs" | "findFirmwareByHashes">,
  answer: AttestationAnswer | undefined,
): Promise<CatalogEntry[]> {
  if (!answer) return [];
  if (answer.kind === "tpm") return firmware.findFirmwareByPcrs(answer.pcrs);
  const measurement = readMeasurement(answer.measurement);
  const hashes = measurement?.slots.flatMap(({ hash }) => hash ?? []) ?? [];
  return firmware.findFirmwareByHashes(measurement ? [measurement.firmware.hash, ...hashes] : []);
}
