import { expect, it, onTestFinished } from "vitest";
import { createTestPlayer, TOKEN } from "../../testing/test-player.ts";

const headers = { authorization: `Bearer ${TOKEN}` };

async function startDevice() {
  const player = await createTestPlayer();
  onTestFinished(() => player.close());
  return player;
}

it("answers the owner alone", async () => {
  const { app } = await startDevice();
  const payload = { address: "soc.example.org:8444", code: "x", authority_fingerprint: "x" };
  const refused = [
    await app.inject("/api/monitoring"),
    await app.inject("/api/monitoring/sent"),
    await app.inject({ method: "DELETE", url: "/api/monitoring" }),
    await app.inject({ method: "POST", url: "/api/monitoring/enrol", payload }),
  ];
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401]);
  expect((await app.inject({ url: "/api/monitoring", headers })).json()).toMatchObject({ state: "off" });
});

it("is no part of a backup", async () => {
  const { app } = await startDevice();
  const backup = (await app.inject({ url: "/api/backup", headers })).json();
  expect(Object.keys(backup).toSorted()).toEqual(["cards", "favorites", "prayer", "schedules", "settings", "stations"]);
});

it("is off after a factory reset, which works as before", async () => {
  const { app } = await startDevice();
  expect((await app.inject({ method: "POST", url: "/api/reset", headers })).statusCode).toBe(200);
  expect((await app.inject({ url: "/api/monitoring", headers })).json()).toMatchObject({ state: "off" });
});
