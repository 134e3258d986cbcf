import { invalidField } from "@kit/problem";
import type { CasesService } from "../../cases/module.ts";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import type { CreateReportRequest } from "./reports.schema.ts";

/** Refuses a report that shows more than the scope: a report without a case reads the records of all sites. */
export async function requireReportScope(
  cases: Pick<CasesService, "get">,
  scope: Scope,
  { case_id }: Pick<CreateReportRequest, "case_id">,
): Promise<void> {
  if (scope === ALL_SITES) return;
  if (case_id === undefined) throw invalidField("case_id", "is required, because the execution is limited to a site");
  await cases.get(scope, case_id);
}
