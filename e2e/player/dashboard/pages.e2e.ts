import { mkdir } from "node:fs/promises";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count, select } from "../../counts.ts";
import { makeCard } from "../card.ts";
import { type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { axeFindings, cutOff, smallTargets } from "./audit.ts";
import { PAGES } from "./pages.ts";
import { seed } from "./seed.ts";
import { drawSheet } from "./sheet.ts";
import { visit } from "./visit.ts";

const [PHONE, TABLET, COMPUTER] = [
  [360, 740],
  [768, 1024],
  [1280, 900],
] as const;
const ALL_SIZES = [PHONE, TABLET, COMPUTER];
/** Where the pictures go; only `npm run pictures:dashboard` draws them. */
const FOLDER = process.env.PICTURES;
const ALL_LOOKS = [
  { language: "en", theme: "light" },
  { language: "en", theme: "dark" },
  { language: "ar", theme: "light" },
  { language: "ar", theme: "dark" },
] as const;
const [ENGLISH_LIGHT, , , ARABIC_DARK] = ALL_LOOKS;
/** A build looks at every second page. */
const EACH = count({ ci: 2, full: 1 });
const CASES = PAGES.filter((_, at) => at % EACH === 0).map((page, at) => ({
  ...page,
  looks: select({ ci: [at % 2 === 0 ? ENGLISH_LIGHT : ARABIC_DARK], full: ALL_LOOKS }),
  sizes: select({ ci: [at % 4 < 2 ? PHONE : COMPUTER], full: ALL_SIZES }),
}));

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
  await seed(player.client);
  await player.client.post("/api/playback/play", { path: "Mishary Alafasy/018.mp3" });
  if (FOLDER) await mkdir(FOLDER, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

/** Makes the window as tall as the page, so that sticky elements appear at its end. */
async function wholePage(page: Page): Promise<Buffer> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
  return page.screenshot({ type: "png" });
}

const shots = new Map<string, Buffer[]>();

describe.each(CASES)("page $name", ({ name, path, kept, looks, sizes }) => {
  it.each(looks)("has no layout or accessibility problems at any width ($language, $theme)", async (look) => {
    const { page, complaints } = await visit(browser, {
      url: player.service.url,
      token: player.client.token,
      path,
      ...(kept && { kept }),
      ...look,
    });
    await page.locator("main .waiting").first().waitFor({ state: "detached" });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const findings = { axe: await axeFindings(page), small: await smallTargets(page), cut: await cutOff(page) };
      expect(findings, `${width} pixels wide`).toEqual({ axe: [], small: [], cut: [] });
      if (FOLDER) keepShot(`${name}-${width}`, await wholePage(page));
    }
    expect(complaints).toEqual([]);
  });

  it.runIf(FOLDER)("is drawn side by side", async () => {
    for (const [width] of sizes)
      await drawSheet(browser, shots.get(`${name}-${width}`) ?? [], `${FOLDER}/${name}-${width}.jpg`);
  });
});

function keepShot(name: string, shot: Buffer): void {
  shots.set(name, [...(shots.get(name) ?? []), shot]);
}
