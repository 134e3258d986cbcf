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

it("proves that nothing was sent when everything was refused or only recorded", () => {
  const entries = [entry("1", { outcome: "refused" }), entry("2", { outcome: "recorded" })];
  expect(judgeProof({ entries, is_complete: true })).toBe("nothing");
});

it("counts an intended request as sent, even if it failed or its result is unknown", () => {
  const entries = [entry("1"), entry("2", { outcome: "failed", of: "1" }), entry("3")];
  expect(judgeProof({ entries, is_complete: true })).toBe("effects");
  expect(listSent({ entries }).map(({ entry: { id }, end }) => [id, end?.outcome])).toEqual([
    ["1", "failed"],
    ["3", undefined],
  ]);
});

it("separates read requests from effects", () => {
  expect(judgeProof({ entries: [entry("1", { kind: "question" })], is_complete: true })).toBe("questions");
});

it("proves nothing if the list is incomplete", () => {
  expect(judgeProof({ entries: [], is_complete: false })).toBe("incomplete");
  expect(judgeProof({ entries: [entry("1")], is_complete: false })).toBe("effects");
});
