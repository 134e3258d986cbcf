import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { MissingInputBody } from "../playbooks/playbooks.schema.ts";

const Status = Type.Enum(["pending", "approved", "rejected", "timeout"], { title: "ApprovalStatus" });

export const ApprovalsQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(Status) });
export type ApprovalsQuery = Static<typeof ApprovalsQuery>;

export const ListApprovalsQuery = Type.Object({
  ...ApprovalsQuery.properties,
  decidable: Type.Optional(
    Type.Boolean({ description: "true: only those that wait for a decision which the caller may make" }),
  ),
});

export const ApprovalPath = Type.Object({ id: Type.String() });

export const DecideRequest = Type.Object(
  {
    approved: Type.Boolean(),
    reason: Type.Optional(Type.String({ maxLength: 5000 })),
    parameters: Type.Optional(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            maxProperties: 100,
            description: "values of missing_inputs, only with an approval",
          },
        ),
      ),
    ),
  },
  { title: "DecideRequest", additionalProperties: false },
);
export type DecideRequest = Static<typeof DecideRequest>;

const SendingBody = Type.Object(
  {
    destination: Type.String(),
    method: Type.String(),
    url: Type.String(),
    body: Type.Unknown({ description: "the request without secrets" }),
  },
  { title: "PlannedSending" },
);

export const EffectTargetBody = Type.Object(
  {
    kind: Type.Enum(["endpoint", "device"]),
    id: Type.String(),
    name: Type.String(),
    site: TextOrNull,
    address: TextOrNull,
  },
  { title: "EffectTarget", description: "the record that the step acts on" },
);

const EffectBody = Type.Object(
  {
    summary: Type.String({ description: "one sentence about the effect" }),
    sends: Type.Unsafe<readonly Static<typeof SendingBody>[]>(Type.Array(SendingBody)),
    target: Type.Optional(EffectTargetBody),
  },
  { title: "ApprovalEffect" },
);

/** The required inputs without a value, as a playbook declares them. */
const MissingInputs = Type.Unsafe<readonly Static<typeof MissingInputBody>[]>(Type.Array(MissingInputBody));

export const ApprovalBody = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(["playbook", "step", "request", "action"]),
    status: Status,
    playbook_id: TextOrNull,
    playbook_version: Type.Union([Type.Integer(), Type.Null()]),
    action: Type.String(),
    justification: Type.String(),
    case_id: TextOrNull,
    alert_id: TextOrNull,
    parameters: Type.Record(Type.String(), Type.Unknown()),
    missing_inputs: MissingInputs,
    effect: Type.Unsafe<readonly Static<typeof EffectBody>[]>(Type.Array(EffectBody)),
    effect_hash: Type.String(),
    requested_by: Type.String(),
    requested_at: Time,
    expires_at: Time,
    decided_by: TextOrNull,
    decided_at: TimeOrNull,
    reason: TextOrNull,
    execution_id: TextOrNull,
  },
  { title: "Approval" },
);

const VoteBody = Type.Object(
  {
    decided_by: Type.String(),
    approved: Type.Boolean(),
    reason: TextOrNull,
    decided_at: Time,
  },
  { title: "ApprovalVote" },
);

export const ApprovalDetailBody = Type.Object(
  {
    ...ApprovalBody.properties,
    policy: Type.Object({ four_eyes: Type.Boolean(), quorum: Type.Integer() }),
    requesters: Type.Array(Type.String(), { description: "the caller and the authors of the requested content" }),
    votes: Type.Unsafe<readonly Static<typeof VoteBody>[]>(Type.Array(VoteBody)),
  },
  { title: "ApprovalDetail" },
);
