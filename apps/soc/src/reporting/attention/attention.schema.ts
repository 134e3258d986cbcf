import Type, { type Static } from "typebox";
import { TimeOrNull } from "../../foundation/schema/fields.schema.ts";

const Count = Type.Integer();

export const AttentionBody = Type.Object(
  {
    alerts: Type.Union([
      Type.Object({
        total: Count,
        unassigned: Count,
        mine: Count,
        by_severity: Type.Object({ critical: Count, high: Count, medium: Count, low: Count }),
        is_estimate: Type.Boolean({ description: "whether there are too many alerts to count each" }),
      }),
      Type.Null(),
    ]),
    cases: Type.Union([Type.Object({ total: Count, unassigned: Count, mine: Count }), Type.Null()]),
    approvals: Type.Union([Type.Object({ total: Count, next_expires_at: TimeOrNull }), Type.Null()]),
    inbox: Type.Union([Type.Object({ unread: Count }), Type.Null()]),
    is_partial: Type.Boolean(),
    partial: Type.Array(Type.String(), { description: "the parts that could not be read in time" }),
  },
  { title: "Attention", description: "A part is null if the caller may not read it, or if `partial` names it." },
);
export type AttentionBody = Static<typeof AttentionBody>;
