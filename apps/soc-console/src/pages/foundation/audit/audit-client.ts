import type { AuditEntryBody } from "@soc/service/contract/foundation/audit/audit";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type AuditEntry = Wire<AuditEntryBody>;
export type ExportFormat = "ndjson" | "csv";

/** A long log takes its time. */
const EXPORT_TIMEOUT_MS = 600_000;

type Query = Readonly<Record<string, QueryValue>>;

export function listAudit(server: Server, query: Query, signal: AbortSignal) {
  return server.get<Listed<AuditEntry>>("/audit", { query, signal });
}

/** Every entry of the filter, without a limit. Leaves an entry itself. */
export function exportAudit(server: Server, query: Query, format: ExportFormat): Promise<Blob> {
  return server.download("/audit/export", {
    query: { ...query, format },
    priority: "user",
    timeoutMs: EXPORT_TIMEOUT_MS,
  });
}
