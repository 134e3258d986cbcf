import type { AuditEntryBody } from "@soc/service/contract/foundation/audit/audit";
import type { ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type AuditEntry = Wire<AuditEntryBody>;
export type ExportFormat = "ndjson" | "csv";

/** Exporting a long log takes time. */
const EXPORT_TIMEOUT_MS = 600_000;

type Query = Readonly<Record<string, QueryValue>>;

export function listAudit(server: Server, query: Query, signal: AbortSignal) {
  return server.get<ListResponse<AuditEntry>>("/audit", { query, signal });
}

/** Exports every entry of the filter without a limit. The export itself is audited. */
export function exportAudit(server: Server, query: Query, format: ExportFormat): Promise<Blob> {
  return server.download("/audit/export", {
    query: { ...query, format },
    priority: "user",
    timeoutMs: EXPORT_TIMEOUT_MS,
  });
}
