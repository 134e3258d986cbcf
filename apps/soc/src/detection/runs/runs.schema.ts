import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";
import { LogBody, LogWindowQuery } from "../../logs/search/logs.schema.ts";
import { RuleBody, UpdateRuleRequest } from "../rules/rules.schema.ts";

const TRIGGER_MODES = ["manual", "scheduled"] as const;

/** Capped: there were so many matches that one alert represents all. Preview: nothing was stored. */
const RUN_STATUSES = ["completed", "capped", "failed", "preview"] as const;

const closed = { additionalProperties: false } as const;

export const ListRunsQuery = Type.Object({
  ...PageQuery.properties,
  trigger_mode: Type.Optional(Type.Enum([...TRIGGER_MODES])),
  is_backfill: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.Enum([...RUN_STATUSES])),
});
export type ListRunsQuery = Static<typeof ListRunsQuery>;

export const RunBody = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    rule_version: Type.Integer(),
    trigger_mode: Type.Enum([...TRIGGER_MODES]),
    /** The window failed earlier, or a changed rule missed it. */
    is_backfill: Type.Boolean(),
    status: Type.Enum([...RUN_STATUSES]),
    window_from: Time,
    window_to: Time,
    started_at: Time,
    finished_at: Time,
    match_count: Type.Integer(),
    suppressed_count: Type.Integer(),
    /** Logs that exceptions hide from the rule; they are not matches. */
    excepted_count: Type.Integer(),
    /** The matches that no earlier run had found. */
    new_match_count: Type.Integer(),
    alert_ids: Type.Array(Type.String()),
    sample_log_ids: Type.Array(Type.String()),
    error: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "RuleRun" },
);

export const RuleRunBody = Type.Object(
  {
    rule: RuleBody,
    total: Type.Integer(),
    suppressed_count: Type.Integer(),
    run: RunBody,
    logs: Type.Array(LogBody),
  },
  { title: "RuleRunResult" },
);

/** A new rule, or changes to an existing one, and a time range in the past. */
export const PreviewRuleRequest = Type.Object(
  {
    ...UpdateRuleRequest.properties,
    ...LogWindowQuery.properties,
    /** A Sigma rule that is not imported, or the next version of an imported one. */
    yaml: Type.Optional(Type.String({ minLength: 1, maxLength: 1_048_576 })),
  },
  { title: "PreviewRuleRequest", ...closed },
);
export type PreviewRuleRequest = Static<typeof PreviewRuleRequest>;

export const RulePreviewBody = Type.Object(
  {
    window_from: Time,
    window_to: Time,
    total: Type.Integer(),
    suppressed_count: Type.Integer(),
    /** Logs that the active exceptions would hide; they are not matches. */
    excepted_count: Type.Integer(),
    is_capped: Type.Boolean(),
    alert_count: Type.Integer(),
    alerts: Type.Array(Type.Object({ title: Type.String(), matches: Type.Integer() })),
    logs: Type.Array(LogBody),
    /** Matched logs by ingest time; for a capped preview the newest ones. */
    histogram: Type.Array(Type.Object({ at: Time, count: Type.Integer() })),
    /** The ten hosts and the ten users with the most matched logs. */
    groups: Type.Array(
      Type.Object({
        field: Type.Enum(["host", "user"]),
        value: Type.String(),
        count: Type.Integer(),
        sample_log: LogBody,
      }),
    ),
    /** Those of the newest 1,000 matched logs that have a verdict. */
    known: Type.Object({ true_positive: Type.Integer(), false_positive: Type.Integer() }),
    /** The logs of the window, counted up to a million. */
    scanned: Type.Integer(),
    scanned_is_capped: Type.Boolean(),
    took_ms: Type.Integer(),
  },
  { title: "RulePreview" },
);
export type RulePreviewBody = Static<typeof RulePreviewBody>;
