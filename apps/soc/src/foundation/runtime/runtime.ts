import { MODE_TABLE, OUTSIDE } from "./mode-table.ts";
import type { Mode, RuntimeTruthBody } from "./runtime.schema.ts";

/** Derives the current state from the mode table, in the fields of the API document. */
export function buildTruth(mode: Mode, is_database_available: boolean): RuntimeTruthBody {
  const reads = MODE_TABLE.none[mode];
  const source = is_database_available ? reads.up : reads.down;
  return {
    mode,
    is_database_available,
    showcase_reads_allowed: reads.down === "showcase",
    uses_showcase_data: source === "showcase",
    read_data_source: source === "database" || source === "showcase" ? source : "unavailable",
    is_mutations_allowed: MODE_TABLE.change[mode].up === "done",
    is_internal_workflows_allowed: MODE_TABLE.internal[mode].up === "done",
    is_external_actions_allowed: OUTSIDE.effect[mode] === "sent",
  };
}
