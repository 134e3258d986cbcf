import { invalidField } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { Action } from "../../foundation/actions/action.ts";
import { toCaller } from "../../foundation/actions/action.ts";
import { UpdateAlertRequest } from "./alerts.schema.ts";
import type { AlertsService } from "./alerts.service.ts";

export interface AlertActionsDeps {
  alerts: Pick<AlertsService, "update">;
}

const Params = Type.Object(
  { alert_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })), ...UpdateAlertRequest.properties },
  { additionalProperties: false, minProperties: 1 },
);

export function createAlertActions({ alerts }: AlertActionsDeps): Action[] {
  return [
    {
      name: "alert.update",
      changesAlert: true,
      kind: "change",
      params: Params,
      async describe(params, { alert_id }) {
        const { alert_id: named = alert_id, ...fields } = Value.Parse(Params, params);
        const changes = Object.entries(fields).map(([name, value]) => `${name} to ${JSON.stringify(value)}`);
        return { summary: `Sets ${changes.join(", ")} of alert ${named ?? "(none)"}`, sends: [] };
      },
      async apply(tx, params, context) {
        const { alert_id = context.alert_id, ...patch } = Value.Parse(Params, params);
        if (alert_id === null) throw invalidField("alert_id", "is required because the execution has no alert");
        const { id, status, severity, assignee } = await alerts.update(tx, toCaller(context), alert_id, patch);
        return { alert_id: id, status, severity, assignee };
      },
    },
  ];
}
