import type { LogFieldsFound } from "@soc/service/contract/logs/log-fields/log-fields";
import type { LogFacets as Facets, Histogram, Split } from "@soc/service/contract/logs/log-summaries/log-summaries";
import type { ProcessTree as Tree } from "@soc/service/contract/logs/processes/processes";
import type { LogBody, LogsAroundBody } from "@soc/service/contract/logs/search/logs";
import type { PromotedBody } from "@soc/service/contract/logs/search/promote";
import type { ChangeResult, ListResponse, Server, Wire } from "../../../app/server/server.ts";

export type Log = Wire<LogBody>;
export type LogHistogram = Wire<Histogram>;
export type LogFacets = Wire<Facets>;
export type LogFields = Wire<LogFieldsFound>;
export type LogsAround = Wire<LogsAroundBody>;
export type ProcessTree = Wire<Tree>;
export type PromoteResult = Wire<PromotedBody>;
export type HistogramSplit = Split;

/** The search parameters. All requests of one run share them, so that they count the same logs. */
export interface LogSearch {
  query: string;
  /** Instants. */
  from: string;
  to: string;
  /** The name by which the service cancels all requests of the run. */
  searchId: string;
}

const PAGE_ROWS = 100;
const HISTOGRAM_BUCKETS = 120;
const MAX_FACET_VALUES = 8;
const MAX_FIELDS = 500;
/** The service ends a search after 20 seconds; the page waits a little longer. */
const SEARCH_TIMEOUT_MS = 25_000;

export const searchKeys = {
  histogram: (run: string, by: string) => ["logs", "histogram", run, by],
  facets: (run: string, fields: readonly string[]) => ["logs", "facets", run, ...fields],
  fields: (run: string) => ["logs", "fields", run],
  one: (id: string) => ["logs", "one", id],
  around: (id: string) => ["logs", "around", id],
  tree: (id: string) => ["logs", "process-tree", id],
};

function toQuery({ query, from, to, searchId }: LogSearch) {
  return { query: query === "" ? undefined : query, from, to, search_id: searchId };
}

export function searchLogs(server: Server, search: LogSearch, cursor: string | undefined, signal: AbortSignal) {
  return server.get<ListResponse<Log>>("/siem/logs", {
    query: { ...toQuery(search), cursor, limit: PAGE_ROWS },
    signal,
    priority: "user",
    timeoutMs: SEARCH_TIMEOUT_MS,
  });
}

export function readHistogram(server: Server, search: LogSearch, by: HistogramSplit, signal: AbortSignal) {
  return server.get<LogHistogram>("/siem/logs/histogram", {
    query: { ...toQuery(search), by, buckets: HISTOGRAM_BUCKETS },
    signal,
  });
}

export function readFacets(server: Server, search: LogSearch, fields: readonly string[], signal: AbortSignal) {
  return server.get<LogFacets>("/siem/logs/facets", {
    query: { ...toQuery(search), fields, limit: MAX_FACET_VALUES },
    signal,
  });
}

export function readFields(server: Server, search: LogSearch, signal: AbortSignal) {
  return server.get<LogFields>("/siem/fields", { query: { ...toQuery(search), limit: MAX_FIELDS }, signal });
}

/** Values of a field with a prefix, for the editor. */
export async function completeValues(server: Server, field: string, prefix: string, { from, to }: LogSearch) {
  const { values } = await server.get<{ values: { value: string; count: number }[] }>(
    `/siem/fields/${encodeURIComponent(field)}/values`,
    { query: { prefix, from, to }, priority: "prefetch" },
  );
  return values;
}

/** Cancels every request of a run in the log engine. A finished run is unknown to the service. */
export function cancelSearch(server: Server, searchId: string) {
  return server.remove<{ cancelled: number }>(`/siem/searches/${searchId}`);
}

export function readLog(server: Server, id: string, signal: AbortSignal) {
  return server.get<Log>(`/siem/logs/${encodeURIComponent(id)}`, { signal });
}

export function readAround(server: Server, id: string, isSameHost: boolean, signal: AbortSignal) {
  return server.get<LogsAround>(`/siem/logs/${encodeURIComponent(id)}/around`, {
    query: { before: 100, after: 100, same: isSameHost ? "host" : undefined },
    signal,
  });
}

export interface ProcessQuery {
  host: string;
  at: string;
  pid?: string | undefined;
  guid?: string | undefined;
}

export function readProcessTree(server: Server, { host, at, pid, guid }: ProcessQuery, signal: AbortSignal) {
  return server.get<ProcessTree>("/siem/process-tree", { query: { host, at, pid, guid }, signal });
}

/** With a rule, the alert belongs to it, and its suppressions can refuse it. */
export function promoteLog(server: Server, id: string, isWithCase: boolean, ruleId: string | undefined) {
  return server.post<ChangeResult<PromoteResult>>(`/siem/logs/${encodeURIComponent(id)}/promote`, {
    create_case: isWithCase,
    ...(ruleId !== undefined && { rule_id: ruleId }),
  });
}

export interface ExportWish {
  format: "ndjson" | "csv";
  limit: number;
}

/** The browser downloads this address. */
export function exportAddress({ query, from, to }: LogSearch, { format, limit }: ExportWish): string {
  const wish = new URLSearchParams({ ...(query !== "" && { query }), from, to, format, limit: String(limit) });
  return `/api/v1/siem/logs/export?${wish}`;
}

export function tailAddress(query: string): string {
  return `/api/v1/siem/logs/tail${query === "" ? "" : `?${new URLSearchParams({ query })}`}`;
}
