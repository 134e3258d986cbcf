import type { RulesService } from "../../detection/rules/rules.service.ts";
import type { AuditService } from "../../foundation/audit/audit.service.ts";
import type { Base } from "../../foundation/base.ts";
import { pagesRoutes } from "./pages.routes.ts";
import { createPagesService, type PagesServiceDeps } from "./pages.service.ts";

export interface PagesNeeds extends Omit<PagesServiceDeps, "clock" | "audit" | "rules"> {
  auditLog: AuditService;
  detections: { rules: RulesService };
}

/** The pages of an alert and of a case, each in one request. */
export function createPages({ clock }: Base, { auditLog, detections, ...needs }: PagesNeeds) {
  const pages = createPagesService({ ...needs, audit: auditLog, rules: detections.rules, clock });
  return { routes: [pagesRoutes(pages)] };
}
