import Type from "typebox";
import { CASE_STATUSES, CreateCaseRequest, UpdateCaseRequest } from "../../cases/cases/cases.schema.ts";
import { Id, TextOrNull } from "../../foundation/schema/fields.schema.ts";

// Inputs and answers of the tools that the API document defines, with its names.

const closed = { additionalProperties: false } as const;
/** True if nothing was stored and the answer is a preview. */
const previewed = { dry_run: Type.Optional(Type.Boolean()) };
const CaseId = Type.String({ minLength: 1, maxLength: 100 });

export const ExecutePlaybookInput = Type.Object(
  {
    playbook_id: Type.String({ minLength: 1, maxLength: 80 }),
    alert_id: Id,
    parameters: Type.Optional(
      Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, maxProperties: 100 })),
    ),
    dry_run: Type.Boolean({ default: false, description: "previews the effect without storing or sending anything" }),
    approval_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: "an approval that was granted for this call" }),
    ),
  },
  closed,
);

export const ExecutePlaybookOutput = Type.Object({
  execution_id: TextOrNull,
  status: Type.String(),
  steps_completed: Type.Integer(),
  total_steps: Type.Integer(),
  dry_run: Type.Boolean(),
  requires_approval: Type.Boolean(),
  approval_id: Type.Optional(TextOrNull),
});

export const RequestApprovalInput = Type.Object(
  {
    action: Type.String({ minLength: 1, maxLength: 500 }),
    justification: Type.String({ minLength: 1, maxLength: 5000 }),
    case_id: Type.Optional(Id),
    ttl_hours: Type.Number({ default: 4, exclusiveMinimum: 0, maximum: 168 }),
  },
  closed,
);

export const RequestApprovalOutput = Type.Object({
  approval_id: Type.String(),
  status: Type.Enum(["pending", "approved", "rejected", "timeout"]),
  decided_by: TextOrNull,
  message: Type.Optional(Type.String()),
  ...previewed,
});

const { title, severity, description, alert_ids } = CreateCaseRequest.properties;

export const CreateCaseInput = Type.Object({ title: Type.Optional(title), severity, alert_ids, description }, closed);

export const CreateCaseOutput = Type.Object({ case_id: Type.String(), status: Type.Literal("open"), ...previewed });

export const UpdateCaseInput = Type.Object(
  {
    case_id: CaseId,
    status: UpdateCaseRequest.properties.status,
    notes: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, description: "added as a comment" })),
    severity,
  },
  closed,
);

export const UpdateCaseOutput = Type.Object({
  case_id: Type.String(),
  status: Type.Enum([...CASE_STATUSES]),
  ...previewed,
});
