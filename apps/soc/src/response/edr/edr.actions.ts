import { Problem } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { ActionContext, OutsideAction } from "../../foundation/actions/action.ts";
import { EDR_ACTIONS, type EdrActionName } from "./edr.schema.ts";
import { CRITICAL_ACTIONS, type EdrCommand, toEdrActionAnswer } from "./edr-action.ts";
import type { EdrActionsService } from "./edr-actions.service.ts";

const Params = Type.Object(
  {
    endpoint: Type.String({ minLength: 1, maxLength: 255, description: "its id or hostname" }),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  { additionalProperties: false },
);
const IsolateParams = Type.Object(
  {
    ...Params.properties,
    release_after_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 43_200 })),
  },
  { additionalProperties: false },
);

/** `edr.isolate`, `edr.unisolate` and `edr.scan`, for playbooks. */
export function createEdrActions(edr: Pick<EdrActionsService, "describe" | "perform">): OutsideAction[] {
  return EDR_ACTIONS.map((action): OutsideAction => {
    const schema = action === "isolate" ? IsolateParams : Params;
    return {
      name: `edr.${action}`,
      isCritical: CRITICAL_ACTIONS.has(action),
      needs: ["edr:manage"],
      mayHaveHappened: true,
      kind: "outside",
      params: schema,

      async describe(params, context) {
        const read = Value.Parse(schema, params);
        return edr.describe(context.scope, read.endpoint, buildEdrCommand(action, read, context, "preview"));
      },

      async run(params, context) {
        const read = Value.Parse(schema, params);
        const command = buildEdrCommand(action, read, context, context.idempotencyKey);
        const row = await edr.perform(context.scope, read.endpoint, command);
        if (row.status === "blocked") {
          throw new Problem("unavailable", `endpoint: '${read.endpoint}' was not reached: ${row.error ?? "refused"}`);
        }
        return { ...toEdrActionAnswer(row), simulated: row.simulated };
      },
    };
  });
}

function buildEdrCommand(
  action: EdrActionName,
  { reason, release_after_minutes }: Static<typeof IsolateParams>,
  { actor, case_id, playbook_id }: ActionContext,
  key: string,
): EdrCommand {
  return {
    action,
    key,
    requested_by: actor,
    reason: reason ?? `playbook ${playbook_id}`,
    case_id,
    release_after_minutes,
  };
}
