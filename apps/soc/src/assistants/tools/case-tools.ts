import { invalidField } from "@kit/problem";
import type { AlertsService } from "../../alerts/module.ts";
import type { CaseItemsService, CasesService } from "../../cases/module.ts";
import { type Scope, toScope } from "../../foundation/caller/caller.ts";
import { CreateCaseInput, CreateCaseOutput, UpdateCaseInput, UpdateCaseOutput } from "./documented-tools.schema.ts";
import { defineTool, type Tool } from "./tool.ts";

export interface CaseToolsDeps {
  alerts: Pick<AlertsService, "get">;
  cases: Pick<CasesService, "open" | "update" | "keep">;
  items: Pick<CaseItemsService, "addComment">;
}

const BUDGET_MS = 15_000;
const UNTITLED = "Untitled case";

export function createCaseTools({ alerts, cases, items }: CaseToolsDeps): Tool[] {
  /** The document requires no title, but a case must have one. */
  async function chooseTitle(scope: Scope, [first]: readonly string[]): Promise<string> {
    return first === undefined ? UNTITLED : (await alerts.get(scope, first)).title;
  }

  return [
    defineTool({
      name: "create_case",
      description: "Opens a case and links alerts to it. Without a title the case is named after its first alert.",
      permission: "cases:write",
      input: CreateCaseInput,
      output: CreateCaseOutput,
      budgetMs: BUDGET_MS,
      changes: true,
      async run({ caller, change }, { title, alert_ids = [], ...fields }) {
        const named = title ?? (await chooseTitle(toScope(caller), alert_ids));
        const request = { ...fields, title: named, alert_ids };
        const { dry_run, result } = await change((tx) => cases.open(tx, caller, request));
        return { case_id: result.id, status: "open" as const, ...(dry_run && { dry_run }) };
      },
    }),

    defineTool({
      name: "update_case",
      description: "Changes the status or the severity of a case, and adds notes to it as a comment.",
      permission: "cases:write",
      input: UpdateCaseInput,
      output: UpdateCaseOutput,
      budgetMs: BUDGET_MS,
      changes: true,
      async run({ caller, change }, { case_id, notes, ...fields }) {
        const isPatch = Object.keys(fields).length > 0;
        if (!isPatch && notes === undefined) throw invalidField("status", "is required without notes and severity");
        const { dry_run, result } = await change(async (tx) => {
          const updated = isPatch
            ? await cases.update(tx, caller, case_id, fields)
            : await cases.keep(tx, toScope(caller), case_id);
          if (notes !== undefined) await items.addComment(tx, caller, case_id, { body: notes });
          return updated;
        });
        return { case_id: result.id, status: result.status, ...(dry_run && { dry_run }) };
      },
    }),
  ];
}
