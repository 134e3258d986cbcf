import type { Tx } from "../database/tables.ts";
import { PERMISSIONS } from "./permissions.schema.ts";
import { isAllowed, type Needs, type Permission, type Role } from "./permissions.ts";

/**
 * The sites whose records a query may read: all, or those that a record names by one of these ids or names. Every store
 * of records with a site takes a scope. A record without a site is only in the scope of all sites.
 */
export type Scope = typeof ALL_SITES | readonly string[];

export const ALL_SITES = "all sites" as const;

/** A site to which users and API keys are bound. It is never renamed. */
export interface SiteName {
  id: string;
  name: string;
}

/** Returns the sites with these ids or names, inside a transaction. Unknown sites are missing in the result. */
export type FindSites = (tx: Tx, texts: readonly string[]) => Promise<SiteName[]>;

/** Names of agents, automations, API keys and other parts of the platform have a prefix: `agent:`, `key:`. */
export function isPerson(username: string): boolean {
  return !username.includes(":");
}

export function toScope({ sites }: Pick<Caller, "sites">): Scope {
  return sites ?? ALL_SITES;
}

/** Some records store the id of their site, others its name. */
export function listTexts(sites: readonly SiteName[]): string[] {
  return sites.flatMap(({ id, name }) => [id, name]);
}

/** Returns the sites that these ids and names belong to. */
export function pairTexts(texts: readonly string[]): SiteName[] {
  return texts.flatMap((id, place) => {
    const name = texts[place + 1];
    return place % 2 === 0 && name !== undefined ? [{ id, name }] : [];
  });
}

/** Returns the names of the sites in the scope; empty for all sites. */
export function listSiteNames(scope: Scope): string[] {
  return scope === ALL_SITES ? [] : pairTexts(scope).map(({ name }) => name);
}

/** Returns the name of the site if the scope contains exactly one. */
export function findOnlySite(scope: Scope): string | undefined {
  return scope !== ALL_SITES && scope.length === 2 ? scope[1] : undefined;
}

export function isSameScope(one: Scope, other: Scope): boolean {
  if (one === ALL_SITES || other === ALL_SITES) return one === other;
  return one.length === other.length && one.every((text) => other.includes(text));
}

export function includesSite(scope: Scope, site: string | null): boolean {
  return scope === ALL_SITES || (site !== null && scope.includes(site));
}

/** The user or API key that makes a request. It is the first argument of every service method that depends on it. */
export interface Caller {
  kind: "user" | "api_key";
  username: string;
  role: Role;
  /** Users only. The access ends when the user's version increases. */
  token_version?: number;
  /** Users only: the hash of the session, which may end before the user's access does. Tokens of 2.0.0 have none. */
  session?: string;
  /** Users only: the credential is a bearer token and not the cookie of the session. */
  byToken?: boolean;
  /** Users only: when this session or token last passed a second factor. */
  factor_at?: Date;
  /** Users only: this session or token must pass a second factor before any other request. */
  lacksFactor?: boolean;
  /** The permissions of an API key. They replace those of its role. */
  scopes?: readonly Permission[];
  /** The ids and names of the sites that the caller works for; all sites if undefined. See `toScope`. */
  sites?: readonly string[];
}

/**
 * Returns the same callers with their current roles. Missing callers have lost their permissions or changed sites: the
 * work that they opened ends, and they must open it again with the current rights.
 */
export type RefreshCallers = (callers: readonly Caller[]) => Promise<ReadonlyMap<Caller, Caller>>;

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

export interface RequestOfCaller {
  caller: Caller | null;
  routeOptions: { url?: string | undefined };
}

/** Returns the caller of the request. Routes that are not public always have one, because requireCaller runs first. */
export function callerOf({ caller, routeOptions }: RequestOfCaller): Caller {
  if (!caller) throw new Error(`${routeOptions.url} is public and has no caller`);
  return caller;
}

/** Explains what the caller lacks. Call it only for a caller who is not allowed. */
export function formatRefusal(caller: Caller, needs: Needs): string {
  const { kind, role } = caller;
  if (typeof needs === "string")
    return kind === "api_key" ? "an API key may not do this" : `role '${role}' is not 'admin'`;
  const missing = needs.filter((permission) => !isCallerAllowed(caller, [permission])).join(", ");
  return kind === "api_key" ? `the scopes of this API key lack ${missing}` : `role '${role}' lacks ${missing}`;
}

/** An API key has exactly the permissions in its scopes; a user has those of the role. */
export function isCallerAllowed({ role, scopes }: Caller, needs: Needs): boolean {
  if (!scopes || needs === "public" || needs === "authenticated") return isAllowed(role, needs);
  return typeof needs !== "string" && needs.every((permission) => scopes.includes(permission));
}

export function listPermissions(caller: Caller): Permission[] {
  return PERMISSIONS.filter((permission) => isCallerAllowed(caller, [permission]));
}
