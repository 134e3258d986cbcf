import type { ApiKeyBody, CreateApiKeyRequest, NewApiKeyBody } from "@soc/service/contract/identity/api-keys/api-keys";
import type { DirectoryUserBody } from "@soc/service/contract/identity/users/users";
import type { Changed } from "../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type ApiKey = Wire<ApiKeyBody>;
/** The only answer that has the key itself. It is kept in the dialog that shows it, and nowhere else. */
export type NewApiKey = Wire<NewApiKeyBody>;

export const listKeys = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<Listed<ApiKey>>("/api-keys", { query, signal });

export const createKey = (server: Server, request: CreateApiKeyRequest) =>
  server.post<Changed<NewApiKey>>("/api-keys", request);

export const endKey = (server: Server, id: string) =>
  server.remove<Changed<{ deleted: boolean }>>(`/api-keys/${encodeURIComponent(id)}`);

export const listOwners = (server: Server, signal?: AbortSignal) =>
  server.get<Listed<DirectoryUserBody>>("/directory/users", { query: { limit: 200 }, signal });
