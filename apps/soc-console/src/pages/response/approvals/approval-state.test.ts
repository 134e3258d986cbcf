import { describe, expect, it } from "vitest";
import { findBar, keepRows, shareLeft, soonestFirst } from "./approval-state.ts";
import type { ApprovalDetail } from "./approvals-client.ts";

const NOW = new Date("2026-11-17T20:00:00Z");

function approval(changes: Partial<ApprovalDetail> = {}): ApprovalDetail {
  return {
    id: "a1",
    kind: "playbook",
    status: "pending",
    playbook_id: "contain-host",
    playbook_version: 7,
    action: "Run playbook 'Contain host'",
    justification: "",
    case_id: null,
    alert_id: null,
    parameters: {},
    missing_inputs: [],
    effect: [{ summary: "Isolates fin-ws-014", sends: [] }],
    effect_hash: "5e88",
    requested_by: "yara",
    requested_at: "2026-11-17T18:00:00Z",
    expires_at: "2026-11-17T22:00:00Z",
    decided_by: null,
    decided_at: null,
    reason: null,
    execution_id: null,
    policy: { four_eyes: true, quorum: 2 },
    requesters: ["omar", "yara"],
    votes: [],
    ...changes,
  };
}

const layla = { username: "layla", mayDecide: true };

// The rules are those of docs/api/soc.md, "Approval handshake".
describe("who can decide", () => {
  const vote = { decided_by: "layla", approved: true, reason: null, decided_at: "2026-11-17T19:00:00Z" };
  it.each([
    ["another person", {}, layla, undefined],
    ["the requester, with four eyes", {}, { username: "yara", mayDecide: true }, "own"],
    ["the author, with four eyes", {}, { username: "omar", mayDecide: true }, "wrote"],
    [
      "the requester, without",
      { policy: { four_eyes: false, quorum: 1 } },
      { username: "yara", mayDecide: true },
      undefined,
    ],
    ["a user without the permission", {}, { username: "yara", mayDecide: false }, "permission"],
    ["a user who has voted", { votes: [vote] }, layla, "voted"],
    ["a user after the decision", { status: "rejected" as const }, layla, "decided"],
    ["a user after the end", { expires_at: "2026-11-17T19:59:59Z" }, layla, "expired"],
    ["a user after a timeout", { status: "timeout" as const }, layla, "expired"],
    [
      "a user after an agent stopped waiting",
      { status: "timeout" as const, kind: "request" as const },
      layla,
      undefined,
    ],
  ])("decides who can approve: %s", (_who, changes, person, bar) => {
    expect(findBar(approval(changes), person, NOW)).toBe(bar);
  });
});

describe("the list of approvals", () => {
  it("computes the remaining share of a lifetime", () => {
    expect(shareLeft(approval(), NOW)).toBe(0.5);
    expect(shareLeft(approval(), new Date("2026-11-18T00:00:00Z"))).toBe(0);
  });

  it("keeps rows in place, marks removed ones and appends new ones", () => {
    const [a, b, c] = ["a", "b", "c"].map((id) => approval({ id }));
    if (!a || !b || !c) return expect.fail();
    const before = keepRows([], [a, b]);
    const after = keepRows(before, [c, b]);
    expect(after.map(({ approval: { id }, isGone }) => [id, isGone])).toEqual([
      ["a", true],
      ["b", false],
      ["c", false],
    ]);
  });

  it("sorts by soonest expiry", () => {
    const late = approval({ id: "late", expires_at: "2026-11-17T23:00:00Z" });
    expect(soonestFirst([late, approval({ id: "soon" })]).map(({ id }) => id)).toEqual(["soon", "late"]);
  });
});
