import type { Static } from "typebox";
import type { Alert, AlertsService } from "../../alerts/module.ts";
import type { CasesService } from "../../cases/module.ts";
import type { IocsService } from "../../detection/module.ts";
import type { DevicesService } from "../../devices/module.ts";
import { toScope } from "../../foundation/caller/caller.ts";
import {
  GetAlertInput,
  GetAlertOutput,
  GetCaseInput,
  GetCaseOutput,
  GetDeviceInput,
  GetDeviceOutput,
  ListAlertsInput,
  ListAlertsOutput,
  ListCasesInput,
  ListCasesOutput,
  type ListedAlert,
  LookupIocInput,
  LookupIocOutput,
} from "./read-tools.schema.ts";
import { COMPLETED, defineTool, type Tool } from "./tool.ts";

export interface RecordToolsDeps {
  alerts: Pick<AlertsService, "get" | "list">;
  cases: Pick<CasesService, "get" | "list">;
  iocs: Pick<IocsService, "list">;
  devices: Pick<DevicesService, "getNamed">;
}

const BUDGET_MS = 10_000;
/** A value has at most one indicator of each type. */
const MAX_IOCS = 20;

/** Creates the tools that read one record. */
export function createRecordTools({ alerts, cases, iocs, devices }: RecordToolsDeps): Tool[] {
  return [
    defineTool({
      name: "get_alert",
      description: "Reads one alert.",
      permission: "alerts:read",
      input: GetAlertInput,
      output: GetAlertOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      bySite: true,
      run: async ({ caller }, { alert_id }) => ({ ...COMPLETED, alert: await alerts.get(toScope(caller), alert_id) }),
    }),

    defineTool({
      name: "get_case",
      description: "Reads one case with the newest entries of its timeline, observables, evidence, comments and tasks.",
      permission: "cases:read",
      input: GetCaseInput,
      output: GetCaseOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      bySite: true,
      run: async ({ caller }, { case_id }) => ({ ...COMPLETED, case: await cases.get(toScope(caller), case_id) }),
    }),

    defineTool({
      name: "get_device",
      description: "Reads one device by its id or name, with its certificate, firmware and last attestation.",
      permission: "cps:read",
      input: GetDeviceInput,
      output: GetDeviceOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      bySite: true,
      run: async ({ caller }, { device_id }) => ({
        ...COMPLETED,
        device: await devices.getNamed(toScope(caller), device_id),
      }),
    }),

    defineTool({
      name: "list_alerts",
      description: "Lists alerts, newest first. from and to limit when an alert was last seen; q searches its title.",
      permission: "alerts:read",
      input: ListAlertsInput,
      output: ListAlertsOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      bySite: true,
      async run({ caller }, query) {
        const { items, total, total_is_estimate } = await alerts.list(toScope(caller), query);
        return {
          ...COMPLETED,
          total,
          ...(total_is_estimate && { total_is_estimate }),
          alerts: items.map(toListedAlert),
        };
      },
    }),

    defineTool({
      name: "list_cases",
      description: "Lists cases, newest first. q searches the title.",
      permission: "cases:read",
      input: ListCasesInput,
      output: ListCasesOutput,
      budgetMs: BUDGET_MS,
      changes: false,
      bySite: true,
      async run({ caller }, query) {
        const { items, total, total_is_estimate } = await cases.list(toScope(caller), query);
        return {
          ...COMPLETED,
          total,
          ...(total_is_estimate && { total_is_estimate }),
          cases: items.map(({ description: _description, ...listed }) => listed),
        };
      },
    }),

    defineTool({
      name: "lookup_ioc",
      description: "Looks up an address, domain, URL, e-mail address or hash among the known indicators.",
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

/** Returns the list form of an alert; `get_alert` returns all fields. */
function toListedAlert(alert: Alert): Static<typeof ListedAlert> {
  const { id, title, severity, status, source, host, user, site, rule_id, mitre_techniques } = alert;
  const { occurrence_count, first_seen, last_seen, case_id, assignee } = alert;
  return {
    ...{ id, title, severity, status, source, host, user, site, rule_id, mitre_techniques, case_id, assignee },
    ...{ occurrence_count, first_seen, last_seen },
  };
}
