import Type from "typebox";

export const ActionBody = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(["change", "outside", "wait"]),
    is_critical: Type.Boolean({ description: "a playbook that uses it always needs an approval" }),
    leaves_platform: Type.Boolean(),
    opens_case: Type.Boolean(),
    changes_alert: Type.Boolean(),
    is_compensated_when_failed: Type.Boolean({ description: "its effect may have happened even if the action failed" }),
    needs: Type.Array(Type.String(), {
      description: "the permissions that a caller needs to start it without an approval",
    }),
    parameters: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, description: "JSON Schema of its parameters" }),
    ),
  },
  { title: "SoarAction" },
);

export const ActionsBody = Type.Object({ items: Type.Array(ActionBody) }, { title: "SoarActionList" });
