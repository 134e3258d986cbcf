import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { Action, Effect, WaitContext } from "../../foundation/actions/action.ts";
import { MAX_TTL_HOURS, TTL_HOURS } from "./approval.ts";
import type { Gate } from "./approval-gate.ts";

const Params = Type.Object(
  {
    action: Type.String({ minLength: 1, maxLength: 500, description: "the action that a person is asked to approve" }),
    justification: Type.Optional(Type.String({ maxLength: 5000 })),
    ttl_hours: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: MAX_TTL_HOURS })),
    four_eyes: Type.Optional(Type.Boolean()),
    quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  },
  { additionalProperties: false },
);

function buildEffect({ action, ttl_hours = TTL_HOURS }: Static<typeof Params>): Effect {
  return { summary: `Waits up to ${ttl_hours} hours until a reviewer approves: ${action}`, sends: [] };
}

/** `approval.request`: a step that waits until a person approves. */
export function createApprovalActions(gate: Pick<Gate, "requestStep">): Action[] {
  return [
    {
      name: "approval.request",
      kind: "wait",
      params: Params,
      describe: async (params) => buildEffect(Value.Parse(Params, params)),

      async park(tx, params, context) {
        const { action, justification = "", ttl_hours, four_eyes, quorum } = Value.Parse(Params, params);
        const { id: approval_id, expires_at } = await gate.requestStep(tx, {
          ...toApprovalContext(context),
          action,
          justification,
          ttl_hours,
          key: context.idempotencyKey,
          effect: [{ summary: `Continues with: ${action}`, sends: [] }],
          policy: { ...(four_eyes === undefined ? {} : { four_eyes }), ...(quorum === undefined ? {} : { quorum }) },
        });
        return { until: expires_at, approval_id };
      },
    },
  ];
}

function toApprovalContext({ actor, requesters, starters, ...of }: WaitContext) {
  const { playbook_id, alert_id, case_id, execution_id } = of;
  return { requested_by: actor, requesters, starters, playbook_id, alert_id, case_id, execution_id };
}
