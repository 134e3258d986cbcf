import { mkdir } from "node:fs/promises";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCard } from "../card.ts";
import { type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { axeFindings, cutOff, smallTargets } from "./audit.ts";
import { furnish } from "./furnish.ts";
import { PAGES } from "./pages.ts";
import { drawSheet } from "./sheet.ts";
import { visit } from "./visit.ts";

const WIDTHS = [360, 768, 1280] as const;
const LOOKS = [
  { language: "en", theme: "light" },
  { language: "en", theme: "dark" },
  { language: "ar", theme: "light" },
  { language: "ar", theme: "dark" },
] as const;
/** Where the pictures go; only `npm run pictures:dashboard` draws them. */
const FOLDER = process.env.PICTURES;

let browser: Browser;
let player: StartedPlayer;

beforeAll(async () => {
  const everySurah = Array.from({ length: 114 }, (_, at) => at + 1);
  const card = await makeCard({
    reciters: { "Mishary Alafasy": everySurah, "محمود خليل الحصري": [1, 2, 18, 36, 67, 112, 113, 114] },
    seconds: 120,
  });
  [player, browser] = await Promise.all([
    startPlayer(card, { PLAYER_DRIVERS: "simulated", PLAYER_LIMITS: "off" }),
    launchBrowser(),
  ]);
  await untilScanned(player.client);
  await furnish(player.client);
  await player.client.post("/api/playback/play", { path: "Mishary Alafasy/018.mp3" });
  if (FOLDER) await mkdir(FOLDER, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

/** As if the window were as tall as the page, so that what sticks to the window's edge stands at the end. */
async function wholePage(page: Page): Promise<Buffer> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
  return page.screenshot({ type: "png" });
}

describe.each(PAGES)("$path", ({ name, path }) => {
  it.each(WIDTHS)("is whole, readable and reachable at %i pixels in both languages and themes", async (width) => {
    const shots: Buffer[] = [];
    for (const look of LOOKS) {
      const { page, complaints } = await visit(browser, {
        url: player.service.url,
        token: player.client.token,
        path,
        width,
        height: width === 360 ? 740 : 900,
        ...look,
      });
      await page.locator("main .waiting, .frame > .waiting").first().waitFor({ state: "detached" });
      const findings = {
        axe: await axeFindings(page),
        small: await smallTargets(page),
        cut: await cutOff(page),
        complaints,
      };
      expect(findings, `${look.language} ${look.theme}`).toEqual({ axe: [], small: [], cut: [], complaints: [] });
      if (FOLDER) shots.push(await wholePage(page));
      await page.context().close();
    }
    if (FOLDER) await drawSheet(browser, shots, `${FOLDER}/${name}-${width}.jpg`);
  });
});
