import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { requestToken } from "../client.ts";
import { findHostile, findShownPayloads, scrollOn } from "./hostile-signs.ts";
import { createKeyboard } from "./keyboard.ts";
import { type ConsolePage, PAGES } from "./pages.ts";
import { PAYLOADS } from "./payloads.ts";
import type { SeededRecords } from "./seed.ts";
import { type PlantedSoc, startPlantedSoc } from "./seeded-soc.ts";
import { settled, visit } from "./visit.ts";

/** The records that are opened on pages that show one record. */
const SOME = [3, 42, 58, 73];
const RECORDS = select({ ci: SOME, full: PAYLOADS.map((_, at) => at) });
/** Each report holds the hostile texts of all records. */
const WHOLE = ["report"];

let soc: PlantedSoc;
let browser: Browser;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startPlantedSoc(), launchBrowser()]);
}, 900_000);
afterAll(async () => {
  await browser.close();
  await soc.stop();
});

/** The record with this number comes first, as pages that show one record take the first. */
function startingWith(at: number): SeededRecords {
  const from = (ids: string[]) => [...ids.slice(at), ...ids.slice(0, at)];
  const entries = Object.entries(soc.planted).map(([name, ids]) => [name, name === "caseIds" ? ids : from(ids)]);
  return { ...Object.fromEntries(entries), as: () => Promise.reject(new Error("not signed in")) };
}

const ran = (page: Page) =>
  page.addInitScript(() => Object.assign(window, { ran: () => console.error("a payload has run") }));

const open = (entry: ConsolePage, at: number) =>
  visit(browser, { url: soc.url, path: entry.path(startingWith(at)), prepare: ran });

const MAX_SCREENS = 60;

/** Scrolls each list to its end, screen by screen, and judges what comes into view. */
async function readAll(page: Page): Promise<{ findings: string[]; seen: Set<number> }> {
  const findings = new Set<string>();
  const seen = new Set<number>();
  for (let screen = 0; screen < MAX_SCREENS; screen += 1) {
    for (const finding of await findHostile(page)) findings.add(finding);
    for (const number of await findShownPayloads(page)) seen.add(number);
    if (!(await scrollOn(page))) break;
    await page.waitForTimeout(50);
    await settled(page);
  }
  return { findings: [...findings], seen };
}

/** The records that a page is opened with: one for a list. */
function chooseRecords(entry: ConsolePage): readonly number[] {
  const isOfOne = entry.path(fakeIds("a")) !== entry.path(fakeIds("b"));
  if (!isOfOne || entry.isOfFirstCase) return [0];
  return WHOLE.includes(entry.name) ? SOME : RECORDS;
}

describe.each(PAGES)("hostile texts on $name", (entry) => {
  const records = chooseRecords(entry);
  it("shows hostile texts as text", async () => {
    const seen = new Set<number>();
    const { page, complaints } = await open(entry, records[0] ?? 0);
    for (const at of records) {
      if (at !== records[0]) await page.goto(`${soc.url}${entry.path(startingWith(at))}`);
      await page.locator("h1").first().waitFor();
      await settled(page);
      const read = await readAll(page);
      expect(read.findings, `payload ${at}`).toEqual([]);
      expect(complaints, `payload ${at}`).toEqual([]);
      for (const number of read.seen) seen.add(number);
    }
    const { shows = 0 } = entry;
    const expected = records.length > 1 ? Math.min(shows, records.length) : shows;
    expect(seen.size, "payloads seen").toBeGreaterThanOrEqual(expected);
  });
});

it("shows hostile results of the palette as text", async () => {
  const { page, complaints } = await visit(browser, { url: soc.url, path: "/settings/runtime", prepare: ran });
  const keys = createKeyboard(page);
  for (const at of RECORDS) {
    await keys.press("Control+k");
    await keys.type(`p${at}.`);
    await page.waitForTimeout(600);
    expect(await findHostile(page)).toEqual([]);
    await keys.press("Escape");
  }
  expect(complaints).toEqual([]);
});

it("exports no formula that a spreadsheet would compute", async () => {
  const from = "2020-01-01T00:00:00Z";
  const response = await fetch(`${soc.url}/api/v1/siem/logs/export?format=csv&from=${from}`, {
    headers: { authorization: `Bearer ${await requestToken(soc.client)}` },
  });
  const csv = await response.text();
  expect(csv).toContain("SUM(1,1)");
  const cells = csv.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)|\n/);
  expect(cells.map((cell) => cell.replace(/^"/, "")).filter((cell) => /^[=+@\t-]\S/.test(cell))).toEqual([]);
});

function fakeIds(id: string): SeededRecords {
  const names = [
    "alertIds",
    "caseIds",
    "huntIds",
    "ruleIds",
    "approvalIds",
    "runIds",
    "playbookIds",
    "logIds",
    "endpointIds",
    "iocIds",
    "deviceIds",
    "reportIds",
    "investigationIds",
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, [id]])),
    as: () => Promise.reject(new Error("not signed in")),
  } as never;
}
