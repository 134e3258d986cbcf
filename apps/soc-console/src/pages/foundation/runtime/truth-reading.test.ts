import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../app/api/api-client.ts";
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

describe("the runtime truth on the page", () => {
  it("is the newest answer, which also clears the error", () => {
    const after = nextReading({ known, trouble: "The service did not answer." }, truth, at);
    expect(after).toEqual({ known: { truth, readAt: at.readAt }, trouble: undefined });
  });

  it("stays, with its own time, while the service does not answer", () => {
    const after = nextReading({ known, trouble: undefined }, new ApiError(0, "Failed to fetch"), at);
    expect(after.known).toEqual(known);
    expect(after.trouble).toMatch(/^The service did not answer/);
  });

  it("is unknown, with the reason, when the first request fails", () => {
    const error = new ApiError(503, "database unavailable");
    expect(nextReading(nothing, error, at)).toEqual({ known: undefined, trouble: "Database unavailable." });
  });
});
