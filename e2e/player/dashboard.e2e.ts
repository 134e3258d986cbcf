import { launchBrowser } from "@kit/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type StartedService, startService } from "../services.ts";

let player: StartedService;
let browser: Browser;

beforeAll(async () => {
  [player, browser] = await Promise.all([startService("player"), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await player.stop();
});

it.each([
  ["en-GB", "ltr", "Everything that belongs to this player started."],
  ["ar-EG", "rtl", "منارة"],
])("shows an owner who reads %s that the player is well", async (locale, direction, words) => {
  const page = await browser.newPage({ locale, ignoreHTTPSErrors: true, viewport: { width: 360, height: 740 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("request", (request) => request.url().startsWith(player.url) || complaints.push(request.url()));
  await page.goto(player.url);
  await page.getByText("1.0.0").waitFor();
  expect(await page.getAttribute("html", "dir")).toBe(direction);
  expect(await page.textContent("body")).toContain(words);
  expect(complaints).toEqual([]);
  await page.close();
});

it("says that the player is away, and comes back by itself", async () => {
  const page = await browser.newPage({ locale: "en-GB", ignoreHTTPSErrors: true });
  await page.goto(player.url);
  await page.getByText("1.0.0").waitFor();
  await page.route("**/api/system", (route) => route.abort());
  await page.getByText("The player is not answering.").waitFor({ timeout: 15_000 });
  await page.unroute("**/api/system");
  await page.getByText("The player is not answering.").waitFor({ state: "detached", timeout: 25_000 });
  await page.close();
});
