import { afterAll, beforeAll, expect, it } from "vitest";
import { type AttestationWorld, attestationWorld } from "../../../testing/harness/attestation-world.ts";
import type { EnrolledDevice } from "../../../testing/harness/devices-world.ts";

let world: AttestationWorld;
let player: EnrolledDevice;

beforeAll(async () => {
  world = await attestationWorld();
  await world.startServer();
  player = await world.enrol("hall");
});
afterAll(() => world.close());

const EVENT = {
  id: "0b6f7c1e-7b1e-4a52-9d5e-3a1f2c4d5e6f",
  at: "2026-11-17T08:00:00.000Z",
  type: "wrong_token",
  details: { count: "12" },
};

it("stores the events of a device under its registered name", async () => {
  const answered = await world.send(player, "/events", { events: [{ ...EVENT, host: "other" }] });
  expect(answered).toEqual({ status: 202, body: { accepted: 1 } });
  const fields = {
    ...{ timestamp: EVENT.at, host: "hall", action: "wrong_token", message: "hall: wrong token" },
    ...{ device: { id: player.id, type: "player" }, details: { count: "12" } },
  };
  expect(world.world.received).toEqual([
    {
      found: [{ id: EVENT.id, isIdUnique: true, raw: JSON.stringify(EVENT), fields }],
      origin: { format: "json", sender: `device:${player.id}`, source: "player" },
    },
  ]);
});

it.each([
  ["no event", { events: [] }, "events"],
  ["101 events", { events: Array.from({ length: 101 }, () => EVENT) }, "events"],
  ["a type in capitals", { events: [{ ...EVENT, type: "WrongToken" }] }, "type"],
  ["a day without a time", { events: [{ ...EVENT, at: "2026-11-17" }] }, "at"],
  ["a list of details", { events: [{ ...EVENT, details: ["12"] }] }, "details"],
  ["a long detail", { events: [{ ...EVENT, details: { count: "1".repeat(501) } }] }, "details"],
])("refuses %s and names the field", async (_, body, field) => {
  const before = world.world.received.length;
  const answered = await world.send(player, "/events", body);
  expect(answered.status).toBe(400);
  expect(answered.body.detail).toContain(field);
  expect(world.world.received).toHaveLength(before);
});

it("refuses a device that is being revoked or has no certificate", async () => {
  const lost = await world.enrol("lost");
  const revoked = await world.app.inject({ method: "POST", url: `/api/v1/cps/devices/${lost.id}/revoke`, payload: {} });
  expect(revoked.statusCode).toBeLessThan(300);
  const before = world.world.received.length;
  for (const sender of [lost, { ...lost, cert: "", key: "" }]) {
    expect((await world.send(sender, "/events", { events: [EVENT] })).status).toBe(401);
  }
  expect(world.world.received).toHaveLength(before);
});
