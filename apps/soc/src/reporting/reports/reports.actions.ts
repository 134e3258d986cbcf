import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { CasesService } from "../../cases/module.ts";
import type { ActionContext, OutsideAction } from "../../foundation/actions/action.ts";
import { requireReportScope } from "./report-scope.ts";
import { type CreateReportRequest, REPORT_FORMATS, REPORT_TYPES } from "./reports.schema.ts";
import type { ReportsService } from "./reports.service.ts";

const Params = Type.Object(
  {
    report_type: Type.Optional(Type.Enum([...REPORT_TYPES])),
    format: Type.Optional(Type.Enum([...REPORT_FORMATS])),
    case_id: Type.Optional(Type.String({ format: "uuid" })),
    from: Type.Optional(Type.String({ format: "date-time" })),
    to: Type.Optional(Type.String({ format: "date-time" })),
  },
  { additionalProperties: false },
);
type Params = Static<typeof Params>;

export interface ReportActionsDeps {
  reports: Pick<ReportsService, "generate">;
  cases: Pick<CasesService, "get">;
}

/** The playbook actions for reports. */
export function createReportActions({ reports, cases }: ReportActionsDeps): OutsideAction[] {
  return [
    {
      name: "report.generate",
      // Rendering may take seconds, so it is not a change, which would hold the locks of the execution.
      kind: "outside",
      staysInside: true,
      params: Params,

      async describe(params, context) {
        const { report_type, format = "markdown", case_id } = buildRequest(params, context);
        const about = case_id === undefined ? "" : ` about case ${case_id}`;
        return { summary: `Creates a report of type ${report_type}${about} as ${format}`, sends: [] };
      },

      async run(params, context) {
        const { actor, idempotencyKey, scope } = context;
        const request = buildRequest(params, context);
        await requireReportScope(cases, scope, request);
        const { id, title, format } = await reports.generate(actor, request, idempotencyKey);
        return { report_id: id, title, format };
      },
    },
  ];
}

/** Defaults to an investigation of the execution's own case. */
function buildRequest(params: unknown, { case_id: own }: ActionContext): CreateReportRequest {
  if (!isParams(params)) throw invalidField("params", "must match the parameters of report.generate");
  const { report_type = "investigation", case_id = own ?? undefined, ...rest } = params;
  if (report_type === "investigation" && case_id === undefined) {
    throw invalidField("case_id", "is required for an investigation");
  }
  return { report_type, ...(case_id !== undefined && { case_id }), ...rest };
}

function isParams(params: unknown): params is Params {
  return Value.Check(Params, params);
}
