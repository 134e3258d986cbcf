import Type, { type Static } from "typebox";
import { Instant, Time } from "../../foundation/schema/fields.schema.ts";

export const ENTITY_TYPES = ["host", "user", "address", "domain", "hash"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];
export const EntityTypeWord = Type.Enum([...ENTITY_TYPES], { title: "EntityType" });

const RISK_LEVELS = ["none", "low", "medium", "high", "critical"] as const;

export const RiskBody = Type.Object(
  {
    score: Type.Integer({ description: "0 to 100" }),
    level: Type.Enum([...RISK_LEVELS]),
    reasons: Type.Array(
      Type.Object({
        name: Type.String(),
        points: Type.Number({ description: "when it was last seen" }),
        at: Time,
        decayed: Type.Number({ description: "the remaining points now" }),
      }),
      { description: "the ten with the most points, and the sum of the others" },
    ),
  },
  { title: "EntityRisk" },
);
export type Risk = Static<typeof RiskBody>;

export const ListEntitiesQuery = Type.Object({
  type: EntityTypeWord,
  sort: Type.Optional(Type.Enum(["-risk", "-alerts", "-last_seen"])),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export type ListEntitiesQuery = Static<typeof ListEntitiesQuery>;

export const EntitiesBody = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        type: EntityTypeWord,
        value: Type.String(),
        score: Type.Integer(),
        level: Type.Enum([...RISK_LEVELS]),
        alerts: Type.Integer(),
        last_seen: Time,
      }),
    ),
    total: Type.Integer(),
    from: Time,
    is_partial: Type.Boolean({ description: "whether only the newest 10,000 alerts were counted" }),
  },
  { title: "EntityList" },
);
export type EntitiesBody = Static<typeof EntitiesBody>;

export const GraphQuery = Type.Object({
  seed: Type.String({ minLength: 3, maxLength: 2060, description: "such as host:ws1" }),
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
});
export type GraphQuery = Static<typeof GraphQuery>;

export const GraphBody = Type.Object(
  {
    nodes: Type.Array(
      Type.Object({ id: Type.String(), type: EntityTypeWord, value: Type.String(), alerts: Type.Integer() }),
    ),
    edges: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        kind: Type.String(),
        count: Type.Integer(),
        first: Time,
        last: Time,
      }),
    ),
    is_partial: Type.Boolean({ description: "true if alerts or nodes beyond the limits (300 nodes) were left out" }),
  },
  { title: "EntityGraph" },
);
export type GraphBody = Static<typeof GraphBody>;
