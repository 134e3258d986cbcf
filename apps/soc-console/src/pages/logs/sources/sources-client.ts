import type {
  SourceSettings,
  UpdateSourceRequest,
} from "@soc/service/contract/logs/intake/source-settings/source-settings";
import type { Histogram } from "@soc/service/contract/logs/log-summaries/log-summaries";
import type { SourceBody } from "@soc/service/contract/logs/search/sources";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Source = Wire<SourceBody>;
export type SourceHistogram = Wire<Histogram>;

export const listSources = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<ListResponse<Source>>("/siem/sources", { query, signal });

export const updateSource = (server: Server, source: string, changes: UpdateSourceRequest) =>
  server.patch<ChangeResult<SourceSettings>>(`/siem/sources/${encodeURIComponent(source)}`, changes);

/** Stored logs over time. */
export const readHistogram = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<SourceHistogram>("/siem/logs/histogram", { query, signal });
