import Type from "typebox";

export const HealthBody = Type.Object({
  status: Type.Enum(["ok"]),
  version: Type.String(),
  uptime_s: Type.Integer(),
});
