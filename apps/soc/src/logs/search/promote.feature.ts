import type { Base, Registrations } from "../../foundation/base.ts";
import { promoteRoutes } from "./promote.routes.ts";
import { createPromoteService, type PromoteServiceDeps } from "./promote.service.ts";

/** Turns a log into an alert, with the words of a rule if one is given. */
export function createPromotions({ changes, audit }: Base, needs: Omit<PromoteServiceDeps, "audit">) {
  return {
    services: {},
    registrations: {
      routes: [promoteRoutes(createPromoteService({ ...needs, audit }), changes)],
    } satisfies Registrations,
  };
}
