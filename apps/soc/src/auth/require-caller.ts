import type { Frame } from "@kit/http/frame";
import type { Budget, FixedWindows } from "@kit/http/limits";
import { isBelow, pathOf } from "@kit/http/pages";
import { Problem, rateLimited } from "@kit/problem";
import type { FastifyRequest } from "fastify";
import { isAllowed, type Needs } from "./permissions.ts";
import type { Caller, Tokens } from "./tokens.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    needs?: Needs;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

export interface RequireCallerDeps {
  tokens: Pick<Tokens, "verify">;
  windows: FixedWindows;
  general: Budget;
}

/** Default deny: a route says what it needs, or the service does not start; every other path below /api/v1 needs a caller. */
export function requireCaller(app: Frame, { tokens, windows, general }: RequireCallerDeps): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.needs) throw new Error(`${String(method)} ${url} declares no needs`);
  });
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    const needs = needsOf(request);
    if (needs === "public") return;
    const [scheme, token = ""] = request.headers.authorization?.split(" ", 2) ?? [];
    const caller = scheme?.toLowerCase() === "bearer" ? await tokens.verify(token) : undefined;
    if (!caller) throw new Problem("unauthenticated", "Authorization: a valid bearer token is needed");
    const waitMs = windows.take(general, caller.username);
    if (waitMs > 0) throw rateLimited(`more than ${general.limit} requests a minute; see Retry-After`, waitMs);
    if (!isAllowed(caller.role, needs)) throw new Problem("forbidden", `role '${caller.role}' may not do this`);
    request.caller = caller;
  });
}

function needsOf(request: FastifyRequest): Needs {
  if (request.is404) return isBelow(pathOf(request), "/api/v1") ? "authenticated" : "public";
  return request.routeOptions.config.needs ?? "role:admin";
}
