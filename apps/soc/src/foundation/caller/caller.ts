import type { FastifyRequest } from "fastify";
import { isAllowed, type Needs, type Permission, type Role } from "./permissions.ts";

/** Who makes a request. The first argument of every service that decides by it. */
export interface Caller {
  kind: "user" | "api_key";
  username: string;
  role: Role;
  /** What an API key may do, in place of what its role may. */
  scopes?: readonly Permission[];
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Who makes this request. A route that is not public always has one: requireCaller saw to it. */
export function callerOf({ caller, routeOptions }: FastifyRequest): Caller {
  if (!caller) throw new Error(`${routeOptions.url} is public and has no caller`);
  return caller;
}

/** A key holds what its scopes name and never a role's rights; a user holds what the role holds. */
export function isCallerAllowed({ role, scopes }: Caller, needs: Needs): boolean {
  if (!scopes || needs === "public" || needs === "authenticated") return isAllowed(role, needs);
  return needs !== "role:admin" && needs.every((permission) => scopes.includes(permission));
}
