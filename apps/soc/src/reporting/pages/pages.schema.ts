import Type, { type TSchema } from "typebox";
import { AlertBody, AlertEntitiesBody } from "../../alerts/alerts/alerts.schema.ts";
import { CaseFileBody } from "../../cases/case-files/case-files.schema.ts";
import { CaseTemplateBody } from "../../cases/case-templates/case-templates.schema.ts";
import { CaseBody, CaseDetailBody } from "../../cases/cases/cases.schema.ts";
import { IocBody } from "../../detection/iocs/iocs.schema.ts";
import { RuleBody } from "../../detection/rules/rules.schema.ts";
import { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";
import { LogBody } from "../../logs/search/logs.schema.ts";
import { ApprovalBody } from "../../response/approvals/approvals.schema.ts";
import { EdrActionRecordBody, EndpointBody } from "../../response/edr/edr.schema.ts";
import { ExecutionBody } from "../../response/executions/executions.schema.ts";
import { ReportSummaryBody } from "../reports/reports.schema.ts";

export const AlertPageParams = Type.Object({ alert_id: Type.String() });
export const CasePageParams = Type.Object({ case_id: Type.String() });

/** Null if the caller may not read it, it does not exist, or it is listed in `partial`. */
function Part<Body extends TSchema>(body: Body) {
  return Type.Union([body, Type.Null()]);
}

function ListOf<Body extends TSchema>(body: Body) {
  return Part(Type.Array(body));
}

const Coverage = {
  is_partial: Type.Boolean(),
  partial: Type.Array(Type.String(), { description: "the parts that could not be read in time" }),
};

const RelatedBody = Type.Object({ total: Type.Integer(), items: Type.Array(AlertBody) }, { title: "RelatedRecords" });

export const AlertPageBody = Type.Object(
  {
    alert: AlertBody,
    entities: AlertEntitiesBody,
    rule: Part(RuleBody),
    logs: ListOf(LogBody),
    logs_total: Type.Integer({ description: "the number of logs that the alert names" }),
    endpoints: ListOf(EndpointBody),
    iocs: ListOf(IocBody),
    case: Part(CaseBody),
    related: Part(
      Type.Object({ same_host: RelatedBody, same_user: RelatedBody, same_ioc: RelatedBody, same_rule: RelatedBody }),
    ),
    executions: ListOf(ExecutionBody),
    approvals: ListOf(ApprovalBody),
    history: ListOf(AuditEntryBody),
    ...Coverage,
  },
  { title: "FullAlert" },
);

const Total = Part(Type.Integer());

export const CasePageBody = Type.Object(
  {
    case: CaseDetailBody,
    template: Part(CaseTemplateBody),
    files: ListOf(CaseFileBody),
    alerts: ListOf(AlertBody),
    executions: ListOf(ExecutionBody),
    approvals: ListOf(ApprovalBody),
    reports: ListOf(ReportSummaryBody),
    edr_actions: ListOf(EdrActionRecordBody),
    related_cases: ListOf(CaseBody),
    history: ListOf(AuditEntryBody),
    totals: Type.Object({ files: Total, alerts: Total, executions: Total, reports: Total }),
    ...Coverage,
  },
  { title: "FullCase" },
);
