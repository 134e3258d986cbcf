import type { Mode, RuntimeTruthBody } from "./runtime.schema.ts";

/** The one place that says what may happen: mode and database decide everything, the gates and the answer alike. */
export function truthOf(mode: Mode, is_database_available: boolean): RuntimeTruthBody {
  const showcase_reads_allowed = mode === "dummy";
  const uses_showcase_data = showcase_reads_allowed && !is_database_available;
  return {
    mode,
    is_database_available,
    showcase_reads_allowed,
    uses_showcase_data,
    read_data_source: is_database_available ? "database" : uses_showcase_data ? "showcase" : "unavailable",
    is_mutations_allowed: mode === "real",
    is_internal_workflows_allowed: mode !== "dummy",
    is_external_actions_allowed: mode === "real",
  };
}
