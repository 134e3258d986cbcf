import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { describe, expect, it } from "vitest";
import { nextReading, type TruthReading } from "./truth-reading.ts";

const truth: RuntimeTruthBody = {
  mode: "real",
  is_database_available: true,
  showcase_reads_allowed: false,
  uses_showcase_data: false,
  read_data_source: "database",
  is_mutations_allowed: true,
  is_internal_workflows_allowed: true,
  is_external_actions_allowed: true,
};
const nothing: TruthReading = { known: undefined, trouble: undefined };
const known = { truth, readAt: new Date(2026, 10, 14, 14, 30) };
const at = {
  readAt: new Date(2026, 10, 14, 14, 31),
  timeIn: (seconds: number) => new Date(2026, 10, 14, 14, 31, seconds),
};

describe("the reading of the runtime truth", () => {
  it("is the newest answer, and an answer ends the trouble", () => {
    const after = nextReading({ known, trouble: "The service did not answer." }, { kind: "given", body: truth }, at);
    expect(after).toEqual({ known: { truth, readAt: at.readAt }, trouble: undefined });
  });

  it("keeps what is known, with its own time, while the service is silent", () => {
    const after = nextReading({ known, trouble: undefined }, { kind: "silent" }, at);
    expect(after.known).toEqual(known);
    expect(after.trouble).toMatch(/^The service did not answer/);
  });

  it("knows nothing when the first question is refused, and says why", () => {
    const refusal = {
      kind: "refused",
      status: 503,
      detail: "database unavailable",
      retryAfterSeconds: undefined,
    } as const;
    expect(nextReading(nothing, refusal, at)).toEqual({ known: undefined, trouble: "Database unavailable." });
  });
});
