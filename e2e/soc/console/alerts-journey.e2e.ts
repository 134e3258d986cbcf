import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFull } from "../../counts.ts";
import { ADMIN_PASSWORD } from "../../services.ts";
import { createSocClient, requestToken, type SocClient, type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { createKeyboard } from "./keyboard.ts";
import { done } from "./retrying-client.ts";
import { settled, visit } from "./visit.ts";

// A real browser, a real service and a real database. The alerts come in by the API, as sensors report them.

const DECIDED_MS = 30_000;

let browser: Browser;
let database: TestDatabase;
let soc: StartedSoc;
let yara: SocClient;

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  // These tests must not depend on the speed of the machine.
  soc = await startSoc(database.url, { SOC_DATABASE_ANSWER_MS: "15000" });
  // The agents look at every new alert by themselves; these alerts are for people.
  for (const { id } of await soc.client.list("/agents")) await done(soc.client.post(`/agents/${id}/disable`, {}));
  await done(soc.client.post("/users", { username: "yara", password: ADMIN_PASSWORD, role: "tier2" }));
  yara = createSocClient(soc.service.url, await requestToken(createSocClient(soc.service.url), "yara"));
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});

/** Reports alerts with a tag, one after another, and returns their ids; the last one is the newest. */
async function report(tag: string, count: number, from = 0): Promise<string[]> {
  const ids: string[] = [];
  for (let at = from; at < from + count; at += 1) {
    const alert = { title: `${tag} ${at}`, source: "sensor", severity: "low", host: `ws-${at % 3}`, tags: [tag] };
    ids.push((await done(soc.client.post("/alerts", alert))).id);
  }
  return ids;
}

const rows = (page: Page) => page.locator("main [role=row][data-row]");
const cursorTitle = async (page: Page) => (await page.locator(".list-cursor .list-strong").textContent()) ?? "";

async function open(tag: string, count: number) {
  const visited = await visit(browser, { url: soc.service.url, path: `/alerts?q=tag%3A${tag}` });
  await settled(visited.page);
  await expect.poll(() => rows(visited.page).count(), { timeout: DECIDED_MS }).toBe(count);
  return { ...visited, keyboard: createKeyboard(visited.page) };
}

const countIn = async (tag: string, condition: string) =>
  Number((await database.ask(`SELECT count(*) FROM alerts WHERE '${tag}' = ANY(tags) AND ${condition}`))[0]);

it("decides on 20 alerts by keyboard with at most 60 keys", async () => {
  await report("queue", 20);
  const { page, keyboard, complaints, requests } = await open("queue", 20);
  for (let at = 0; at < 20; at += 1) {
    // One after the other without a pause: a chord must be finished within a second.
    await Promise.all([keyboard.press("e"), keyboard.press(String((at % 3) + 1))]);
  }
  expect(keyboard.pressed()).toBeLessThanOrEqual(60);
  const read = async () => [
    await countIn("queue", "verdict = 'true_positive' AND status = 'resolved'"),
    await countIn("queue", "verdict = 'false_positive' AND status = 'false_positive'"),
    await countIn("queue", "verdict = 'needs_tuning' AND status = 'closed'"),
  ];
  await expect.poll(read, { timeout: DECIDED_MS }).toEqual([7, 7, 6]);
  // The rows stay where they are, greyed, until the list is read again.
  expect(await rows(page).count()).toBe(20);
  expect(await page.locator(".alerts-handled").count()).toBeGreaterThan(0);
  expect(requests.mostInAMinute()).toBeLessThanOrEqual(60);
  expect(complaints).toEqual([]);
});

it("keeps selection and rows in place while new alerts wait, and shows who handled what", async () => {
  const ids = await report("live", 6);
  const { page, keyboard, complaints } = await open("live", 6);
  await keyboard.press("x", "j", "x");
  const before = await rows(page).locator(".list-strong").allInnerTexts();
  await report("live", 2, 6);
  await page.getByText("2 new · press . to show").waitFor();
  expect(await rows(page).locator(".list-strong").allInnerTexts()).toEqual(before);
  expect(await page.locator("[role=row][aria-selected=true]").count()).toBe(2);
  expect(await cursorTitle(page)).toContain("live 4");

  // The oldest stands last.
  await done(yara.patch(`/alerts/${ids[0]}`, { status: "resolved", verdict: "false_positive" }));
  await rows(page).last().getByText("handled by").waitFor({ state: "attached" });
  expect(await rows(page).last().textContent()).toContain("yara");

  await keyboard.press(".");
  await expect.poll(() => rows(page).count()).toBe(8);
  expect(await page.locator("[role=row][aria-selected=true]").count()).toBe(2);
  expect(await cursorTitle(page)).toContain("live 4");
  expect(complaints).toEqual([]);
});

it.runIf(isFull)("undoes a decision within a minute", async () => {
  await report("undo", 2);
  const { page, keyboard } = await open("undo", 2);
  await keyboard.press("e", "2");
  await expect.poll(() => countIn("undo", "status = 'false_positive'"), { timeout: DECIDED_MS }).toBe(1);
  await keyboard.press("Control+z");
  await expect.poll(() => countIn("undo", "status = 'new' AND verdict IS NULL"), { timeout: DECIDED_MS }).toBe(2);
  await expect.poll(() => page.locator(".alerts-handled").count()).toBe(0);
});

it("does not overwrite a concurrent decision of another person unless the user confirms", async () => {
  const [id] = await report("both", 1);
  const { page, keyboard } = await open("both", 1);
  // The other person is first, by less than the time that an event needs.
  await page.route(`**/alerts/${id}`, async (route) => {
    if (route.request().method() === "PATCH") await done(yara.patch(`/alerts/${id}`, { assignee: "yara" }));
    await route.continue();
  });
  await keyboard.press("a");
  const keepMine = page.getByRole("button", { name: "Overwrite" });
  await keepMine.waitFor();
  await page.getByText("Changed by another user in the meantime: both 0 (assignee: yara)").waitFor();
  expect(await countIn("both", "assignee = 'yara'")).toBe(1);
  await page.unroute(`**/alerts/${id}`);
  await keepMine.click();
  await expect.poll(() => countIn("both", "assignee = 'admin'"), { timeout: DECIDED_MS }).toBe(1);
});

it("changes everything that matches except excluded alerts, after showing the exact number", async () => {
  await report("bulk", 12);
  const { page, keyboard } = await open("bulk", 12);
  await keyboard.press("Control+a", "x", "j", "x");
  await page.getByText("All 10 matching except 2").waitFor();
  await keyboard.press("e", "2");
  await page.getByRole("button", { name: "Change 10 alerts" }).waitFor();
  // Between the number and the answer another alert comes in: the service refuses, and says the new number.
  await report("bulk", 1, 12);
  await keyboard.press("Enter");
  await page.getByText("The number has changed").waitFor();
  expect(await countIn("bulk", "status = 'false_positive'")).toBe(0);
  await page.getByRole("button", { name: "Change 11 alerts" }).waitFor();
  await keyboard.press("Enter");
  await expect.poll(() => countIn("bulk", "status = 'false_positive'"), { timeout: DECIDED_MS }).toBe(11);
  expect(await countIn("bulk", "status = 'new'")).toBe(2);
  await page.getByText("Resolve as false positive · 11 alerts").waitFor();
  await keyboard.press("Control+z");
  await expect.poll(() => countIn("bulk", "status = 'new'"), { timeout: DECIDED_MS }).toBe(13);
});

it.runIf(isFull)("returns to the same filter, row and pane", async () => {
  await report("back", 5);
  await report("other", 1);
  const { page, keyboard } = await open("back", 5);
  await keyboard.press("/");
  await keyboard.type("host:ws-1");
  await keyboard.press("Enter");
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.keyboard.press("Escape");
  await keyboard.press("j");
  const title = await cursorTitle(page);
  await page.locator(".alerts-pane-title").getByText(title).waitFor();
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await keyboard.press("u");
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(new URL(page.url()).searchParams.get("q")).toBe("tag:back host:ws-1");
  await expect.poll(() => cursorTitle(page)).toBe(title);
  expect(await page.locator(".alerts-pane-title").textContent()).toBe(title);
  // The filter before it.
  await page.goBack();
  await expect.poll(() => rows(page).count()).toBe(5);
});

it.runIf(isFull)("opens groups and requests the number before it changes one", async () => {
  await report("groups", 6);
  const { page, keyboard } = await open("groups", 6);
  await page.goto(`${page.url()}&by=host`);
  await expect.poll(() => rows(page).count(), { timeout: DECIDED_MS }).toBe(3);
  await keyboard.press("Enter");
  await expect.poll(() => rows(page).count()).toBe(5);
  await keyboard.press("e", "3");
  await page.getByRole("button", { name: "Change 2 alerts" }).waitFor();
  await keyboard.press("Enter");
  await expect.poll(() => countIn("groups", "status = 'closed'"), { timeout: DECIDED_MS }).toBe(2);
});
