import { newestFirst } from "../../foundation/lists/order.ts";
import type { CertificateRow } from "../certificates/certificates.store.ts";
import type {
  AttestationBody,
  DeviceBody,
  FirmwareBody,
  ListDevicesQuery,
  StoredStatus,
  Verdict,
} from "./devices.schema.ts";

export interface DeviceRow {
  id: string;
  name: string;
  type: string;
  site: string | null;
  status: StoredStatus;
  firmware_version: string | null;
  firmware_hash: string | null;
  verdict: Verdict | null;
  attested_at: Date | null;
  enrolled_at: Date;
  last_seen: Date;
  /** When the revocation was requested, and by whom. */
  revoked_at: Date | null;
  revoked_by: string | null;
}

/** A device with the related records that its body shows. */
export interface DeviceFacts extends DeviceRow {
  certificate: Pick<CertificateRow, "serial" | "fingerprint" | "not_after" | "revoked_at"> | null;
  /** Whether its firmware is in the catalog and known to be good. */
  is_firmware_known: boolean;
}

/** An entry of the firmware catalog. */
export interface FirmwareRow extends Omit<FirmwareBody, "devices" | "approval_id"> {
  created_at: Date;
  /** The approval that it waits for. */
  approval_id?: string | null | undefined;
}

/** The showcase data about devices. */
export interface ShowcaseCps {
  devices: DeviceFacts[];
  attestations: AttestationBody[];
  firmware: FirmwareRow[];
}

export const NEWEST_DEVICE_FIRST = newestFirst("enrolled_at");

/** A device that was not seen for the lifetime of a certificate has no valid one. */
const OFFLINE_MS = 24 * 60 * 60_000;

export function seenSince(now: Date): Date {
  return new Date(now.getTime() - OFFLINE_MS);
}

function findStatus({ status, last_seen }: Pick<DeviceRow, "status" | "last_seen">, now: Date) {
  return status === "active" && last_seen <= seenSince(now) ? "offline" : status;
}

export function isRevoked({ status }: Pick<DeviceRow, "status">): boolean {
  return status === "revoking" || status === "revoked";
}

function toCertificateBody(certificate: DeviceFacts["certificate"], now: Date): DeviceBody["certificate"] {
  if (!certificate) return null;
  const { revoked_at, ...shown } = certificate;
  const { serial, fingerprint, not_after } = shown;
  const status = revoked_at ? "revoked" : not_after <= now ? "expired" : "valid";
  return { serial, fingerprint, not_after, status };
}

export function toDeviceBody(facts: DeviceFacts, now: Date): DeviceBody {
  const { id, name, type, site, last_seen } = facts;
  return {
    id,
    name,
    type,
    site,
    status: findStatus(facts, now),
    certificate: toCertificateBody(facts.certificate, now),
    firmware: { version: facts.firmware_version, hash: facts.firmware_hash, known: facts.is_firmware_known },
    attestation: { verdict: facts.verdict, at: facts.attested_at },
    last_seen,
  };
}

/** Reports whether the device matches the filters, by the same rules as the database. */
export function isListed(row: DeviceRow, query: ListDevicesQuery, now: Date): boolean {
  const { site, type, status, verdict, q } = query;
  return (
    (site === undefined || row.site === site) &&
    (type === undefined || row.type === type) &&
    (status === undefined || findStatus(row, now) === status) &&
    (verdict === undefined || row.verdict === verdict) &&
    (q === undefined || row.name.toLowerCase().includes(q.toLowerCase()))
  );
}
