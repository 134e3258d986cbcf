import type { StoreFirmwareRequest } from "@soc/service/contract/devices/attestation/attestation";
import type { FirmwareBody } from "@soc/service/contract/devices/registry/devices";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Firmware = Wire<FirmwareBody>;
export type StoredFirmware = StoreFirmwareRequest;

export const readFirmware = (server: Server, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
  server.get<ListResponse<Firmware>>("/firmware", { query, signal });

/** Creates or replaces a catalog entry. */
export const storeFirmware = (server: Server, hash: string, request: StoredFirmware) =>
  server.put<ChangeResult<Firmware>>(`/firmware/${encodeURIComponent(hash)}`, request);
