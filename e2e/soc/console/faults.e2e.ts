import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { count, select } from "../../counts.ts";
import { ADMIN_PASSWORD, startService } from "../../services.ts";
import { createSocClient, requestToken, type SocClient, startSoc } from "../client.ts";
import { createKeyboard } from "./keyboard.ts";
import { readLines } from "./list-reader.ts";
import { PAGES } from "./pages.ts";
import { done } from "./retrying-client.ts";
import type { SeededRecords } from "./seed.ts";
import { type SeededSoc, startSeededSoc } from "./seeded-soc.ts";
import { settled, visit } from "./visit.ts";

const clock = createClock();
/** The browser's messages about failed requests and broken connections, which the tests cause. */
const NETWORK = /Failed to load resource|net::ERR|status of (?:401|429|503)/;
const ALL_ALERTS = "/alerts?q=*&sort=-created_at";
const CUTS = count({ ci: 3, full: 20 });
/** Without a reload; the build's machine is busier than a desk. */
const BACK_MS = count({ ci: 15_000, full: 6000 });

let browser: Browser;
let soc: SeededSoc;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startSeededSoc(), launchBrowser()]);
}, 900_000);
afterAll(async () => {
  await browser.close();
  await soc.stop();
});

/** The page for a screen in the room shows the mode in its head. */
const strip = (page: Page) => page.locator(".strip, .wall-mode").first();

/** The messages about the database. The wall display shows only that it is lost. */
async function readDatabase(page: Page): Promise<string | null> {
  if ((await page.locator(".wall-mode").count()) === 0) return strip(page).textContent();
  return (await page.locator(".wall-lost").allTextContents())[0] ?? "Database up";
}

describe("console in dummy without a database", () => {
  it("shows every page with invented data, labels it, and offers no change", async () => {
    const service = await startService("soc");
    onTestFinished(async () => void (await service.stop()));
    const client = createSocClient(service.url, await requestToken(createSocClient(service.url)));
    const shown = await findShown(client);
    for (const { path, heading } of select({ ci: PAGES.slice(0, 3), full: PAGES })) {
      const { page, complaints, context } = await visit(browser, { url: service.url, path: path(shown) });
      await settled(page);
      expect(await page.locator("h1").first().textContent()).toMatch(heading);
      expect(await strip(page).textContent()).toContain("DUMMY");
      expect(await page.title()).toContain("[DUMMY]");
      expect(await page.locator("main .error-state").allTextContents()).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});

describe("console in dry_run", () => {
  it("answers changes with previews and changes nothing", async () => {
    const dry = await startSoc(soc.database.url, { SOC_MODE: "dry_run", SOC_DATA_DIR: soc.service.dataFolder });
    onTestFinished(async () => void (await dry.service.stop()));
    const before = await done(soc.client.get("/alerts?sort=-created_at&limit=100"));
    const { page, complaints } = await visit(browser, { url: dry.service.url, path: ALL_ALERTS });
    await settled(page);
    expect(await strip(page).textContent()).toContain("DRY RUN");
    expect(await page.title()).toContain("[DRY]");
    const keys = createKeyboard(page);
    await page.getByRole("grid").focus();
    await keys.press("j", "a");
    await page
      .getByText(/preview/i)
      .last()
      .waitFor();
    await keys.press("Escape", "j", "e", "1");
    await clock.sleep(1000);
    expect((await done(soc.client.get("/alerts?sort=-created_at&limit=100"))).items).toEqual(before.items);
    expect(complaints).toEqual([]);
  });
});

describe("console with the database lost and restored", () => {
  it.each(select({ ci: PAGES.slice(0, 1), full: PAGES }))(
    "keeps $name with its time and continues without a reload",
    async ({ path }) => {
      const { page, complaints } = await visit(browser, { url: soc.url, path: path(soc.furnished), expected: NETWORK });
      await settled(page);
      const shown = (await readLines(page)).slice(0, 5);
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      await soc.database.stop();
      try {
        await expect
          .poll(() => readDatabase(page), { timeout: 90_000 })
          .toMatch(/database does not answer.*\d\d:\d\d/i);
        expect((await readLines(page)).slice(0, 5)).toEqual(shown);
      } finally {
        await soc.database.start();
      }
      await untilReadable(soc.client);
      const start = clock.monotonicMs();
      await expect.poll(() => readDatabase(page), { timeout: BACK_MS }).toMatch(/Database up/);
      const backMs = clock.monotonicMs() - start;
      console.log(`console: back ${Math.round(backMs)} ms after the service was`);
      expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
      await expect.poll(() => page.locator("main .error-state").allTextContents(), { timeout: BACK_MS }).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});

it(`misses no change while its stream is cut ${CUTS} times`, async () => {
  const proxy = await startFaultProxy(soc.service.port);
  onTestFinished(() => proxy.close());
  const url = `http://localhost:${proxy.port}`;
  const { page, complaints } = await visit(browser, { url, path: ALL_ALERTS, expected: NETWORK });
  await settled(page);
  await page.getByText("Live", { exact: false }).first().waitFor();
  const { alertIds } = soc.furnished;
  for (let cut = 0; cut < CUTS; cut += 1) {
    proxy.cut();
    const body = { title: `While the stream was cut ${cut}`, source: "e2e", severity: "high" };
    await done(soc.client.post("/alerts", body));
    await done(soc.client.patch(`/alerts/${alertIds.at(-1 - cut)}`, { severity: "info" }));
    await clock.sleep(100 * (cut % 5));
    proxy.heal();
    await clock.sleep(500);
    await done(soc.client.patch(`/alerts/${alertIds.at(-1 - cut)}`, { tags: [`cut ${cut}`] }));
  }
  await expect.poll(() => strip(page).textContent(), { timeout: 60_000 }).toContain("Live");
  // New rows wait for a click: the list does not move while it is read.
  await expect
    .poll(
      async () => {
        await page.keyboard.press(".");
        await clock.sleep(1000);
        return (await readLines(page)).length > 0 && missing(await readLines(page), await newest(soc.client));
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
  expect(complaints).toEqual([]);
});

it("warns when requests continue after the limit is reached", async () => {
  const limited = await startSoc(soc.database.url, {
    SOC_LIMIT_GENERAL_PER_MINUTE: "20",
    SOC_DATA_DIR: soc.service.dataFolder,
  });
  onTestFinished(async () => void (await limited.service.stop()));
  const { page, complaints } = await visit(browser, {
    url: limited.service.url,
    path: "/settings/runtime",
    as: "layla.amari",
    expected: NETWORK,
  });
  await settled(page);
  const other = createSocClient(limited.service.url, await requestToken(limited.client, "layla.amari"));
  while ((await other.get("/users/me")).status !== 429);
  await createKeyboard(page).press("g", "a");
  await page.getByText(/resumes in \d+ s/i).waitFor();
  expect(complaints).toEqual([]);
});

it("requests a new sign-in when the session has ended and keeps the typed text", async () => {
  const username = "omar.saleh";
  const { page, complaints } = await visit(browser, { url: soc.url, path: "/alerts", as: username, expected: NETWORK });
  await settled(page);
  const keys = createKeyboard(page);
  await keys.press("/");
  const field = page.locator(":focus");
  await keys.type("host:fin-ws-014");
  const client = createSocClient(soc.url, await requestToken(soc.client, username));
  await done(client.ask("POST", "/api/v1/auth/logout"));
  await keys.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await dialog.getByLabel("Password").fill(ADMIN_PASSWORD);
  await keys.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  expect(page.url()).toContain("/alerts");
  expect(await field.count()).toBeGreaterThan(0);
  expect(await page.locator("main").textContent()).toContain("fin-ws-014");
  expect(complaints).toEqual([]);
});

async function untilReadable({ get }: SocClient): Promise<void> {
  const deadline = clock.deadline(60_000);
  // The token may have ended meanwhile: then the answer is 401, for which the service has asked the database.
  while ((await get("/alerts")).status === 503) await clock.sleep(100, deadline);
}

interface ShownAlert {
  title: string;
}

async function newest({ get }: SocClient): Promise<string[]> {
  const { items } = await done(get("/alerts?sort=-created_at&limit=15"));
  return items.map(({ title }: ShownAlert) => title);
}

/** Which of these titles the list does not show, in the same order. */
function missing(lines: readonly string[], titles: readonly string[]): string[] {
  return titles.filter((title, at) => !lines[at]?.includes(title));
}

/** The ids of what a SOC without a database shows. */
async function findShown(client: SocClient): Promise<SeededRecords> {
  const ids = async (path: string): Promise<string[]> => (await client.list(path)).map(({ id }) => id);
  return {
    alertIds: await ids("/alerts"),
    caseIds: await ids("/cases"),
    huntIds: await ids("/siem/hunts"),
    ruleIds: await ids("/detections/rules"),
    approvalIds: await ids("/approvals"),
    runIds: (await client.list("/soar/executions")).map(({ execution_id }) => execution_id),
    playbookIds: await ids("/soar/playbooks"),
    logIds: await ids("/siem/logs"),
    endpointIds: await ids("/edr/endpoints"),
    iocIds: await ids("/iocs"),
    deviceIds: await ids("/cps/devices"),
    reportIds: await ids("/reports"),
    investigationIds: await ids("/agents/investigations"),
    as: () => Promise.resolve(client),
  };
}
