import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { Id, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { LogWindowQuery } from "../../logs/search/logs.schema.ts";
import { PreviewRuleRequest } from "../runs/runs.schema.ts";

const BACKTEST_STATUSES = ["queued", "running", "done", "cancelled", "failed"] as const;

const closed = { additionalProperties: false } as const;
const Status = Type.Enum([...BACKTEST_STATUSES], { title: "BacktestStatus" });
const { from: _from, to: _to, ...ruleFields } = PreviewRuleRequest.properties;

/** An unsaved rule, or a stored one with changes for this backtest only, and a time range in the past. */
export const CreateBacktestRequest = Type.Object(
  {
    rule: Type.Optional(Type.Object(ruleFields, closed)),
    rule_id: Type.Optional(Id),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
    ...LogWindowQuery.properties,
  },
  { title: "CreateBacktestRequest", ...closed },
);
export type CreateBacktestRequest = Static<typeof CreateBacktestRequest>;

export const BacktestParams = Type.Object({ backtest_id: Type.String() });

export const ListBacktestsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(MultiValueOf(Status)),
  rule_id: Type.Optional(MultiValueOf(Id)),
});
export type ListBacktestsQuery = Static<typeof ListBacktestsQuery>;

const summary = {
  id: Type.String(),
  rule_id: TextOrNull,
  name: Type.String(),
  requested_by: Type.String(),
  status: Status,
  window_from: Time,
  window_to: Time,
  /** The finished share of the window, from 0 to 1. */
  progress: Type.Number(),
  /** Logs of the finished part; each slice counts up to a million. */
  scanned: Type.Integer(),
  matches: Type.Integer(),
  /** Logs that exceptions have hidden; they are not matches. */
  excepted: Type.Integer(),
  /** There were more matches than the histogram and the groups show. */
  is_capped: Type.Boolean(),
  /** The evaluation time without waiting. */
  took_ms: Type.Integer(),
  error: TextOrNull,
  created_at: Time,
  finished_at: TimeOrNull,
};

export const BacktestBody = Type.Object(summary, { title: "Backtest" });

export const BacktestResultBody = Type.Object({
  /** Matched logs by ingest time, including empty parts of the window. */
  histogram: Type.Array(Type.Object({ at: Type.String({ format: "date-time" }), count: Type.Integer() })),
  /** The ten hosts and the ten users with the most matched logs. */
  groups: Type.Array(
    Type.Object({
      field: Type.Enum(["host", "user"]),
      value: Type.String(),
      count: Type.Integer(),
      sample_log_id: Type.String(),
    }),
  ),
  /** Those of the newest 1,000 matched logs that have a verdict; null until the backtest is done. */
  known: Type.Union([Type.Object({ true_positive: Type.Integer(), false_positive: Type.Integer() }), Type.Null()]),
});

export const BacktestDetailBody = Type.Object(
  { ...summary, ...BacktestResultBody.properties },
  { title: "BacktestDetail" },
);
