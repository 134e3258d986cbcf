import Type from "typebox";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";

/** How the time of a rule is accounted for: the parts add up to `total_s`. Counts are of the last seven days. */
export const RuleHealthBody = Type.Object({
  rule_id: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  measured_at: Time,
  total_s: Type.Number(),
  ran_s: Type.Number(),
  late_s: Type.Number(),
  skipped_s: Type.Number(),
  capped_s: Type.Number(),
  silent_s: Type.Number(),
  matches_7d: Type.Integer(),
  suppressed_7d: Type.Integer(),
  /** Logs that exceptions have hidden from the rule; they are no matches. */
  excepted_7d: Type.Integer(),
  alerts_7d: Type.Integer(),
  last_run_at: TimeOrNull,
  last_error: TextOrNull,
  last_error_at: TimeOrNull,
});
