import type { ApiKeyBody, CreateApiKeyRequest, NewApiKeyBody } from "@soc/service/contract/identity/api-keys/api-keys";
import type { DirectoryUserBody } from "@soc/service/contract/identity/users/users";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type ApiKey = Wire<ApiKeyBody>;
/** The only response that contains the key. Only the dialog that shows it keeps it. */
export type NewApiKey = Wire<NewApiKeyBody>;

export const listKeys = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<ListResponse<ApiKey>>("/api-keys", { query, signal });

export const createKey = (server: Server, request: CreateApiKeyRequest) =>
  server.post<ChangeResult<NewApiKey>>("/api-keys", request);

export const endKey = (server: Server, id: string) =>
  server.remove<ChangeResult<{ deleted: boolean }>>(`/api-keys/${encodeURIComponent(id)}`);

export const listOwners = (server: Server, signal?: AbortSignal) =>
  server.get<ListResponse<DirectoryUserBody>>("/directory/users", { query: { limit: 200 }, signal });
