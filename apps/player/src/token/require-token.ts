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

export interface TokenCheck {
  current: () => string;
  /** Called for every request with a wrong token. */
  onWrong?: () => void;
  /** Called for every request with the right token to a route that needs it. */
  onRight?: () => void;
}

/** Default deny: every route must declare its access and its budget, or the service does not start. */
export function requireToken(app: Frame, { current, onWrong, onRight }: TokenCheck): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.access || !config.budget) throw new Error(`${String(method)} ${url} declares no access or no budget`);
  });
  app.addHook("onRequest", async (request) => {
    if (isPublic(request)) return;
    if (hasToken(request, current())) return onRight?.();
    if (listAuthorizations(request).length > 0) onWrong?.();
    throw new Problem("unauthenticated", "Authorization: must be 'Bearer' and the device's token");
  });
}

/** Whether a request proves, by exactly one header, that it comes from the owner. */
export function hasToken(request: FastifyRequest, token: string): boolean {
  const [presented, ...others] = listAuthorizations(request);
  return others.length === 0 && isBearerToken(token, presented);
}

/** Without the token a caller cannot learn which mutations exist: an unknown one is refused like a known one. */
function isPublic({ is404, method, routeOptions }: FastifyRequest): boolean {
  return is404 ? method === "GET" || method === "HEAD" : routeOptions.config.access === "none";
}

/** All authorization headers as sent: of two headers Node keeps the first and hides the second. */
function listAuthorizations({ raw: { rawHeaders } }: FastifyRequest): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "authorization");
}
