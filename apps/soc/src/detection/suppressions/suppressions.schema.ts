import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";
import { LogBody, LogWindowQuery } from "../../logs/search/logs.schema.ts";

const closed = { additionalProperties: false } as const;
const Value = Type.Union([Type.String({ maxLength: 4096 }), Type.Number(), Type.Boolean()]);
const Criteria = Type.Unsafe<Record<string, string | number | boolean>>(
  Type.Object({}, { additionalProperties: Value, maxProperties: 20 }),
);
const Hours = Type.Integer({ minimum: 1, maximum: 365 * 24 });

export const ListSuppressionsQuery = Type.Object({
  ...PageQuery.properties,
  active: Type.Optional(Type.Boolean()),
});
export type ListSuppressionsQuery = Static<typeof ListSuppressionsQuery>;

export const SuppressionParams = Type.Object({ suppression_id: Type.String() });

export const ListAllSuppressionsQuery = Type.Object({
  ...ListSuppressionsQuery.properties,
  /** Words in the name or the reason. */
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});
export type ListAllSuppressionsQuery = Static<typeof ListAllSuppressionsQuery>;

export const CreateSuppressionRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    reason: Type.Optional(Type.String({ maxLength: 5000 })),
    criteria: Criteria,
    suppress_for_hours: Hours,
  },
  { title: "CreateSuppressionRequest", ...closed },
);
export type CreateSuppressionRequest = Static<typeof CreateSuppressionRequest>;

/** A suppression can be shortened but not extended, because its reason was given for its original duration. */
export const UpdateSuppressionRequest = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    reason: Type.Optional(Type.String({ maxLength: 5000 })),
    suppress_for_hours: Type.Optional(Hours),
  },
  { title: "UpdateSuppressionRequest", ...closed },
);
export type UpdateSuppressionRequest = Static<typeof UpdateSuppressionRequest>;

export const PreviewSuppressionRequest = Type.Object(
  { criteria: Criteria, ...LogWindowQuery.properties },
  { title: "PreviewSuppressionRequest", ...closed },
);
export type PreviewSuppressionRequest = Static<typeof PreviewSuppressionRequest>;

export const SuppressionBody = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    name: Type.String(),
    reason: Type.String(),
    criteria: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    suppress_for_hours: Type.Integer(),
    created_by: Type.String(),
    created_at: Time,
    expires_at: Time,
  },
  { title: "Suppression" },
);

/** What a suppression would have hidden in the window. */
export const SuppressionPreviewBody = Type.Object(
  {
    window_from: Time,
    window_to: Time,
    total: Type.Integer(),
    /** Logs that exceptions already hide from the rule. */
    excepted_count: Type.Integer(),
    is_capped: Type.Boolean(),
    would_suppress: Type.Integer(),
    /** Alerts that the rule raised for the hidden logs, and how many of them were true positives. */
    hidden_alerts: Type.Integer(),
    hidden_true_positives: Type.Integer(),
    logs: Type.Array(LogBody),
  },
  { title: "SuppressionPreview" },
);
