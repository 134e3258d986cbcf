import { readFile } from "node:fs/promises";
import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { audit } from "./audit.ts";
import { createKeyboard } from "./keyboard.ts";
import { settled, visit } from "./visit.ts";

// Rules appear on the ATT&CK matrix, a source that sends nothing is found there, and pasted indicators find a log.

const PATIENT_MS = 60_000;
const CLEAN = { axe: [], small: [], cut: [] };
const SIGMA = `title: Whoami of a service
id: 5a4c6d1e-0000-4000-8000-000000000001
tags: [attack.discovery, attack.t1033]
level: low
logsource: {product: windows, category: process_creation}
detection: {selection: {Image|endswith: whoami.exe}, condition: selection}
---
title: New service
id: 5a4c6d1e-0000-4000-8000-000000000002
tags: [attack.persistence, attack.t1543.003]
level: high
logsource: {product: windows, service: system}
detection: {selection: {EventID: 7045}, condition: selection}
`;

const clock = createClock();
let browser: Browser;
let database: TestDatabase;
let soc: StartedSoc;

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});

async function open(path: string) {
  const visited = await visit(browser, { url: soc.service.url, path });
  await settled(visited.page);
  return visited;
}

/** Another tab, in which rules are imported and switched on. */
async function importRules(context: BrowserContext): Promise<void> {
  const tab = await context.newPage();
  await tab.goto(`${soc.service.url}/detections/import`);
  await tab.getByLabel("YAML").fill(SIGMA);
  await tab.getByLabel("Enable the rules").check();
  await tab.getByRole("button", { name: "Import", exact: true }).click();
  await tab.getByRole("link", { name: "New service" }).waitFor();
  await tab.close();
}

const findCell = (page: Page, name: RegExp) => page.getByRole("button", { name }).first();

/** Clicks a button and returns the content of the file that it downloads. */
async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFile(await download.path(), "utf8");
}

it("shows imported rules on the matrix and the source whose rules see nothing", async () => {
  const { page, context, complaints } = await open("/attack");
  await findCell(page, /^T1033 .*: no rule/).waitFor();
  await importRules(context);
  // Without a reload: the page follows the events.
  await findCell(page, /^T1033 .*: 1 rule/).waitFor({ timeout: PATIENT_MS });
  await page.getByText("3 of 691 covered").first().waitFor();

  const keys = createKeyboard(page);
  await keys.press("ArrowDown", "ArrowDown", "ArrowRight");
  expect(await page.locator(":focus").getAttribute("data-cell")).toMatch(/^TA\d+\/T\d+$/);
  await findCell(page, /^T1033 /).focus();
  await keys.press("Enter");
  const pane = page.getByRole("complementary", { name: "Technique" });
  await pane.getByRole("heading", { name: "System Owner/User Discovery" }).waitFor();
  await pane.getByRole("link", { name: "Whoami of a service" }).waitFor();
  expect(new URL(page.url()).searchParams.get("pane")).toBe("T1033");
  expect(await audit(page)).toEqual(CLEAN);
  await keys.press("Escape");
  await pane.waitFor({ state: "detached" });

  const [service] = (await soc.client.get("/detections/rules?technique=T1543")).body.items;
  expect((await soc.client.patch(`/detections/rules/${service.id}`, { source: "plc-historian" })).status).toBe(200);
  const source = page
    .getByRole("region", { name: "Sources without logs" })
    .getByRole("button", { name: /plc-historian/ });
  await source.waitFor({ timeout: PATIENT_MS });
  await source.press("Enter");
  await findCell(page, /^T1543 .*: 1 rule · source silent/).waitFor();
  await page.getByText("2 of 691 covered").first().waitFor();
  await findCell(page, /^T1033 .*: no rule/).waitFor();

  const csv = await saved(page, "CSV");
  expect(csv).toContain("T1543.003,Windows Service,");
  const layer = JSON.parse(await saved(page, "Navigator"));
  expect(layer).toMatchObject({ domain: "enterprise-attack" });
  expect(layer.techniques.map(({ techniqueID }: { techniqueID: string }) => techniqueID).toSorted()).toEqual([
    "T1543",
    "T1543.003",
  ]);
  expect(complaints).toEqual([]);
});

it("shows what pasted values are before they are stored, and where one was seen", async () => {
  const { page, complaints } = await open("/indicators");
  const keys = createKeyboard(page);
  await keys.press("n");
  await page.keyboard.insertText(
    "The loader setup.exe called hxxps://c2-journey[.]net/a (c2-journey[.]net) from 10.1.2.3.",
  );
  await page.getByText("3 found: 2 new · 1 on a warning list").waitFor();
  await page.getByText("a private network").waitFor();
  expect((await soc.client.get("/iocs")).body.total).toBe(0);
  expect(await audit(page)).toEqual(CLEAN);
  await keys.press("ControlOrMeta+Enter");
  await page.getByText("2 indicators were added.").waitFor();
  const { body } = await soc.client.get("/iocs");
  expect(body.items.map(({ value }: { value: string }) => value).toSorted()).toEqual([
    "c2-journey.net",
    "https://c2-journey.net/a",
  ]);

  const message = "connect to c2-journey.net refused";
  const timestamp = clock.now().toISOString();
  const sent = await soc.client.post("/siem/ingest", [{ source: "proxy", host: "fin-ws-014", message, timestamp }]);
  expect(sent.status).toBe(202);
  const { id } = body.items.find(({ type }: { type: string }) => type === "domain");
  await expect
    .poll(async () => (await soc.client.get(`/iocs/${id}`)).body.hits, { timeout: PATIENT_MS, interval: 500 })
    .toBe(1);

  await page.getByRole("row", { name: /^(?!.*hxxps).*c2-journey\[\.\]net/ }).click();
  await keys.press("Enter");
  await page.getByRole("heading", { level: 1, name: "c2-journey[.]net" }).waitFor();
  const hits = page.getByRole("region", { name: "Hits in logs" });
  await hits.getByRole("link").first().waitFor();
  expect(await audit(page)).toEqual(CLEAN);

  await keys.press("e");
  await page.getByRole("dialog").getByRole("button", { name: "Expire now" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const ended = await soc.client.get(`/iocs/${id}`);
  expect(Date.parse(ended.body.expires_at)).toBeLessThanOrEqual(clock.now().getTime());

  await hits.getByRole("link").first().click();
  await page.getByText(message).first().waitFor();
  expect(complaints).toEqual([]);
});
