import Type, { type Static } from "typebox";

export const MODES = ["dummy", "dry_run", "real"] as const;
export type Mode = (typeof MODES)[number];

export const RuntimeTruthBody = Type.Object(
  {
    mode: Type.Enum([...MODES]),
    is_database_available: Type.Boolean(),
    showcase_reads_allowed: Type.Boolean(),
    uses_showcase_data: Type.Boolean(),
    read_data_source: Type.Enum(["database", "showcase", "unavailable"]),
    is_mutations_allowed: Type.Boolean(),
    is_internal_workflows_allowed: Type.Boolean(),
    is_external_actions_allowed: Type.Boolean(),
  },
  { title: "RuntimeTruth" },
);
export type RuntimeTruthBody = Static<typeof RuntimeTruthBody>;
