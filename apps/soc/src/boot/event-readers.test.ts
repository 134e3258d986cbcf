import { expect, it } from "vitest";
import { openedPlatform } from "../../testing/harness/whole-platform.ts";
import type { Role } from "../foundation/caller/permissions.ts";
import { collectReaders, mayReceive } from "../foundation/events/event.ts";

// According to the permissions of the API document, a caller receives the events of the records that it may read.
it.each([
  ["alert.created", "auditor", true],
  ["custody.recorded", "tier1", true],
  ["site.deleted", "agent", true],
  ["agent.scaled", "auditor", true],
  ["approval.requested", "tier3", false],
  ["approval.requested", "manager", true],
  ["automation.fired", "auditor", true],
  ["user.created", "manager", false],
  ["user.created", "admin", true],
] as const)("sends %s to the role %s: %s", async (type, role: Role, expected) => {
  const { platform } = await openedPlatform();
  const event = { type, subject_id: "x", data: {} };
  const readers = collectReaders(platform.registrations);
  expect(mayReceive({ kind: "user", username: role, role }, event, readers)).toBe(expected);
});
