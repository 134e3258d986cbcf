import { describe, expect, it } from "vitest";
import { endsWaiting, listNotices } from "./notice.ts";

const read = (type: string, data: object, actor = "noor") =>
  listNotices({ id: "1-1", at: "2026-11-17T08:00:00.000Z", type, actor, subject_id: "s", data });
const toSara = { to: { username: "sara" } };

describe("inbox notices of events", () => {
  it.each([
    ["alert.updated", { assignee: "sara", previous_assignee: null }, { kind: "assigned", subject_type: "alert" }],
    ["case.created", { title: "Theft", assignee: "sara" }, { kind: "assigned", subject_type: "case", title: "Theft" }],
    ["case.updated", { changes: [{ field: "assignee", from: "none", to: "sara" }] }, { subject_type: "case" }],
    ["task.created", { case_id: "c", title: "Call", assignee: "sara" }, { subject_id: "c", title: "Call" }],
    ["task.updated", { case_id: "c", changes: [{ field: "assignee", from: "none", to: "sara" }] }, { subject_id: "c" }],
    ["comment.created", { case_id: "c", mentions: ["sara"] }, { kind: "mentioned", subject_id: "c" }],
    ["approval.decided", { action: "Isolate", requested_by: "sara" }, { kind: "decided", title: "Isolate" }],
    ["approval.expired", { action: "Isolate", requested_by: "sara" }, { kind: "decided" }],
    [
      "execution.finished",
      { status: "failed", playbook_id: "p", requested_by: "sara" },
      { kind: "failed", title: "p" },
    ],
  ])("creates a notice for %s", (type, data, expected) => {
    expect(read(type, data)).toMatchObject([{ ...toSara, ...expected }]);
    expect(read(type, data, "sara")).toEqual([]);
  });

  it("creates a notice for the user of a sign-in from a new place, although the subject has no username", () => {
    const data = { device: "Firefox on Windows", address: "203.0.113.7" };
    const title = "Sign-in from a new place: Firefox on Windows, 203.0.113.7";
    expect(read("auth.new_place", data, "203.0.113.7")).toEqual([
      { kind: "sign_in", to: { username: "s" }, subject_type: "user", subject_id: "s", title },
    ]);
  });

  it("creates a notice for a change of many alerts as part of the bulk change", () => {
    const data = { assignee: "sara", previous_assignee: null, change_id: "c1" };
    expect(read("alert.updated", data)).toMatchObject([{ title: "Several alerts at once", change_id: "c1" }]);
  });

  it.each([
    ["alert.updated", { assignee: "sara", previous_assignee: "sara" }],
    ["alert.updated", { assignee: null, previous_assignee: "sara" }],
    ["case.updated", { changes: [{ field: "title", from: "a", to: "sara" }] }],
    ["execution.finished", { status: "completed", playbook_id: "p", requested_by: "sara" }],
    ["comment.created", { case_id: "c", mentions: [] }],
    ["alert.updated", {}],
    ["site.created", { assignee: "sara" }],
  ])("creates no notice for %s with %o", (type, data) => {
    expect(read(type, data)).toEqual([]);
  });

  it("creates a notice of an approval request for everyone who may decide", () => {
    const notices = read("approval.requested", { action: "Isolate", requested_by: "sara" }, "sara");
    expect(notices).toMatchObject([{ kind: "waiting", to: { deciders: true }, subject_id: "s", title: "Isolate" }]);
    const types = ["requested", "voted", "decided", "expired", "withdrawn", "used"].map((end) => `approval.${end}`);
    expect(types.filter((type) => endsWaiting({ type }))).toEqual(types.slice(2));
  });
});
