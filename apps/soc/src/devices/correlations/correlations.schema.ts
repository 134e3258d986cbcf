import Type, { type Static } from "typebox";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Id, TextOrNull, Time } from "../../foundation/schema/fields.schema.ts";

const Severity = Type.Enum([...SEVERITIES], { title: "Severity" });

export const CorrelationPath = Type.Object({ id: Type.String() });

export const ListCorrelationsQuery = Type.Object({
  ...PageQuery.properties,
  severity: Type.Optional(Severity),
  alert_id: Type.Optional(Id),
  device_id: Type.Optional(Id),
  case_id: Type.Optional(Id),
});
export type ListCorrelationsQuery = Static<typeof ListCorrelationsQuery>;

const MemberBody = Type.Object(
  {
    kind: Type.Enum(["alert", "attestation"]),
    id: Type.String(),
    at: Time,
    severity: Severity,
    reason: Type.Union([Type.String(), Type.Null()], {
      description: "why it belongs to the group; null for the first member",
    }),
  },
  { title: "CorrelationMember" },
);
export type MemberBody = Static<typeof MemberBody>;

const EntityBody = Type.Object(
  {
    kind: Type.Enum(["device", "host", "user", "address", "hash", "ioc"]),
    value: Type.String(),
    records: Type.Integer({ description: "the number of members that name it" }),
  },
  { title: "CorrelationEntity" },
);
export type EntityBody = Static<typeof EntityBody>;

export const CorrelationBody = Type.Object(
  {
    id: Type.String(),
    score: Type.Number({ description: "score of the strongest link, from 0 to 1" }),
    reason: Type.String(),
    severity: Severity,
    entities: Type.Array(EntityBody, { description: "the ten entities that most members share" }),
    member_count: Type.Integer(),
    members: Type.Array(MemberBody, { description: "the newest 50" }),
    log_ids: Type.Array(Type.String(), { description: "the alerts among these members, at most 100" }),
    first_at: Time,
    last_at: Time,
    case_id: TextOrNull,
    created_at: Time,
    updated_at: Time,
  },
  { title: "Correlation" },
);
export type CorrelationBody = Static<typeof CorrelationBody>;
export const CorrelationsPage = PageOf(CorrelationBody);
