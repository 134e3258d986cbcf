import Type from "typebox";

/** Metrics of the last 24 hours. */
export const DetectionMetricsBody = Type.Object(
  {
    total_rules: Type.Integer(),
    enabled_rules: Type.Integer(),
    scheduled_rules: Type.Integer(),
    runs_24h: Type.Integer(),
    matches_24h: Type.Integer(),
    suppressed_24h: Type.Integer(),
    top_rules_by_matches: Type.Array(
      Type.Object({ rule_id: Type.String(), name: Type.String(), matches: Type.Integer() }),
    ),
    noisiest_rules: Type.Array(
      Type.Object({ rule_id: Type.String(), name: Type.String(), false_positives: Type.Integer() }),
    ),
  },
  { title: "DetectionMetrics" },
);
