import type { ApiKeyBody } from "@soc/service/contract/identity/api-keys/api-keys";
import type { CreateSiteRequest, SiteBody } from "@soc/service/contract/identity/sites/sites";
import type { UserBody } from "@soc/service/contract/identity/users/users";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Site = Wire<SiteBody>;
export type SiteUser = Pick<Wire<UserBody>, "username" | "role" | "sites">;
export type SiteKey = Pick<Wire<ApiKeyBody>, "id" | "name" | "owner" | "revoked" | "sites">;

export const HELD_KEY = ["sites", "held"] as const;
const MAX_HELD = 200;

export const listSites = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<ListResponse<Site>>("/sites", { query, signal });

export const createSite = (server: Server, site: CreateSiteRequest) => server.post<ChangeResult<Site>>("/sites", site);

export const removeSite = (server: Server, id: string) =>
  server.remove<ChangeResult<{ deleted: boolean }>>(`/sites/${encodeURIComponent(id)}`);

/** Users and API keys, which can be restricted to a site. */
export async function readHeld(server: Server, signal?: AbortSignal) {
  const query = { limit: MAX_HELD };
  const [users, keys] = await Promise.all([
    server.get<ListResponse<SiteUser>>("/users", { query, signal }),
    server.get<ListResponse<SiteKey>>("/api-keys", { query, signal }),
  ]);
  return { users: users.items, keys: keys.items.filter(({ revoked }) => !revoked) };
}

/** The sign-in providers whose groups can be restricted to sites. */
export const readProviders = (server: Server, signal?: AbortSignal) =>
  server.get<{ providers: { id: string; label: string }[] }>("/auth/methods", { signal });
