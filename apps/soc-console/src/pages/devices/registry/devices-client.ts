import type { AttestationRequestBody } from "@soc/service/contract/devices/attestation/attestation";
import type { CorrelationBody } from "@soc/service/contract/devices/correlations/correlations";
import type { NewCodeBody } from "@soc/service/contract/devices/enrolment/enrolment";
import type {
  AttestationBody,
  DeviceBody,
  FirmwareBody,
  RevocationPendingBody,
} from "@soc/service/contract/devices/registry/devices";
import type { AuditEntryBody } from "@soc/service/contract/foundation/audit/audit";
import type { SiteBody } from "@soc/service/contract/identity/sites/sites";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Device = Wire<DeviceBody>;
export type Attestation = Wire<AttestationBody>;
export type Verdict = Attestation["verdict"];
export type Firmware = Wire<FirmwareBody>;
export type Correlation = Wire<CorrelationBody>;
export type AuditEntry = Wire<AuditEntryBody>;
export type NewCode = Wire<NewCodeBody>;
export type RevocationResult = Device | Wire<RevocationPendingBody>;

export interface CodeRequest {
  name?: string;
  type?: string;
  site?: string;
  device_id?: string;
}

export const DEVICES = "devices";
export const VERDICTS: readonly Verdict[] = ["untrusted", "failed", "stale", "trusted"];
const MAX_ROWS = 200;
/** How many recent attestations the fleet chart reads. */
export const MAX_ATTESTATIONS = 1000;

type Query = Readonly<Record<string, QueryValue>>;

export const readDevices = (server: Server, query: Query, signal: AbortSignal) =>
  server.get<ListResponse<Device>>("/cps/devices", { query, signal });

export const readDevice = (server: Server, id: string, signal: AbortSignal) =>
  server.get<Device>(`/cps/devices/${encodeURIComponent(id)}`, { signal });

export const readAttestations = (server: Server, query: Query, signal: AbortSignal) =>
  server.get<ListResponse<Attestation>>("/cps/attestations", { query: { limit: MAX_ROWS, ...query }, signal });

/** The most recent attestations of the fleet, up to a limit. */
export async function readNewestAttestations(server: Server, signal: AbortSignal): Promise<Attestation[]> {
  const items: Attestation[] = [];
  let cursor: string | undefined;
  do {
    const page = await readAttestations(server, { cursor }, signal);
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && items.length < MAX_ATTESTATIONS);
  return items;
}

export const readFirmwareByHash = (server: Server, hash: string, signal: AbortSignal) =>
  server.get<ListResponse<Firmware>>("/firmware", { query: { hash, limit: 1 }, signal });

export const readCorrelationsOfDevice = (server: Server, device_id: string, signal: AbortSignal) =>
  server.get<ListResponse<Correlation>>("/correlations", { query: { device_id, limit: 20 }, signal });

export const readSites = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<SiteBody>>("/sites", { query: { limit: MAX_ROWS }, signal });

/** Who revoked the device, and whether the broker was observed to refuse it. */
export const readRevocation = (server: Server, id: string, signal: AbortSignal) =>
  server.get<ListResponse<AuditEntry>>("/audit", {
    query: { subject_type: "device", subject_id: id, limit: MAX_ROWS },
    signal,
  });

export const revokeDevice = (server: Server, id: string) =>
  server.post<ChangeResult<RevocationResult>>(`/cps/devices/${encodeURIComponent(id)}/revoke`);

export const attestDevice = (server: Server, id: string) =>
  server.post<ChangeResult<Wire<AttestationRequestBody>>>(`/cps/devices/${encodeURIComponent(id)}/attest`);

export const createCode = (server: Server, request: CodeRequest) =>
  server.post<ChangeResult<NewCode>>("/cps/enrolment-codes", request);
