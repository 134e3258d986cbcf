import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFull } from "../../counts.ts";
import { ADMIN_PASSWORD } from "../../services.ts";
import {
  createInstaller,
  createSocClient,
  requestToken,
  type SocClient,
  type StartedSoc,
  startSoc,
  startSocForTest,
} from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { audit } from "./audit.ts";
import { createKeyboard } from "./keyboard.ts";
import { visit } from "./visit.ts";

// Two people in two browsers, a real service with four eyes, and a real database.

const ENV = { SOC_FOUR_EYES: "on" };
const REFUSED = /Failed to load resource/;
const CLEAN = { axe: [], small: [], cut: [] };
const SIGHT_MS = 1500;
const clock = createClock();

let database: TestDatabase;
let soc: StartedSoc;
let browser: Browser;
let yara: SocClient;
let endpoints = 0;

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url, ENV);
  const installer = await createInstaller(soc, ADMIN_PASSWORD);
  for (const [username, role] of [
    ["yara", "tier3"],
    ["layla", "manager"],
    ["omar", "manager"],
  ]) {
    const { status } = await installer.post("/users", { username, password: ADMIN_PASSWORD, role });
    expect(status).toBe(201);
  }
  const { url } = soc.service;
  yara = createSocClient(url, await requestToken(createSocClient(url), "yara", ADMIN_PASSWORD));
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});

/** Requests the isolation of a new endpoint; returns the id of the approval. */
async function ask(client: SocClient, hostname: string): Promise<string> {
  endpoints += 1;
  const id = `00000000-0000-4000-8000-${String(endpoints).padStart(12, "0")}`;
  const beat = { hostname, os: "Windows 11", agent_version: "4.2", risk: 10 };
  expect((await soc.client.ask("PUT", `/api/v1/edr/endpoints/${id}`, beat)).status).toBeLessThan(300);
  const { body } = await client.post(`/edr/endpoints/${id}/isolate`, { reason: `${hostname} sends beacons` });
  expect(body.status).toBe("pending_approval");
  return body.approval_id;
}

const open = (as: string, path: string, url = soc.service.url) => visit(browser, { url, as, path, expected: REFUSED });

const readStatus = async (id: string) => (await soc.client.get(`/approvals/${id}`)).body.status;

/** The effect is read. */
async function look(page: Page): Promise<void> {
  await page.getByRole("region", { name: /(will|would) happen/i }).waitFor();
  await clock.sleep(SIGHT_MS);
}

it("lets one person request, another approve in a second browser, and the first start the action", async () => {
  const id = await ask(yara, "fin-ws-014");
  const requester = await open("yara", `/approvals/${id}`);
  await requester.page.getByText("A person with the permission approvals:manage decides.").waitFor();
  await requester.page.getByText(/Who can decide:.*layla/).waitFor();
  expect(await audit(requester.page)).toEqual(CLEAN);

  const decider = await open("layla", "/approvals");
  await decider.page.getByText("fin-ws-014 sends beacons").first().waitFor();
  await expect.poll(() => decider.page.title()).toMatch(/^\(\d+\) Approvals/);
  await decider.page.getByRole("link", { name: /fin-ws-014/ }).click();
  await look(decider.page);
  expect(await audit(decider.page)).toEqual(CLEAN);
  await createKeyboard(decider.page).press("Shift+Y");
  await decider.page.getByText("Approved.", { exact: true }).waitFor();

  await requester.page.getByText("You can start it once").waitFor();
  await createKeyboard(requester.page).press("Shift+S");
  await requester.page
    .getByRole("region", { name: "Run" })
    .getByText(/isolate fin-ws-014/i)
    .waitFor();
  await decider.page.getByRole("region", { name: "Run" }).waitFor();
  expect((await soc.client.get(`/approvals/${id}`)).body.execution_id).not.toBeNull();
  expect([requester.complaints, decider.complaints]).toEqual([[], []]);
});

it.runIf(isFull)("does not decide by Enter or before the effect was visible", async () => {
  const id = await ask(yara, "fin-ws-015");
  const { page } = await open("layla", `/approvals/${id}`);
  const approve = page.getByRole("button", { name: /^Approve/ });
  await approve.waitFor();
  await look(page);
  await approve.focus();
  await page.keyboard.press("Enter");
  await clock.sleep(300);
  expect(await readStatus(id)).toBe("pending");
  // A new look begins with every request that is opened.
  const other = await ask(yara, "fin-ws-016");
  await page.getByRole("link", { name: /fin-ws-016/ }).click();
  await page.keyboard.press("Shift+Y");
  await clock.sleep(300);
  expect(await readStatus(other)).toBe("pending");
});

it.runIf(isFull)("keeps the reason of a rejection", async () => {
  const id = await ask(yara, "hr-ws-033");
  const { page } = await open("omar", `/approvals/${id}`);
  await look(page);
  await page.getByLabel("Reason").fill("The laptop is needed for payroll");
  // Letters in a field are letters.
  await page.keyboard.press("Shift+R");
  expect(await page.getByLabel("Reason").inputValue()).toBe("The laptop is needed for payrollR");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+R");
  await page.getByRole("region", { name: "Votes" }).getByText("The laptop is needed for payroll").waitFor();
  expect(await readStatus(id)).toBe("rejected");
});

it("offers no decision to the requester under four eyes", async () => {
  const id = await ask(soc.client, "vpn-gw-1");
  const { page } = await open("admin", `/approvals/${id}`);
  await page.getByText("You requested this. Four eyes: another person decides.").waitFor();
  await page.getByText(/Who can decide:.*layla, omar/).waitFor();
  expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
});

it("greys out in place what another person has decided meanwhile", async () => {
  const id = await ask(yara, "kiosk-7");
  const { page } = await open("layla", "/approvals");
  const row = page.getByRole("listitem").filter({ hasText: "kiosk-7" });
  await row.waitFor();
  expect((await soc.client.post(`/approvals/${id}/decide`, { approved: false })).status).toBe(200);
  await row.getByText("no longer pending").waitFor();
});

it.runIf(isFull)("previews a decision in dry_run without deciding", async () => {
  const id = await ask(yara, "fin-srv-02");
  const SOC_DATA_DIR = soc.service.dataFolder;
  const dry = await startSocForTest(database.url, { ...ENV, SOC_MODE: "dry_run", SOC_DATA_DIR });
  const { page } = await open("layla", `/approvals/${id}`, dry.service.url);
  await look(page);
  await createKeyboard(page).press("Shift+Y");
  await page.getByText("This decision is a preview").waitFor();
  await page.getByText(/would now be: approved/).waitFor();
  expect(await readStatus(id)).toBe("pending");
});

it("delivers a request to the deciders' inbox, where it can be read and opened", async () => {
  await ask(yara, "eng-ws-201");
  const { page } = await open("layla", "/inbox");
  const first = page.getByRole("listitem").filter({ hasText: "Isolate an endpoint" }).first();
  await first.waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  const unread = page.locator(".inbox-unread");
  const before = await unread.count();
  const keyboard = createKeyboard(page);
  await keyboard.press("e");
  await expect.poll(() => unread.count()).toBe(before - 1);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
});
