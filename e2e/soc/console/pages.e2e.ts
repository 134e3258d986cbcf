import { mkdir } from "node:fs/promises";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count, isFull, select } from "../../counts.ts";
import { audit, invisibleFocus } from "./audit.ts";
import { PAGES } from "./pages.ts";
import { type SeededSoc, startSeededSoc } from "./seeded-soc.ts";
import { drawSheet } from "./sheet.ts";
import { settled, visit } from "./visit.ts";

const [COMPUTER, LAPTOP, PHONE] = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;
const ALL_SIZES = [COMPUTER, LAPTOP, PHONE];
/** Where the pictures go; only `npm run pictures:console` draws them. */
const FOLDER = process.env.PICTURES;
const ALL_LOOKS = [
  { language: "en", theme: "light" },
  { language: "en", theme: "dark" },
  { language: "ar", theme: "light" },
  { language: "ar", theme: "dark" },
] as const;
const [ENGLISH_LIGHT, ENGLISH_DARK, , ARABIC_DARK] = ALL_LOOKS;
/** A build looks at one page of so many; each kind of page is among them. */
const EACH = count({ ci: 7, full: 1 });
const CASES = PAGES.filter((_, at) => at % EACH === 0).map((page, at) => ({
  ...page,
  looks: select({
    ci: [at % 2 === 0 ? ENGLISH_LIGHT : ARABIC_DARK],
    full: FOLDER ? [ENGLISH_LIGHT, ENGLISH_DARK] : ALL_LOOKS,
  }),
  sizes: select({
    ci: [at % 3 === 0 ? COMPUTER : at % 3 === 1 ? LAPTOP : PHONE],
    full: FOLDER ? [COMPUTER, LAPTOP] : ALL_SIZES,
  }),
}));
/** So many elements of a page are visited by Tab. */
const TABS = isFull ? 60 : 15;

let browser: Browser;
let soc: SeededSoc;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startSeededSoc(), launchBrowser()]);
  if (FOLDER) await mkdir(FOLDER, { recursive: true });
}, 900_000);
afterAll(async () => {
  await browser.close();
  await soc.stop();
});

const shots = new Map<string, Buffer[]>();

describe.each(CASES)("page $name", ({ name, path, heading, looks, sizes }) => {
  it.each(looks)("has no layout or accessibility problems at any width ($language, $theme)", async (look) => {
    const [[width, height] = COMPUTER] = sizes;
    const { page, complaints } = await visit(browser, {
      url: soc.url,
      path: path(soc.furnished),
      width,
      height,
      ...look,
    });
    await settled(page);
    expect(await page.locator("html").getAttribute("dir")).toBe(look.language === "ar" ? "rtl" : "ltr");
    if (look.language === "en") expect(await page.locator("h1").first().textContent()).toMatch(heading);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await settled(page);
      expect(await audit(page), `${width} pixels wide`).toEqual({ axe: [], small: [], cut: [] });
      if (FOLDER) shots.set(name, [...(shots.get(name) ?? []), await page.screenshot({ type: "png" })]);
    }
    if (!FOLDER) expect(await invisibleFocus(page, TABS)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.runIf(FOLDER)("is drawn on one sheet", async () => {
    const bytes = await drawSheet(browser, shots.get(name) ?? [], `${FOLDER}/${name}.jpg`);
    expect(bytes).toBeLessThanOrEqual(150_000);
  });
});
