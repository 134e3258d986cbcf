import { expect, it } from "vitest";
import type { ProofEntry } from "./proof-client.ts";
import { judgeProof, listSent } from "./proof-verdict.ts";

const entry = (id: string, over: Partial<ProofEntry> = {}): ProofEntry => ({
  id,
  at: "2026-11-18T00:00:00.000Z",
  mode: "real",
  kind: "effect",
  destination: "edr",
  purpose: "isolate",
  method: "POST",
  host: "edr.example",
  path: "/isolate",
  body_sha256: "",
  body_bytes: 0,
  outcome: "intended",
  status: null,
  of: null,
  ...over,
});

it("proves that nothing left when all was refused or recorded", () => {
  const entries = [entry("1", { outcome: "refused" }), entry("2", { outcome: "recorded" })];
  expect(judgeProof({ entries, is_complete: true })).toBe("nothing");
});

it("counts what was intended as sent, also when it failed or its end is unknown", () => {
  const entries = [entry("1"), entry("2", { outcome: "failed", of: "1" }), entry("3")];
  expect(judgeProof({ entries, is_complete: true })).toBe("effects");
  expect(listSent({ entries }).map(({ entry: { id }, end }) => [id, end?.outcome])).toEqual([
    ["1", "failed"],
    ["3", undefined],
  ]);
});

it("separates questions from effects: they change nothing outside", () => {
  expect(judgeProof({ entries: [entry("1", { kind: "question" })], is_complete: true })).toBe("questions");
});

it("proves nothing when the list is not complete", () => {
  expect(judgeProof({ entries: [], is_complete: false })).toBe("incomplete");
  expect(judgeProof({ entries: [entry("1")], is_complete: false })).toBe("effects");
});
