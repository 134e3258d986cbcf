import type { Base, Registrations } from "../../foundation/base.ts";
import { caseTemplatesRoutes } from "./case-templates.routes.ts";
import { createCaseTemplatesService } from "./case-templates.service.ts";
import { createCaseTemplatesStore, createShowcaseCaseTemplates } from "./case-templates.store.ts";

/** Templates for new cases. */
export function createCaseTemplates(base: Base) {
  const stores = base.sources(createCaseTemplatesStore, createShowcaseCaseTemplates);
  const templates = createCaseTemplatesService({ ...base, stores });
  return {
    services: { caseTemplates: templates },
    registrations: {
      routes: [caseTemplatesRoutes(templates, base.changes)],
      readers: { case_template: ["cases:read"] as const },
    } satisfies Registrations,
  };
}
