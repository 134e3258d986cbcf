import Type, { type Static } from "typebox";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { EntityTypeWord, RiskBody } from "../../alerts/entities/entities.schema.ts";
import { CaseBody } from "../../cases/cases/cases.schema.ts";
import { IocBody } from "../../detection/iocs/iocs.schema.ts";
import { DeviceBody } from "../../devices/registry/devices.schema.ts";
import { Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { EndpointBody } from "../../response/edr/edr.schema.ts";

export const EntityParams = Type.Object({
  type: EntityTypeWord,
  value: Type.String({ minLength: 1, maxLength: 2048 }),
});

const Count = Type.Object({ value: Type.String(), count: Type.Integer() }, { title: "ValueCount" });
const Counts = Type.Object(Object.fromEntries(SEVERITIES.map((severity) => [severity, Type.Integer()])), {
  title: "SeverityCounts",
});

export const EntityPageBody = Type.Object(
  {
    entity: Type.Object({ type: EntityTypeWord, value: Type.String() }),
    aliases: Type.Array(Type.String()),
    risk: RiskBody,
    first_seen: TimeOrNull,
    last_seen: TimeOrNull,
    alerts: Type.Object({
      total: Type.Integer(),
      by_severity: Counts,
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          title: Type.String(),
          severity: Type.Enum([...SEVERITIES]),
          status: Type.String(),
          last_seen: Time,
        }),
      ),
    }),
    cases: Type.Union([Type.Array(CaseBody), Type.Null()]),
    logs: Type.Union([
      Type.Object({
        total: Type.Integer(),
        histogram: Type.Array(Type.Object({ at: Time, count: Type.Integer() })),
        top_sources: Type.Array(Count),
        top_actions: Type.Array(Count),
        is_sampled: Type.Boolean({ description: "true if histogram and tops cover only the newest 200" }),
      }),
      Type.Null(),
    ]),
    related: Type.Array(
      Type.Object({ type: EntityTypeWord, value: Type.String(), count: Type.Integer(), via: Type.String() }),
    ),
    endpoint: Type.Union([EndpointBody, Type.Null()]),
    device: Type.Union([DeviceBody, Type.Null()]),
    iocs: Type.Union([Type.Array(IocBody), Type.Null()]),
    is_partial: Type.Boolean(),
    partial: Type.Array(Type.String()),
  },
  { title: "EntityDetail" },
);
export type EntityPageBody = Static<typeof EntityPageBody>;
