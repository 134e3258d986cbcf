import { PERMISSIONS } from "./permissions.schema.ts";
import { isAllowed, type Needs, type Permission, type Role } from "./permissions.ts";

/** Who makes a request. The first argument of every service method that depends on it. */
export interface Caller {
  kind: "user" | "api_key";
  username: string;
  role: Role;
  /** Of a user: a later version of the user ends what this caller may do. */
  token_version?: number;
  /** Of a browser: the hash of its session, which may end before the access of its user does. */
  session?: string;
  /** Of a user: when this session or token last had a second factor. */
  factor_at?: Date;
  /** Of a user: this session or token must have a second factor before it may do anything else. */
  lacksFactor?: boolean;
  /** What an API key may do; replaces the permissions of its role. */
  scopes?: readonly Permission[];
  /** The ids and names of the sites that the caller works for; all sites if undefined. See `toScope`. */
  sites?: readonly string[];
}

/**
 * The same callers with their present roles. One that is missing may do nothing any more, or works for other sites now: what
 * it has opened ends, and is opened again with the present ones.
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

/** Who makes this request. A route that is not public always has one: requireCaller saw to it. */
export function callerOf({ caller, routeOptions }: RequestOfCaller): Caller {
  if (!caller) throw new Error(`${routeOptions.url} is public and has no caller`);
  return caller;
}

/** What the caller lacks, in words. Only for a caller who is not allowed. */
export function formatRefusal(caller: Caller, needs: Needs): string {
  const { kind, role } = caller;
  if (typeof needs === "string")
    return kind === "api_key" ? "an API key may not do this" : `role '${role}' is not 'admin'`;
  const missing = needs.filter((permission) => !isCallerAllowed(caller, [permission])).join(", ");
  return kind === "api_key" ? `the scopes of this API key lack ${missing}` : `role '${role}' lacks ${missing}`;
}

/** An API key has the permissions in its scopes and never those of a role; a user has those of the role. */
export function isCallerAllowed({ role, scopes }: Caller, needs: Needs): boolean {
  if (!scopes || needs === "public" || needs === "authenticated") return isAllowed(role, needs);
  return typeof needs !== "string" && needs.every((permission) => scopes.includes(permission));
}

export function listPermissions(caller: Caller): Permission[] {
  return PERMISSIONS.filter((permission) => isCallerAllowed(caller, [permission]));
}
