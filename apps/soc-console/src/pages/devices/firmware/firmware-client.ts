import type { StoreFirmwareRequest } from "@soc/service/contract/devices/attestation/attestation";
import type { FirmwareBody } from "@soc/service/contract/devices/registry/devices";
import type { Changed } from "../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Firmware = Wire<FirmwareBody>;
export type StoredFirmware = StoreFirmwareRequest;

export const readFirmware = (server: Server, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
  server.get<Listed<Firmware>>("/firmware", { query, signal });

/** Adds an entry to the catalog, or replaces it. */
export const storeFirmware = (server: Server, hash: string, request: StoredFirmware) =>
  server.put<Changed<Firmware>>(`/firmware/${encodeURIComponent(hash)}`, request);
