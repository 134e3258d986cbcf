import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { describe, expect, it } from "vitest";
import { listAllowances } from "./allowances.ts";
import { runtimePhrases } from "./runtime-phrases.ts";

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
const meanings = (truth: RuntimeTruthBody) =>
  listAllowances(truth, runtimePhrases.en).map(({ isAllowed, meaning }) => `${isAllowed ? "yes" : "no"}: ${meaning}`);

describe("what is allowed", () => {
  it("allows only reading demo data in dummy mode", () => {
    expect(meanings(dummy)).toEqual([
      "no: Your changes are refused.",
      "no: Intake, detections and agent runs store nothing.",
      "no: No response action is sent.",
      "yes: Demonstration data is shown when the database is unavailable.",
    ]);
  });

  it("allows pipelines in dry_run and previews changes", () => {
    const truth: RuntimeTruthBody = {
      ...dummy,
      mode: "dry_run",
      showcase_reads_allowed: false,
      is_internal_workflows_allowed: true,
    };
    expect(meanings(truth)).toEqual([
      "no: You see a preview of your changes. Nothing is stored.",
      "yes: Intake, detections and agent runs are stored.",
      "no: Response actions are recorded, never sent.",
      "no: No demonstration data is shown when the database is unavailable.",
    ]);
  });
});
