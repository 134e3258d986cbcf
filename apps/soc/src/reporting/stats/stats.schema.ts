import Type, { type Static } from "typebox";
import { ALERT_STATUSES, AlertBody, SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { CASE_STATUSES, CaseBody } from "../../cases/cases/cases.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";

const Count = Type.Integer();
/** Null without data. */
const Minutes = Type.Union([Type.Number(), Type.Null()]);

function buildCountsSchema<Word extends string>(words: readonly Word[], title: string) {
  return Type.Unsafe<Record<Word, number>>(
    Type.Object(Object.fromEntries(words.map((word) => [word, Count])), { title }),
  );
}

export const OverviewBody = Type.Object(
  {
    alerts: Type.Object(
      {
        total: Count,
        by_status: buildCountsSchema(ALERT_STATUSES, "AlertStatusCounts"),
        by_severity: buildCountsSchema(SEVERITIES, "SeverityCounts"),
        new_24h: Type.Integer({ description: "created in the 24 hours before generated_at" }),
      },
      { title: "AlertCounts" },
    ),
    cases: Type.Object(
      {
        total: Count,
        by_status: buildCountsSchema(CASE_STATUSES, "CaseStatusCounts"),
        open: Type.Integer({ description: "neither resolved nor closed" }),
      },
      { title: "CaseCounts" },
    ),
    approvals_pending: Count,
    agents: Type.Object({ active: Count, disabled: Count, error: Count }),
    endpoints: Type.Object({ total: Count, isolated: Count }),
    devices: Type.Object({ total: Count, by_verdict: Type.Record(Type.String(), Count) }),
    detections: Type.Object({ rules: Count, runs_24h: Count, matches_24h: Count }),
    mtta_minutes: Minutes,
    mttr_minutes: Minutes,
    generated_at: Time,
  },
  { title: "Overview" },
);
export type OverviewBody = Static<typeof OverviewBody>;

const HourBody = Type.Object(
  {
    hour: Type.Unsafe<Date>(Type.String({ format: "date-time", description: "start of the hour" })),
    count: Count,
  },
  { title: "HourlyCount" },
);
const TopSourceBody = Type.Object({ source: Type.String(), count: Count }, { title: "TopSource" });
export type TopSource = Static<typeof TopSourceBody>;
const TopRuleBody = Type.Object({ rule_id: Type.String(), name: Type.String(), matches: Count }, { title: "TopRule" });
export type TopRule = Static<typeof TopRuleBody>;

export const DashboardBody = Type.Object(
  {
    ...OverviewBody.properties,
    alert_trend: Type.Array(HourBody, {
      description: "24 hours, oldest first; each starts on the hour (UTC), and the last contains generated_at",
    }),
    top_sources: Type.Array(TopSourceBody),
    top_rules: Type.Array(TopRuleBody),
    recent_alerts: Type.Array(AlertBody),
    recent_cases: Type.Array(CaseBody),
  },
  { title: "DashboardStats" },
);
export type DashboardBody = Static<typeof DashboardBody>;
