import type { Static } from "typebox";
import { type Action, leavesPlatform } from "../../foundation/actions/action.ts";
import type { ActionBody } from "./actions.schema.ts";

/** Returns what an editor of playbooks needs to know about an action. */
export function toActionBody(action: Action): Static<typeof ActionBody> {
  const { name, kind, isCritical = false, needs = [], mayHaveHappened = false, params } = action;
  return {
    name,
    kind,
    is_critical: isCritical,
    leaves_platform: leavesPlatform(action),
    opens_case: action.opensCase ?? false,
    changes_alert: action.changesAlert ?? false,
    is_compensated_when_failed: mayHaveHappened,
    needs: [...needs],
    parameters: { ...params },
  };
}
