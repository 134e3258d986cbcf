import type { AlertBody } from "@soc/service/contract/alerts/alerts/alerts";
import type {
  BulkIocsRequest,
  CheckedIocs,
  ImportedIocsBody,
  IocBody,
  IocDetailBody,
  IocHitBody,
  UpdateIocRequest,
} from "@soc/service/contract/detection/iocs/iocs";
import type { Static } from "typebox";
import {
  type ChangeResult,
  formatQuery,
  type ListResponse,
  type QueryValue,
  type Server,
  type Wire,
} from "../../../app/server/server.ts";

export type Ioc = Wire<Static<typeof IocBody>>;
export type IocDetail = Wire<Static<typeof IocDetailBody>>;
export type IocHit = Wire<Static<typeof IocHitBody>>;
export type IocType = Ioc["type"];
export type IocTlp = Ioc["tlp"];
export type IocSeverity = Ioc["severity"];
export type ImportResult = Wire<Static<typeof ImportedIocsBody>>;
export type CheckedIoc = Wire<CheckedIocs>["items"][number];
export type CheckState = CheckedIoc["state"];
export type NewIoc = Wire<BulkIocsRequest>["items"][number];
export type IocAlert = Pick<Wire<Static<typeof AlertBody>>, "id" | "title" | "severity" | "status" | "last_seen">;
export type ExchangeFormat = "stix" | "misp";

export type IocsQuery = Readonly<Record<string, QueryValue>>;

export const IOC_TYPES: readonly IocType[] = [
  "ipv4",
  "ipv6",
  "cidr",
  "domain",
  "url",
  "email",
  "md5",
  "sha1",
  "sha256",
];
export const IOC_SEVERITIES: readonly IocSeverity[] = ["critical", "high", "medium", "low", "info"];
export const TLP_LEVELS: readonly IocTlp[] = ["clear", "green", "amber", "amber+strict", "red"];
export const MAX_CHECKED = 500;

export const iocKeys = {
  all: ["iocs"] as const,
  one: (id: string) => ["iocs", "one", id],
  alerts: (id: string) => ["iocs", "alerts", id],
};

const SHOWN_ALERTS = 10;
/** A large file takes longer than other requests. */
const IMPORT_TIMEOUT_MS = 120_000;

export const listIocs = (server: Server, query: IocsQuery, signal: AbortSignal) =>
  server.get<ListResponse<Ioc>>("/iocs", { query, signal });

export const readIoc = (server: Server, id: string, signal: AbortSignal) =>
  server.get<IocDetail>(`/iocs/${encodeURIComponent(id)}`, { signal });

export const listHits = (server: Server, id: string, query: IocsQuery, signal: AbortSignal) =>
  server.get<ListResponse<IocHit>>(`/iocs/${encodeURIComponent(id)}/hits`, { query, signal });

export const listIocAlerts = (server: Server, value: string, signal: AbortSignal) =>
  server.get<ListResponse<IocAlert>>("/alerts", { query: { ioc: value, limit: SHOWN_ALERTS }, signal });

/** A preview of storing these values. */
export const checkIocs = (server: Server, values: readonly string[], signal: AbortSignal) =>
  server.post<{ items: CheckedIoc[] }>("/iocs/check", { values }, { signal });

export const addIocs = (server: Server, items: readonly NewIoc[], isForced: boolean) =>
  server.post<ChangeResult<ImportResult>>("/iocs/bulk", { items, force: isForced });

export const changeIoc = (server: Server, id: string, change: Wire<UpdateIocRequest>) =>
  server.patch<ChangeResult<IocDetail>>(`/iocs/${encodeURIComponent(id)}`, change);

export const removeIoc = (server: Server, id: string) =>
  server.remove<ChangeResult<{ deleted: boolean; id: string }>>(`/iocs/${encodeURIComponent(id)}`);

export const importIocs = (server: Server, format: ExchangeFormat, file: Blob, isForced: boolean) =>
  server.post<ChangeResult<ImportResult>>("/iocs/import", file, {
    query: { format, force: isForced || undefined },
    timeoutMs: IMPORT_TIMEOUT_MS,
  });

/** Download URL of the indicators in the list. */
export function exportAddress(query: IocsQuery, format: ExchangeFormat): string {
  return `/api/v1/iocs/export${formatQuery({ ...query, format })}`;
}
