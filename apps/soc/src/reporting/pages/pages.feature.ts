import type { RulesService } from "../../detection/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import { pagesRoutes } from "./pages.routes.ts";
import { createPagesService, type PagesServiceDeps } from "./pages.service.ts";

export interface PagesNeeds extends Omit<PagesServiceDeps, "clock" | "rules"> {
  detections: { rules: RulesService };
}

/** Serves the page of an alert and of a case in one request each. */
export function createPages({ clock }: Base, { detections, ...needs }: PagesNeeds) {
  const pages = createPagesService({ ...needs, rules: detections.rules, clock });
  return { services: {}, registrations: { routes: [pagesRoutes(pages)] } satisfies Registrations };
}
