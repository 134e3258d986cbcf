import { publishRequest } from "@kit/http/optional-fields";
import type { TObject } from "typebox";
import { expect, it } from "vitest";
import * as report from "../../reporting/reports/report-tool.schema.ts";
import * as documented from "./documented-tools.schema.ts";

// API document, "Agent tool contracts", field by field: `*` marks required fields, `+` marks our own additions.
const CONTRACTS: readonly [name: string, input: TObject, inputs: object, output: TObject, answers: object][] = [
  [
    "execute_playbook",
    documented.ExecutePlaybookInput,
    {
      "playbook_id*": "string",
      "alert_id*": "string",
      parameters: "object",
      dry_run: "boolean = false",
      "+approval_id": "string",
    },
    documented.ExecutePlaybookOutput,
    {
      execution_id: "string or null",
      status: "string",
      steps_completed: "integer",
      total_steps: "integer",
      dry_run: "boolean",
      "+requires_approval": "boolean",
      "+approval_id": "string or null",
    },
  ],
  [
    "request_human_approval",
    documented.RequestApprovalInput,
    { "action*": "string", "justification*": "string", case_id: "string", ttl_hours: "number = 4" },
    documented.RequestApprovalOutput,
    {
      approval_id: "string",
      status: "pending|approved|rejected|timeout",
      decided_by: "string or null",
      message: "string",
      "+dry_run": "boolean",
    },
  ],
  [
    "create_case",
    documented.CreateCaseInput,
    { title: "string", severity: "critical|high|medium|low|info", alert_ids: "array", description: "string" },
    documented.CreateCaseOutput,
    { case_id: "string", status: "open", "+dry_run": "boolean" },
  ],
  [
    "update_case",
    documented.UpdateCaseInput,
    // The document marks nothing here; without a case there is nothing to update.
    {
      "case_id*": "string",
      status: "open|investigating|pending_approval|contained|resolved|closed",
      notes: "string",
      severity: "critical|high|medium|low|info",
    },
    documented.UpdateCaseOutput,
    {
      case_id: "string",
      status: "open|investigating|pending_approval|contained|resolved|closed",
      "+dry_run": "boolean",
    },
  ],
  [
    "generate_report",
    report.GenerateReportInput,
    {
      report_type: "investigation|executive|compliance",
      case_id: "string",
      format: "markdown|html|pdf|json = markdown",
    },
    report.GenerateReportOutput,
    { report_id: "string", content: "string", "+status": "completed", "+dry_run": "boolean" },
  ],
];

interface Field {
  type?: string;
  const?: string;
  enum?: string[];
  anyOf?: Field[];
  default?: unknown;
}

function formatType({ type, const: only, enum: values, anyOf }: Field): string {
  if (only !== undefined) return only;
  if (values) return values.join("|");
  if (anyOf) return anyOf.map(formatType).join(" or ");
  return type ?? "anything";
}

/** Formats the fields like the contracts above. */
function formatFields(schema: object, own: object, marksRequired: boolean) {
  const { properties, required = [] } = JSON.parse(JSON.stringify(schema)) as {
    properties: Record<string, Field>;
    required?: string[];
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const hasDefault = field.default !== undefined;
      const mark = marksRequired && required.includes(name) ? "*" : "";
      const origin = `+${name}` in own ? "+" : "";
      return [`${origin}${name}${mark}`, `${formatType(field)}${hasDefault ? ` = ${String(field.default)}` : ""}`];
    }),
  );
}

it.each(CONTRACTS)("%s accepts the documented inputs", (_name, input, inputs) => {
  expect(formatFields(publishRequest(input), inputs, true)).toEqual(inputs);
});

it.each(CONTRACTS)("%s returns the documented fields", (_name, _input, _inputs, output, answers) => {
  expect(formatFields(output, answers, false)).toEqual(answers);
});
