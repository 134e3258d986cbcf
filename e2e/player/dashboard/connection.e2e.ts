import { launchBrowser } from "@kit/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type StartedService, startService } from "../../services.ts";
import { makeCard } from "../card.ts";
import { hearFile, startPlayer, startPlayerForTest, untilScanned } from "../client.ts";
import { visit } from "./visit.ts";

let browser: Browser;
let card: string;

beforeAll(async () => {
  [browser, card] = await Promise.all([launchBrowser(), makeCard({ reciters: { Husary: [1, 2, 18] }, seconds: 60 })]);
});
afterAll(() => browser.close());

const UNREACHABLE = "The player is not responding.";

it("requests the token once, reports a wrong one and stores the right one", async () => {
  const { service, client } = await startPlayerForTest(card);
  await hearFile(client, "Husary/001.mp3");
  const { page } = await visit(browser, { url: service.url });

  await page.getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog");
  const token = dialog.getByLabel("Code or token");
  const unlock = dialog.getByRole("button", { name: "Unlock" });
  await token.fill("not a token");
  await unlock.click();
  await dialog.getByText("Type the six digits of the code").waitFor();
  await token.fill("0".repeat(64));
  await unlock.click();
  await dialog.getByText("Wrong code or token. Check it and try again.").waitFor();
  expect((await client.get("/api/playback/status")).body.state).toBe("playing");

  await token.fill(` ${client.token.toUpperCase()} `);
  await unlock.click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  expect((await client.get("/api/playback/status")).body.state).toBe("paused");

  await page.reload();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

it("requests the token again when the device has a new one", async () => {
  const { service, client } = await startPlayerForTest(card);
  await hearFile(client, "Husary/001.mp3");
  const { page } = await visit(browser, { url: service.url, token: "1".repeat(64) });
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("This browser's key is no longer valid.").waitFor();
  // The optimistic change is reverted: the device still plays.
  await page.getByRole("dialog").getByRole("button", { name: "Not now" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  expect((await client.get("/api/playback/status")).body.state).toBe("playing");
});

it("reports an unreachable device and continues when it is reachable again", async () => {
  const { service, client } = await startPlayer(card, { PLAYER_LIMITS: "off" });
  let device: StartedService = service;
  onTestFinished(async () => {
    await device.stop();
  });
  await untilScanned(client);
  await client.post("/api/prayer/config", { lat: 51.51, lng: -0.13 });
  await hearFile(client, "Husary/018.mp3");
  const { page } = await visit(browser, { url: service.url, token: client.token });
  await page.getByText("Al-Kahf").first().waitFor();
  expect(await page.getByText(UNREACHABLE).count()).toBe(0);

  await service.stop();
  await page.getByText(UNREACHABLE).waitFor({ timeout: 5000 });
  expect(await page.getByText("Al-Kahf").count()).toBeGreaterThan(0);

  device = await startService("player", {
    PLAYER_PORT: String(service.port),
    PLAYER_DATA_DIR: service.dataFolder,
    PLAYER_CARD_DIR: card,
    PLAYER_DRIVERS: "linux",
    PLAYER_AUDIO_OUTPUT: "null",
  });
  await page.getByText(UNREACHABLE).waitFor({ state: "detached", timeout: 15_000 });
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
});

it("opens from its cache while the device restarts", async () => {
  const { service, client } = await startPlayer(card);
  // A service worker needs a certificate that the browser trusts; on localhost without TLS it may work as well.
  await service.stop();
  const plain = await startService("player", {
    PLAYER_TLS: "off",
    PLAYER_HOST: "127.0.0.1",
    PLAYER_DATA_DIR: service.dataFolder,
    PLAYER_CARD_DIR: card,
    PLAYER_DRIVERS: "linux",
    PLAYER_AUDIO_OUTPUT: "null",
  });
  const { page } = await visit(browser, { url: plain.url, token: client.token, path: "/library" });
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  // The worker handles requests from the next visit on.
  await page.reload();
  await page.locator("h1").waitFor();
  await plain.stop();
  await page.reload();
  await page.getByText(UNREACHABLE).waitFor({ timeout: 10_000 });
  await page.getByRole("link", { name: "Prayer" }).click();
  await page.getByRole("heading", { level: 1, name: "Prayer" }).waitFor();
});
