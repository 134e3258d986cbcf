import { expect, it } from "vitest";
import { buildTruth } from "./runtime.ts";

// The mode table of the API document in full: mode, database, source, showcase, mutations, internal, external.
it.each([
  ["dummy", true, "database", false, false, false, false],
  ["dummy", false, "showcase", true, false, false, false],
  ["dry_run", true, "database", false, false, true, false],
  ["dry_run", false, "unavailable", false, false, true, false],
  ["real", true, "database", false, true, true, true],
  ["real", false, "unavailable", false, true, true, true],
] as const)(
  "in %s with is_database_available %s reads from %s",
  (mode, database, source, showcase, mutations, internal, external) => {
    expect(buildTruth(mode, database)).toEqual({
      mode,
      is_database_available: database,
      showcase_reads_allowed: mode === "dummy",
      uses_showcase_data: showcase,
      read_data_source: source,
      is_mutations_allowed: mutations,
      is_internal_workflows_allowed: internal,
      is_external_actions_allowed: external,
    });
  },
);
