import type { RulesService } from "../../detection/module.ts";
import type { Base } from "../../foundation/base.ts";
import type { Registrations } from "../../foundation/registrations.ts";
import { pagesRoutes } from "./pages.routes.ts";
import { createPagesService, type PagesServiceDeps } from "./pages.service.ts";

export interface PagesNeeds extends Omit<PagesServiceDeps, "clock" | "rules"> {
  detections: { rules: RulesService };
}

/** The pages of an alert and of a case, each in one request. */
export function createPages({ clock }: Base, { detections, ...needs }: PagesNeeds) {
  const pages = createPagesService({ ...needs, rules: detections.rules, clock });
  return { services: {}, registrations: { routes: [pagesRoutes(pages)] } satisfies Registrations };
}
