import Type, { type Static } from "typebox";
import { Instant, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { ListRulesQuery } from "../rules/rules.schema.ts";

/** With `from`, the response contains the hours from there to `to`, or to now. */
export const HistoryQuery = Type.Object({ from: Type.Optional(Instant), to: Type.Optional(Instant) });
export type HistoryQuery = Static<typeof HistoryQuery>;

export const ListHealthQuery = Type.Object({ ...ListRulesQuery.properties, ...HistoryQuery.properties });
export type ListHealthQuery = Static<typeof ListHealthQuery>;

const Seconds = {
  total_s: Type.Number(),
  ran_s: Type.Number(),
  late_s: Type.Number(),
  skipped_s: Type.Number(),
  capped_s: Type.Number(),
  silent_s: Type.Number(),
};

/** How the time of a rule is accounted for: the parts add up to `total_s`. Counts cover whole hours. */
export const RuleHealthBody = Type.Object(
  {
    rule_id: Type.String(),
    name: Type.String(),
    enabled: Type.Boolean(),
    measured_at: Time,
    ...Seconds,
    matches_24h: Type.Integer(),
    matches_7d: Type.Integer(),
    suppressed_7d: Type.Integer(),
    /** Logs that exceptions have hidden from the rule; they are not matches. */
    excepted_7d: Type.Integer(),
    alerts_7d: Type.Integer(),
    /** The verdicts on the rule in the last 30 days. */
    true_positives_30d: Type.Integer(),
    false_positives_30d: Type.Integer(),
    last_run_at: TimeOrNull,
    last_error: TextOrNull,
    last_error_at: TimeOrNull,
    /** Only if hours were requested: earlier time is unknown. Null if no time of the rule is accounted for. */
    history_from: Type.Optional(TimeOrNull),
    hours: Type.Optional(Type.Array(Type.Object({ hour: Time, ...Seconds }))),
  },
  { title: "RuleHealth" },
);
