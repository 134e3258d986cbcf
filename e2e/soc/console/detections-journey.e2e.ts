import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFull } from "../../counts.ts";
import { type SocClient, type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { createKeyboard } from "./keyboard.ts";
import { createRetryingClient } from "./retrying-client.ts";
import { settled, visit } from "./visit.ts";

// Types a rule and follows it to the alert that it raises, in a real browser against a real service with its log engine.

const clock = createClock();
/** The counts of the rail may take too long for a busy machine; the page does not need them. */
const COUNTS = /503 .*stats\/overview/;
const RAISED_MS = 60_000;
/** A busy machine is not what these tests are about. */
const PATIENT_MS = "15000";
const POLL = { timeout: RAISED_MS };

let browser: Browser;
let database: TestDatabase;
let soc: StartedSoc;
let client: SocClient;

const dump = (host: string, at: number) => ({
  timestamp: new Date(clock.now().getTime() - at * 60_000).toISOString(),
  ...{ source: "winlog", host, user: "m.haddad", severity: "high" },
  message: `rundll32 comsvcs.dll MiniDump ${at}`,
});

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url, { SOC_DATABASE_ANSWER_MS: PATIENT_MS });
  client = createRetryingClient(soc.client);
  await ingest([...[5, 6, 7].map((at) => dump("fin-ws-014", at)), dump("backup-01", 8)]);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});

async function ingest(events: readonly object[]): Promise<void> {
  const { status, body } = await client.post("/siem/ingest", events);
  expect([status, body.accepted]).toEqual([202, events.length]);
}

async function open(path: string) {
  const visited = await visit(browser, { url: soc.service.url, path, expected: COUNTS });
  await settled(visited.page);
  return visited;
}

async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name, exact: true }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

async function findRule(name: string) {
  const { body } = await client.get(`/detections/rules?q=${encodeURIComponent(name)}`);
  return body.items[0];
}

it("leads from a typed rule through its backtest and an exception to the alert of a new log", async () => {
  await expect.poll(async () => (await client.get("/siem/logs?query=MiniDump")).body.total, POLL).toBe(4);
  const { page, complaints } = await open("/detections");
  await createKeyboard(page).press("n");
  await page.getByRole("heading", { level: 1, name: "New rule" }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Memory of LSASS dumped");
  await write(page, "Query", "MiniDump");
  await page.getByText("4 matches → 2 alerts").waitFor();
  await page.getByText("On a real match: Memory of LSASS dumped on").waitFor();
  await page
    .getByRole("link", { name: /comsvcs\.dll MiniDump/ })
    .first()
    .waitFor();
  await page.getByLabel("Runs", { exact: true }).selectOption({ label: "on each log as it arrives" });
  await page.keyboard.press("ControlOrMeta+s");
  await page.getByText("Saved as version 1").waitFor();
  const rule = await findRule("LSASS");
  expect(rule).toMatchObject({ query: "MiniDump", enabled: false, schedule_enabled: false, version: 1 });

  await page.goto(`${soc.service.url}/detections/${rule.id}/exceptions`);
  await page.getByRole("button", { name: "New exception" }).click();
  await write(page, "Exclude logs matching", "host:backup-01");
  await page.getByLabel("Reason").fill("The backup agent reads memory by design");
  await page.getByText(/hides \d+ of \d+ matches/).waitFor();
  await page.getByRole("button", { name: "Create exception" }).click();
  await page.getByText(/The exception is active until/).waitFor();
  const { body: exceptions } = await client.get(`/detections/exceptions?rule_id=${rule.id}`);
  expect(exceptions.items).toMatchObject([{ scope: "rule", query: "host:backup-01" }]);

  await page.getByRole("button", { name: "Switch on" }).click();
  await expect.poll(async () => (await findRule("LSASS")).enabled).toBe(true);
  await page.getByRole("button", { name: "Switch off" }).waitFor();
  await ingest([dump("hr-ws-033", 0), dump("backup-01", 0)]);
  const readAlerts = async () => (await client.get(`/alerts?rule_id=${rule.id}`)).body.items;
  await expect.poll(async () => (await readAlerts()).length, POLL).toBe(1);
  expect(await readAlerts()).toMatchObject([{ title: "Memory of LSASS dumped on hr-ws-033" }]);
  await page.getByRole("link", { name: "Matches", exact: true }).click();
  await page.locator("main [role=row][data-row]").first().waitFor();
  expect(complaints).toEqual([]);
});

it.runIf(isFull)("restores an earlier version as a new one", async () => {
  const { body: rule } = await client.post("/detections/rules", { name: "Restored", query: "one", enabled: false });
  const { page, complaints } = await open(`/detections/${rule.id}/edit`);
  await write(page, "Query", "two");
  await page.getByRole("button", { name: /Save as version 2/ }).click();
  await page.getByText("Saved as version 2").waitFor();
  expect((await client.get(`/detections/rules/${rule.id}`)).body).toMatchObject({ query: "two", version: 2 });

  await page.goto(`${soc.service.url}/detections/${rule.id}/versions`);
  await page.locator("main [role=row][data-row]").nth(1).waitFor();
  await page.getByRole("grid").focus();
  await createKeyboard(page).press("j", "Space");
  await page.getByRole("heading", { name: /Version 2/ }).waitFor();
  await page.getByLabel("Line-by-line difference").getByText("query: two").waitFor();
  await createKeyboard(page).press("j");
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page.getByText("Version 1 is restored as version 3").waitFor();
  expect((await client.get(`/detections/rules/${rule.id}`)).body).toMatchObject({ query: "one", version: 3 });
  expect(complaints).toEqual([]);
});
