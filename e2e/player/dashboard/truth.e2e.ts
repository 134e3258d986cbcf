import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { startLoopbackPlayer } from "@player/service/testing/loopback-player";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeCard } from "../card.ts";
import { createPlayerClient, type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { PAGES } from "./pages.ts";
import { seed } from "./seed.ts";
import { visit } from "./visit.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const RECITER = "Mishary Alafasy";
const SLOW_MS = 1500;
const NO_SOUND = "No sound: the sound output did not start.";

const clock = createClock();
let browser: Browser;
let player: StartedPlayer;

beforeAll(async () => {
  const everySurah = Array.from({ length: 114 }, (_, at) => at + 1);
  const card = await makeCard({ reciters: { [RECITER]: everySurah, Adhan: [1] }, seconds: 60 });
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

const open = (path = "/", prepare?: (page: Page) => Promise<void>) =>
  visit(browser, { url: player.service.url, token: player.client.token, path, ...(prepare && { prepare }) });

/** The device obeys at once, but its answer takes a while. */
async function slowAnswer(page: Page, path: string): Promise<void> {
  await page.route(`**/api${path}`, async (route) => {
    const answer = await route.fetch();
    await clock.sleep(SLOW_MS);
    await route.fulfill({ response: answer });
  });
}

it("shows what the device does when the answer to a request arrives after a newer event", async () => {
  const { client } = player;
  await client.post("/api/playback/play", { path: `${RECITER}/018.mp3` });
  const { page } = await open("/", (opened) => slowAnswer(opened, "/playback/pause"));
  const answered = page.waitForResponse(/\/playback\/pause$/);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect.poll(async () => (await client.get("/api/playback/status")).body.state).toBe("paused");
  await client.post("/api/playback/resume");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await answered;
  await clock.sleep(300);
  expect((await client.get("/api/playback/status")).body.state).toBe("playing");
  expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(1);
});

it("shows an adhan that began before the page was opened", async () => {
  const { client } = player;
  await client.post("/api/prayer/config", { adhan: { path: "Adhan/001.mp3" } });
  await client.post("/api/prayer/test-adhan");
  const { page } = await open();
  await page.getByRole("heading", { name: "Adhan" }).waitFor();
  await page.getByText("The adhan is playing").waitFor();
  const socket = await client.socket();
  onTestFinished(() => socket.close());
  expect(socket.events[0]).toMatchObject({ type: "hello", data: { adhan: "test" } });
  await client.post("/api/playback/stop");
  await client.post("/api/prayer/config", { adhan: { path: "" } });
});

it("calls the built-in tone a tone, before and during playback", async () => {
  const { client } = player;
  await client.post("/api/playback/stop");
  const { page } = await open();
  await page.getByText("You will hear a short tone instead of the adhan.").waitFor();
  await client.post("/api/prayer/test-adhan");
  await page.getByText("A short tone instead of the adhan", { exact: true }).waitFor();
  expect(await page.getByText("The adhan is playing").count()).toBe(0);
  await page.getByRole("link", { name: "Choose a recording" }).click();
  await page.getByText("No, only a short tone. Choose a recording.").waitFor();
});

it("reloads once when the device has another version than the page", async () => {
  const device = await startLoopbackPlayer({ dashboardFolder: DASHBOARD });
  const client = await createPlayerClient(device);
  onTestFinished(() => client.close());
  const { page } = await visit(browser, { url: device.url, token: client.token, path: "/more" });
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await device.close();
  const updated = await startLoopbackPlayer({ dashboardFolder: DASHBOARD, version: "9.9.9", again: device });
  onTestFinished(() => updated.close());
  await expect.poll(() => loads, { timeout: 15_000 }).toBe(1);
  await page.getByRole("heading", { level: 1, name: "More" }).waitFor();
  await clock.sleep(2000);
  expect(loads).toBe(1);
});

it("reports that nothing will sound when the sound output did not start", async () => {
  const device = await startLoopbackPlayer({ dashboardFolder: DASHBOARD, mpv: "/nowhere/mpv" });
  onTestFinished(() => device.close());
  const client = await createPlayerClient(device);
  onTestFinished(() => client.close());
  await client.post("/api/prayer/config", { lat: 51.51, lng: -0.13, adhan: { enabled: true } });
  const { page } = await visit(browser, { url: device.url, token: client.token });
  await page.getByText(NO_SOUND).waitFor();
  await page.goto(`${device.url}/prayer`);
  const trust = page.getByRole("region", { name: "Will the next adhan play?" });
  await trust.getByText("No. Something is missing.").waitFor();
  expect(await trust.getByRole("listitem").first().textContent()).toContain(NO_SOUND);
});

describe("browser behaviour of the dashboard", () => {
  it("has a separate title for every page", async () => {
    const { page } = await open();
    const titles = [await page.title()];
    for (const { path, kept } of PAGES.slice(1)) {
      if (kept) continue;
      await page.evaluate((target) => {
        history.pushState(null, "", target);
        dispatchEvent(new PopStateEvent("popstate"));
      }, path);
      await expect.poll(() => page.title(), { message: path }).not.toBe(titles.at(-1));
      titles.push(await page.title());
    }
    expect(titles.filter((title) => !/^.+ · Manara$/.test(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("returns to the same position of a long list", async () => {
    const { page } = await open(`/library/${encodeURIComponent(RECITER)}`);
    await page.locator(".surah").nth(100).waitFor();
    await page.evaluate(() => window.scrollTo(0, 1500));
    await page.getByRole("link", { name: "Hifz" }).click();
    await page.getByRole("heading", { level: 1, name: "Hifz" }).waitFor();
    await page.goBack();
    await page.locator(".surah").nth(100).waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1490);
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Hifz" }).waitFor();
    await page.goBack();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1490);
  });
});
