import { expect, it } from "vitest";
import type { Caller } from "../caller/caller.ts";
import { findConcerned, formatAudience, groupByFrames } from "./audience.ts";
import type { EventReaders } from "./event.ts";

const NOOR: Caller = { kind: "user", username: "noor", role: "tier1" };
const READERS: EventReaders = new Map<string, "subject" | readonly ["alerts:read"]>([
  ["inbox", "subject"],
  ["alert", ["alerts:read"]],
]);
const event = (type: string, subject_id: string, data: object = {}) => ({
  ...{ place: 1n, at: new Date(0), type, actor: null, subject_type: null, subject_id, data },
});

it.each<[string, Partial<Caller>, readonly string[] | undefined, boolean]>([
  ["another user with the same rights", { username: "sara" }, undefined, true],
  ["another session of the same user", { session: "s2" }, undefined, true],
  ["another role", { role: "tier2" }, undefined, false],
  ["other sites", { sites: ["1", "Alpha"] }, undefined, false],
  ["other types", {}, ["alert"], false],
  ["an API key", { kind: "api_key", scopes: ["alerts:read"] }, undefined, false],
])("matches a listener with %s", (_, changed, types, isShared) => {
  expect(formatAudience({ ...NOOR, ...changed }, types) === formatAudience(NOOR, undefined)).toBe(isShared);
});

it("finds the only reader of an event, and the user who requested the change", () => {
  const events = [
    event("inbox.added", "noor"),
    event("approval.granted", "p1", { requested_by: "sara" }),
    event("approval.granted", "p2", { requested_by: 7 }),
    event("alert.created", "layla"),
  ];
  expect([...findConcerned(events, READERS)]).toEqual(["noor", "sara"]);
});

it("groups listeners that receive the same frames", () => {
  const audience = formatAudience(NOOR, undefined);
  const listener = (username: string, place: bigint, other = audience) => ({
    ...{ caller: { ...NOOR, username }, place, audience: other },
  });
  const [noor, sara, layla, late, tier2] = [
    listener("noor", 5n),
    listener("sara", 5n),
    listener("layla", 4n),
    listener("late", 7n),
    listener("boss", 5n, formatAudience({ ...NOOR, role: "tier2" }, undefined)),
  ];
  const grouped = (concerned: string[]) => groupByFrames([noor, sara, layla, late, tier2], 5n, new Set(concerned));
  expect(grouped([])).toEqual([[noor, sara, layla], [late], [tier2]]);
  expect(grouped(["sara"])).toEqual([[noor, layla], [sara], [late], [tier2]]);
});
