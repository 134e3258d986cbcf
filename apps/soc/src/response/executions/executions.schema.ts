import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Id, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { EffectTargetBody } from "../approvals/approvals.schema.ts";
import { MissingInputBody } from "../playbooks/playbooks.schema.ts";

const EXECUTION_STATUSES = [
  "queued",
  "running",
  "waiting",
  "completed",
  "failed",
  "compensated",
  "rejected",
  "timeout",
  "cancelled",
] as const;

const STEP_STATUSES = [
  "running",
  "waiting",
  "retrying",
  "completed",
  "skipped",
  "failed",
  "rejected",
  "timeout",
] as const;

const Status = Type.Enum([...EXECUTION_STATUSES], { title: "ExecutionStatus" });
const Fields = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

const ExecuteRequest = Type.Object(
  {
    alert_id: Type.Optional(Id),
    case_id: Type.Optional(Id),
    parameters: Type.Optional(
      Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, maxProperties: 100 })),
    ),
    dry_run: Type.Optional(Type.Boolean()),
  },
  { title: "ExecuteRequest", additionalProperties: false },
);
export type ExecuteRequest = Static<typeof ExecuteRequest>;
/** All fields are optional, and so is the body. */
export const ExecuteBody = Type.Unsafe<ExecuteRequest | null>({ ...ExecuteRequest, type: ["object", "null"] });

export const ExecuteQuery = Type.Object({ approval_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) });

export const ListExecutionsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Status),
  playbook_id: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  alert_id: Type.Optional(Id),
  case_id: Type.Optional(Id),
});
export type ListExecutionsQuery = Static<typeof ListExecutionsQuery>;

export const ExecutionPath = Type.Object({ id: Type.String({ maxLength: 200 }) });

const StartedExecution = Type.Object(
  {
    id: Type.String(),
    execution_id: Type.String(),
    playbook_id: Type.String(),
    playbook_name: Type.String(),
    status: Status,
    steps_completed: Type.Integer(),
    steps_total: Type.Integer(),
    requires_approval: Type.Boolean(),
  },
  { title: "StartedExecution" },
);
export type StartedExecution = Static<typeof StartedExecution>;

const PendingApproval = Type.Object(
  {
    playbook_id: Type.String(),
    playbook_name: Type.String(),
    status: Type.Literal("pending_approval"),
    approval_id: TextOrNull,
    requires_approval: Type.Boolean(),
    steps_total: Type.Integer(),
    missing_inputs: Type.Array(MissingInputBody),
    message: Type.String(),
  },
  { title: "PendingApproval" },
);
export type PendingApproval = Static<typeof PendingApproval>;

const EffectBody = Type.Object(
  {
    step_id: Type.String(),
    summary: Type.String(),
    sends: Type.Array(
      Type.Object({ destination: Type.String(), method: Type.String(), url: Type.String(), body: Type.Unknown() }),
    ),
    target: Type.Optional(EffectTargetBody),
  },
  { title: "StepEffect" },
);

const effects = Type.Array(EffectBody);

/** The dry_run answer: what would happen, step by step. */
const ExecutePreview = Type.Object(
  {
    dry_run: Type.Boolean(),
    preview: Type.Union([
      Type.Object({ ...StartedExecution.properties, effects }),
      Type.Object({ ...PendingApproval.properties, effects }),
    ]),
  },
  { title: "ExecutePreview" },
);

export const ExecuteAnswer = Type.Union([StartedExecution, PendingApproval, ExecutePreview]);

export const ExecutionBody = Type.Object(
  {
    id: Type.String(),
    execution_id: Type.String(),
    playbook_id: Type.String(),
    playbook_name: Type.String(),
    playbook_version: Type.Integer(),
    status: Status,
    steps_completed: Type.Integer(),
    steps_total: Type.Integer(),
    requires_approval: Type.Boolean(),
    simulated: Type.Boolean(),
    alert_id: TextOrNull,
    case_id: TextOrNull,
    parameters: Fields,
    approval_id: TextOrNull,
    requested_by: Type.String(),
    error: TextOrNull,
    created_at: Time,
    started_at: TimeOrNull,
    finished_at: TimeOrNull,
    updated_at: Time,
  },
  { title: "Execution" },
);

const ExecutionStepBody = Type.Object(
  {
    step_id: Type.String(),
    part: Type.Enum(["step", "compensation"]),
    name: Type.String(),
    action: Type.String(),
    status: Type.Enum([...STEP_STATUSES]),
    attempt: Type.Integer(),
    approval_id: TextOrNull,
    result: Type.Union([Fields, Type.Null()]),
    error: TextOrNull,
    started_at: Time,
    finished_at: TimeOrNull,
  },
  { title: "ExecutionStep" },
);

export const ExecutionDetailBody = Type.Object(
  {
    ...ExecutionBody.properties,
    steps: Type.Array(ExecutionStepBody),
  },
  { title: "ExecutionDetail" },
);

export type ExecutionStatus = Static<typeof Status>;
export type StepStatus = Static<typeof ExecutionStepBody>["status"];
