import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { describe, expect, it } from "vitest";
import { databaseWords, listAllowances, sourceWords } from "./words.ts";

const dummy: RuntimeTruthBody = {
  mode: "dummy",
  is_database_available: false,
  showcase_reads_allowed: true,
  uses_showcase_data: true,
  read_data_source: "showcase",
  is_mutations_allowed: false,
  is_internal_workflows_allowed: false,
  is_external_actions_allowed: false,
};
const dryRun: RuntimeTruthBody = {
  ...dummy,
  mode: "dry_run",
  is_database_available: true,
  showcase_reads_allowed: false,
  uses_showcase_data: false,
  read_data_source: "database",
  is_internal_workflows_allowed: true,
};
const real: RuntimeTruthBody = {
  ...dryRun,
  mode: "real",
  is_mutations_allowed: true,
  is_external_actions_allowed: true,
};

describe("what is allowed", () => {
  it.each([
    ["dummy", dummy, [false, false, false, true]],
    ["dry_run", dryRun, [false, true, false, false]],
    ["real", real, [true, true, true, false]],
  ])("in %s matches the service's answer", (_mode, truth, allowed) => {
    expect(listAllowances(truth).map(({ isAllowed }) => isAllowed)).toEqual(allowed);
  });

  it("explains what happens to a change in each mode", () => {
    expect(listAllowances(dummy)[0]?.meaning).toBe("Your changes are refused.");
    expect(listAllowances(dryRun)[0]?.meaning).toBe("You see a preview of your changes. Nothing is stored.");
    expect(listAllowances(real)[0]?.meaning).toBe("Your changes are stored.");
  });

  it("explains what happens to a response action in each mode", () => {
    expect(listAllowances(dummy)[2]?.meaning).toBe("No response action is sent.");
    expect(listAllowances(dryRun)[2]?.meaning).toBe("Response actions are recorded, never sent.");
    expect(listAllowances(real)[2]?.meaning).toBe("Response actions are sent to real systems.");
  });
});

describe("where reads come from", () => {
  it("never presents demonstration data as real", () => {
    expect(sourceWords(dummy).meaning).toContain("None of it happened");
    expect(databaseWords(dummy).name).toBe("Not available");
  });

  it("names no source when the database is unavailable", () => {
    expect(sourceWords({ ...real, is_database_available: false, read_data_source: "unavailable" }).name).toBe("None");
  });
});
