import type {
  SourceSettings,
  UpdateSourceRequest,
} from "@soc/service/contract/logs/intake/source-settings/source-settings";
import type { Histogram } from "@soc/service/contract/logs/log-summaries/log-summaries";
import type { SourceBody } from "@soc/service/contract/logs/search/sources";
import type { Changed } from "../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Source = Wire<SourceBody>;
export type SourceHistogram = Wire<Histogram>;

export const listSources = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<Listed<Source>>("/siem/sources", { query, signal });

export const updateSource = (server: Server, source: string, changes: UpdateSourceRequest) =>
  server.patch<Changed<SourceSettings>>(`/siem/sources/${encodeURIComponent(source)}`, changes);

/** What is stored over time. */
export const readHistogram = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<SourceHistogram>("/siem/logs/histogram", { query, signal });
