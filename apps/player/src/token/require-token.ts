import type { Frame } from "@kit/http/frame";
import { Problem } from "@kit/problem";
import type { FastifyRequest } from "fastify";
import type { BudgetName } from "../budgets.ts";
import { isBearerToken } from "./token.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: "none" | "token";
    budget?: BudgetName;
  }
}

/** Default deny: every route must declare its access and its budget, or the service does not start. */
export function requireToken(app: Frame, currentToken: () => string, onWrongToken?: () => void): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.access || !config.budget) throw new Error(`${String(method)} ${url} declares no access or no budget`);
  });
  app.addHook("onRequest", async (request) => {
    if (isPublic(request)) return;
    const [presented, ...others] = listAuthorizations(request);
    if (others.length === 0 && isBearerToken(currentToken(), presented)) return;
    if (presented !== undefined) onWrongToken?.();
    throw new Problem("unauthenticated", "Authorization: must be 'Bearer' and the device's token");
  });
}

/** Without the token a caller cannot learn which mutations exist: an unknown one is refused like a known one. */
function isPublic({ is404, method, routeOptions }: FastifyRequest): boolean {
  return is404 ? method === "GET" || method === "HEAD" : routeOptions.config.access === "none";
}

/** All authorization headers as sent: of two headers Node keeps the first and hides the second. */
function listAuthorizations({ raw: { rawHeaders } }: FastifyRequest): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "authorization");
}
