import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { TextOrNull, Time } from "../../foundation/schema/fields.schema.ts";

export const ListMatchesQuery = Type.Object({
  ...PageQuery.properties,
  suppressed: Type.Optional(Type.Boolean()),
});
export type ListMatchesQuery = Static<typeof ListMatchesQuery>;

/** Each match carries the author and the licence of an imported rule. */
export const MatchBody = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    rule_version: Type.Integer(),
    log_id: Type.String(),
    log_ingested_at: Time,
    matched_at: Time,
    run_id: TextOrNull,
    alert_id: TextOrNull,
    suppression_id: TextOrNull,
    exception_id: TextOrNull,
    author: TextOrNull,
    license: TextOrNull,
  },
  { title: "RuleMatch" },
);
