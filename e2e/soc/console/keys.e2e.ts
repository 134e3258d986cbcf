import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { createKeyboard, findFocus } from "./keyboard.ts";
import { PAGES } from "./pages.ts";
import { type SeededSoc, startSeededSoc } from "./seeded-soc.ts";
import { settled, visit } from "./visit.ts";

let browser: Browser;
let soc: SeededSoc;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startSeededSoc(), launchBrowser()]);
}, 900_000);
afterAll(async () => {
  await browser.close();
  await soc.stop();
});

/** Keys that move, open and close, but change no record. */
const HARMLESS = [
  "j",
  "j",
  "k",
  "Space",
  "]",
  "x",
  "x",
  "Escape",
  "t",
  "Escape",
  "/",
  "Escape",
  "s",
  "Escape",
  "c",
  "Escape",
  "z",
  "[",
  "[",
];
/** More than any page has. */
const MAX_TABS = 400;

/** Presses Tab until the focus has gone around, and answers the visible controls of the page that it never reached. */
async function findUnreachable(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.addEventListener(
      "focusin",
      ({ target }) => target instanceof Element && target.setAttribute("data-reached", ""),
    );
    document.querySelector<HTMLElement>(".frame-skip")?.focus();
  });
  for (let step = 0; step < MAX_TABS; step += 1) {
    // Within an editor Tab indents; Escape leaves it.
    if (await page.evaluate(() => document.activeElement?.matches(".yaml-editor-box")))
      await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    const isAround = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.matches(".frame-skip"),
    );
    if (isAround) break;
  }
  return page.evaluate(() => {
    // Within these, arrow keys or the letters of the list move, and one Tab stop is right.
    const COMPOSITES =
      "[role=grid], [role=tablist], [role=menu], [role=listbox], [role=radiogroup], [role=toolbar], [role=tree], .attack-matrix";
    return (
      [
        ...document.querySelectorAll<HTMLElement>(
          "main a[href], main button, main input, main select, main textarea, main summary, main [tabindex]",
        ),
      ]
        .filter(
          (element) =>
            element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1,
        )
        .filter((element) => !element.matches(":disabled, h1, [data-reached]") && !element.closest(COMPOSITES))
        .filter((element) => element.tabIndex >= 0 || element.matches("a, button, input, select, textarea, summary"))
        // Tab stops only at the selected radio button of a group.
        .filter((element) => !(element instanceof HTMLInputElement && element.type === "radio"))
        .map((element) => element.outerHTML.slice(0, 140))
    );
  });
}

/** A page that opens takes the focus when it stands; on a busy machine that takes longer than the key. */
const hasFocus = (page: Page) =>
  expect
    .poll(() => findFocus(page), { timeout: 2000 })
    .toBeDefined()
    .then(
      () => true,
      () => false,
    );

describe.each(select({ ci: PAGES.slice(0, 4), full: PAGES }))("page $name by keyboard", ({ path }) => {
  const open = async () => {
    const visited = await visit(browser, { url: soc.url, path: path(soc.furnished) });
    await settled(visited.page);
    return { ...visited, keys: createKeyboard(visited.page) };
  };

  it("reaches every control with Tab", async () => {
    const { page, complaints } = await open();
    expect(await findUnreachable(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("names its keys and lists every command in the palette", async () => {
    const { page, keys, complaints } = await open();
    await keys.press("?");
    const lines = page.locator("dialog[open] .keys-line");
    await lines.first().waitFor();
    const sheet = await lines.evaluateAll((all) =>
      all.map((line) => ({
        label: `${line.closest("section")?.querySelector("h3")?.textContent}: ${line.querySelector("dt")?.textContent}`,
        keys: line.querySelectorAll("dd kbd, dd .key-cap").length,
      })),
    );
    expect(sheet.filter((line) => line.keys === 0)).toEqual([]);
    const labels = sheet.map(({ label }) => label);
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([]);
    await keys.press("Escape");
    expect(await findFocus(page)).toBeDefined();
    await keys.press("Control+k");
    await page.locator("dialog[open] [role=option]").first().waitFor();
    expect(await page.locator("dialog[open] [role=option]").count()).toBeGreaterThan(5);
    await keys.press("Escape");
    expect(await findFocus(page)).toBeDefined();
    expect(complaints).toEqual([]);
  });

  it("never loses the focus", async () => {
    const { page, keys, complaints } = await open();
    const lost: string[] = [];
    for (const key of HARMLESS) {
      await keys.press(key);
      await page.waitForTimeout(100);
      if (!(await hasFocus(page))) lost.push(key);
    }
    expect(lost).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it("navigates by keys from page to page, each time to the heading", async () => {
  const { page, complaints } = await visit(browser, { url: soc.url, path: "/settings/runtime" });
  const keys = createKeyboard(page);
  const places = await page
    .locator("nav a[href^='/']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const LETTERS: Readonly<Record<string, string>> = {
    "/alerts": "a",
    "/cases": "c",
    "/approvals": "p",
    "/hunt": "h",
    "/": "o",
    "/inbox": "n",
  };
  for (const place of places.filter((each) => each in LETTERS)) {
    await keys.press("g", LETTERS[place] ?? "");
    await page.waitForURL((url) => url.pathname === place);
    await expect.poll(() => findFocus(page)).toMatch(/^h1|^div|^input/);
  }
  expect(complaints).toEqual([]);
});
