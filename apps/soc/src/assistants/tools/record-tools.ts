import type { AlertsService } from "../../casework/alerts/alerts.service.ts";
import type { CasesService } from "../../casework/cases/cases.service.ts";
import type { IocsService } from "../../detection/iocs/iocs.service.ts";
import {
  GetAlertInput,
  GetAlertOutput,
  GetCaseInput,
  GetCaseOutput,
  LookupIocInput,
  LookupIocOutput,
} from "./read-tools.schema.ts";
import { COMPLETED, defineTool, type Tool } from "./tool.ts";

export interface RecordToolsDeps {
  alerts: Pick<AlertsService, "get">;
  cases: Pick<CasesService, "get">;
  iocs: Pick<IocsService, "list">;
}

const BUDGET_MS = 10_000;
/** Each type has at most one indicator of a value. */
const MAX_IOCS = 20;

/** The tools that read one record. */
export function createRecordTools({ alerts, cases, iocs }: RecordToolsDeps): Tool[] {
  return [
    defineTool({
      name: "get_alert",
      description: "Reads one alert.",
      permission: "alerts:read",
      input: GetAlertInput,
      output: GetAlertOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      run: async (_, { alert_id }) => ({ ...COMPLETED, alert: await alerts.get(alert_id) }),
    }),

    defineTool({
      name: "get_case",
      description: "Reads one case with the newest entries of its timeline, observables, evidence, comments and tasks.",
      permission: "cases:read",
      input: GetCaseInput,
      output: GetCaseOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      run: async (_, { case_id }) => ({ ...COMPLETED, case: await cases.get(case_id) }),
    }),

    defineTool({
      name: "lookup_ioc",
      description: "Looks an address, a domain, a URL, an e-mail address or a hash up among the known indicators.",
      permission: "iocs:read",
      input: LookupIocInput,
      output: LookupIocOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      async run(_, asked) {
        const { items } = await iocs.list({ ...asked, limit: MAX_IOCS });
        return { ...COMPLETED, found: items.length > 0, iocs: items };
      },
    }),
  ];
}
