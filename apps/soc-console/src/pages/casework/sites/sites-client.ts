import type { ApiKeyBody } from "@soc/service/contract/identity/api-keys/api-keys";
import type { CreateSiteRequest, SiteBody } from "@soc/service/contract/identity/sites/sites";
import type { UserBody } from "@soc/service/contract/identity/users/users";
import type { Changed } from "../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Site = Wire<SiteBody>;
export type SiteUser = Pick<Wire<UserBody>, "username" | "role" | "sites">;
export type SiteKey = Pick<Wire<ApiKeyBody>, "id" | "name" | "owner" | "revoked" | "sites">;

export const HELD_KEY = ["sites", "held"] as const;
const MAX_HELD = 200;

export const listSites = (server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
  server.get<Listed<Site>>("/sites", { query, signal });

export const createSite = (server: Server, site: CreateSiteRequest) => server.post<Changed<Site>>("/sites", site);

export const removeSite = (server: Server, id: string) =>
  server.remove<Changed<{ deleted: boolean }>>(`/sites/${encodeURIComponent(id)}`);

/** Who may be held to a site: users and API keys. */
export async function readHeld(server: Server, signal?: AbortSignal) {
  const query = { limit: MAX_HELD };
  const [users, keys] = await Promise.all([
    server.get<Listed<SiteUser>>("/users", { query, signal }),
    server.get<Listed<SiteKey>>("/api-keys", { query, signal }),
  ]);
  return { users: users.items, keys: keys.items.filter(({ revoked }) => !revoked) };
}

/** The ways to sign in: the providers whose groups may be held to sites. */
export const readProviders = (server: Server, signal?: AbortSignal) =>
  server.get<{ providers: { id: string; label: string }[] }>("/auth/methods", { signal });
