import { launchBrowser } from "@kit/testing/browser";
import { checkSpeed } from "@kit/testing/speed";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { count } from "../../counts.ts";
import { makeCard } from "../card.ts";
import { type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { seed } from "./seed.ts";

const MAX_BYTES = 100_000;
const TRIES = count({ ci: 3, full: 5 });

let browser: Browser;
let player: StartedPlayer;

beforeAll(async () => {
  const card = await makeCard({ reciters: { "Mishary Alafasy": [1, 18, 36, 67] } });
  [player, browser] = await Promise.all([
    startPlayer(card, { PLAYER_DRIVERS: "simulated", PLAYER_LIMITS: "off" }),
    launchBrowser(),
  ]);
  await untilScanned(player.client);
  await seed(player.client);
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

/** An old phone on a slow network: 4 times slower, 1.6 Mbit/s, 20 ms. */
async function slowPhone(): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 360, height: 740 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 20,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 1_600_000 / 8,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return { page, devtools };
}

it("needs at most 100 kB for the first page, all from the device", async () => {
  const { page, devtools } = await slowPhone();
  let bytes = 0;
  const requests: string[] = [];
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(player.service.url);
  await page.locator(".strip-countdown").waitFor();
  await page.waitForLoadState("networkidle");
  console.info(`first load: ${bytes} bytes in ${requests.length} requests`);
  expect(requests.filter((url) => !url.startsWith(player.service.url))).toEqual([]);
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});

it("renders and responds to touch on a slow phone", async () => {
  const drawn: number[] = [];
  const stated: number[] = [];
  for (let at = 0; at < TRIES; at += 1) {
    const { page } = await slowPhone();
    await page.addInitScript(() => {
      // Set each mark in its own task, which proves that the main thread was free for input.
      const markOnce = (name: string, selector: string) => {
        if (document.querySelector(selector) && performance.getEntriesByName(name).length === 0) {
          setTimeout(() => performance.mark(name), 0);
        }
      };
      new MutationObserver(() => {
        markOnce("drawn", ".frame .tabs");
        markOnce("stated", ".strip-countdown");
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(player.service.url);
    await page.waitForFunction(() => performance.getEntriesByName("stated").length > 0);
    const markOf = (name: string) =>
      page.evaluate((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? Number.NaN, name);
    drawn.push(await markOf("drawn"));
    stated.push(await markOf("stated"));
    await page.context().close();
  }
  for (const times of [drawn, stated]) times.sort((one, other) => one - other);
  checkSpeed("dashboard: page drawn on a slow phone, ms", drawn[Math.floor(TRIES / 2)]);
  checkSpeed("dashboard: state shown on a slow phone, ms", stated[Math.floor(TRIES / 2)]);
});
