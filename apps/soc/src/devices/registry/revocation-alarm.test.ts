import { expect, it } from "vitest";
import { findRevocationAlarm } from "./revocation-alarm.ts";

const NOW = new Date("2026-11-20T10:00:30Z");

it("names the device whose revocation waits longest for the broker", () => {
  expect(findRevocationAlarm({ name: "door-1", revoked_at: new Date("2026-11-20T10:00:00Z") }, NOW)).toBe(
    "the broker has not confirmed the revocation of the device 'door-1' since 2026-11-20T10:00:00.000Z: it may still accept the device",
  );
});

it.each([undefined, { name: "door-1", revoked_at: new Date("2026-11-20T10:00:01Z") }])("is silent for %j", (oldest) => {
  expect(findRevocationAlarm(oldest, NOW)).toBeNull();
});
