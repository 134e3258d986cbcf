import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { freePort } from "@kit/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { createManualEngine } from "../testing/manual-engine.ts";
import { createTestPlayer, TOKEN } from "../testing/test-player.ts";
import { createSimulatedHardware } from "./drivers/simulated-hardware.ts";
import { createSimulatedWifi } from "./drivers/simulated-wifi.ts";
import type { WifiNetwork } from "./settings/wifi-manager.ts";

const MINUTE_MS = 60_000;

/** The whole service on simulated hardware, and a phone that sees its set-up network. */
async function startDevice(known?: WifiNetwork) {
  const clock = createFakeClock();
  const setupPort = await freePort();
  const dataFolder = await mkdtemp(join(tmpdir(), "network-"));
  const wifi = createSimulatedWifi(known);
  const parts = { engine: createManualEngine(), dataFolder, clock, ids: createFakeIds() };
  const player = await createTestPlayer({
    clock,
    dataFolder,
    setupPort,
    hardware: { ...createSimulatedHardware(parts), wifi },
  });
  onTestFinished(() => player.close());
  await player.start();

  /** The page that the phone's sheet shows; undefined while there is none. */
  async function openSheet(): Promise<string | undefined> {
    const asking = request({ port: setupPort, path: "/", headers: { host: "127.0.0.1" } });
    asking.end();
    return once(asking, "response").then(
      ([response]) => text(response),
      () => undefined,
    );
  }

  const post = (url: string, body: object) =>
    player.app.inject({ method: "POST", url, headers: { authorization: `Bearer ${TOKEN}` }, body });
  const settings = async () => (await player.app.inject("/api/settings")).json();
  return { clock, wifi, openSheet, post, settings };
}

it("is reachable again within eleven minutes after the router was replaced, by its own network", async () => {
  const { clock, wifi, openSheet, post, settings } = await startDevice({ ssid: "Old router", password: "" });
  await clock.advance(60 * MINUTE_MS);
  expect(await settings()).toMatchObject({ ssid: "Old router", wifi_connected: true });
  wifi.setReach(false);
  let minutes = 0;
  for (; minutes < 30 && (await openSheet()) === undefined; minutes += 1) await clock.advance(MINUTE_MS);
  expect(minutes).toBeLessThanOrEqual(11);

  wifi.setReach(true);
  expect((await post("/api/settings/wifi", { ssid: "New router", password: "correct horse" })).statusCode).toBe(200);
  await clock.advance(1000);
  expect(await settings()).toMatchObject({ ssid: "New router", wifi_connected: true });
  await expect.poll(openSheet).toBeUndefined();
});

it("opens its own network at the first start, with the page on its port", async () => {
  const { clock, openSheet } = await startDevice();
  await clock.advance(1000);
  await expect.poll(openSheet).toContain("You are connected to the player");
});
