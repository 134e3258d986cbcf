import { createCaseFiles, type FileStorage } from "../casework/case-files/case-files.feature.ts";
import { createCaseMerges } from "../casework/case-merges/case-merges.feature.ts";
import { createCaseSla } from "../casework/case-sla/case-sla.feature.ts";
import { createCaseTemplates } from "../casework/case-templates/case-templates.feature.ts";
import { type CasesNeeds, createCases } from "../casework/cases/cases.feature.ts";
import type { Base } from "../foundation/base.ts";

/** Creates the cases, and the features that belong to them. */
export function createCaseFeatures(base: Base, needs: CasesNeeds & { storage: FileStorage }) {
  const cases = createCases(base, needs);
  const { caseFiles, ...files } = createCaseFiles(base, { ...needs, ...cases });
  const { listNear, ...sla } = createCaseSla(base);
  const { caseTemplates, ...templates } = createCaseTemplates(base);
  const besides = [files, sla, templates, createCaseMerges(base, needs)] as const;
  return { ...cases, caseFiles, caseTemplates, listNear, besides };
}
