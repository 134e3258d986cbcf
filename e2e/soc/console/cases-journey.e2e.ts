import { createHash } from "node:crypto";
import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_PASSWORD } from "../../services.ts";
import { type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { axeFindings } from "./audit.ts";
import { createRetryingClient, done } from "./retrying-client.ts";
import { settled, visit } from "./visit.ts";

// A real browser, a real service process and a real PostgreSQL: an alert becomes a case, and the case is closed.

const LAYLA = "layla";
/** The user whose session ends; visits of other users share sessions. */
const YUSUF = "yusuf";
const HOST = "fin-ws-014";
const CONTENT = "memory of lsass.exe, read by procdump";
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");
/** A checkpoint is signed once a minute. */
const COVERED_MS = 90_000;
const JOURNEY_MS = 600_000;
const STARTED_MS = 240_000;
const MAX_REQUESTS = 60;
const clock = createClock();

let database: TestDatabase;
let soc: StartedSoc;
let browser: Browser;
let admin: StartedSoc["client"];

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url, { SOC_DATABASE_ANSWER_MS: "15000" });
  admin = createRetryingClient(soc.client);
  for (const username of [LAYLA, YUSUF]) {
    await done(admin.post("/users", { username, role: "tier3", password: ADMIN_PASSWORD }));
  }
}, STARTED_MS);
afterAll(async () => {
  await browser?.close();
  await soc?.service.stop();
  await database?.remove();
});

let reports = 0;

/** Reports an alert that no other test has, and promotes it. */
async function promoteAlert(): Promise<string> {
  reports += 1;
  const report = { title: `LSASS memory read, ${reports}`, source: "edr", severity: "critical", host: HOST };
  const { id } = await done(admin.post("/alerts", report));
  const promoted = await done(admin.post(`/alerts/${id}/promote`, {}));
  return promoted.id;
}

async function addPlaybook(): Promise<void> {
  const endpoint = "00000000-0000-4000-8000-000000000001";
  const heartbeat = { hostname: HOST, os: "Windows 11", agent_version: "4.2" };
  await done(admin.ask("PUT", `/api/v1/edr/endpoints/${endpoint}`, heartbeat));
  const cut = { id: "cut", name: "Isolate the host", action: "edr.isolate", params: { endpoint } };
  await done(admin.ask("PUT", "/api/v1/soar/playbooks/contain", { name: `Contain ${HOST}`, steps: [cut] }));
}

const openTab = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "Parts of the case" }).getByRole("link", { name }).click();
const row = (page: Page, name: string): Locator => page.getByRole("row").filter({ hasText: name });

/** Presses "Prove" until a checkpoint covers the entry. */
async function proveUntil(page: Page, text: string): Promise<void> {
  const deadline = clock.deadline(COVERED_MS);
  for (;;) {
    await page.getByRole("button", { name: /^Prove/ }).click();
    const verdict = page.locator(".case-verdict");
    await verdict.waitFor();
    if ((await verdict.textContent())?.includes(text)) return;
    await clock.sleep(5000, deadline);
  }
}

it(
  "leads from an alert through evidence, tasks, a playbook and a report to a closed case",
  async () => {
    const id = await promoteAlert();
    await addPlaybook();
    const { page, complaints, requests } = await visit(browser, { url: soc.service.url, as: LAYLA, path: "/cases" });

    await row(page, "LSASS memory read").dblclick();
    await page.waitForURL(`**/cases/${id}`);
    await page.getByRole("heading", { level: 1, name: /LSASS memory read/ }).waitFor();
    await page.keyboard.press("a");
    await page.getByText("assignee: none → layla").waitFor();
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);

    // Evidence: hashed in the browser, stored, and proved in the page.
    await page.keyboard.press("3");
    await page.getByRole("button", { name: /Add evidence/ }).waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "lsass.dmp", mimeType: "application/octet-stream", buffer: Buffer.from(CONTENT) });
    await page.getByRole("dialog").getByText(SHA256).waitFor();
    await page.getByRole("button", { name: "Upload and register" }).click();
    await row(page, "lsass.dmp").click();
    await proveUntil(page, "Proven in this browser");
    await page.getByText("Entry 1 of 1 has this name and this hash.").waitFor();

    // The same evidence with a tampered answer of the ledger is refused.
    await page.route("**/api/v1/ledger/bundle*", async (route) => {
      const answer = await route.fetch();
      const bundle = await answer.json();
      bundle.entries[0].entry.actor = "mallory";
      await route.fulfill({ response: answer, json: bundle });
    });
    await proveUntil(page, "Not proven");
    await page.getByText(/its content does not have its hash/).waitFor();
    await page.unroute("**/api/v1/ledger/bundle*");
    await page.route("**/api/v1/ledger/proof*", async (route) => {
      const answer = await route.fetch();
      const proof = await answer.json();
      proof.checkpoint.root_hash = "0".repeat(64);
      await route.fulfill({ response: answer, json: proof });
    });
    await proveUntil(page, "Not proven");
    await page.getByText(/A signature does not match/).waitFor();
    await page.unroute("**/api/v1/ledger/proof*");

    // Tasks by keys.
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("5");
    await page.getByPlaceholder(/What is to be done/).waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("Image the disk");
    await page.keyboard.press("Enter");
    await row(page, "Image the disk").waitFor();
    await page.getByPlaceholder(/What is to be done/).blur();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await row(page, "Image the disk").getByText("done").waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("Ask the owner of the laptop");
    await page.keyboard.press("Enter");
    await row(page, "Ask the owner").waitFor();

    // A critical playbook: what it would do, then an approval that shows in place.
    await openTab(page, /Runs/);
    await page.getByRole("button", { name: /Run a playbook/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Playbook").selectOption({ label: `Contain ${HOST}` });
    await dialog.getByText(/requires approval before it runs/).waitFor();
    await dialog.getByRole("button", { name: "Show what would happen" }).click();
    await dialog.getByRole("region", { name: "What would happen" }).waitFor();
    await dialog.getByRole("button", { name: "Request approval" }).click();
    const approval = await dialog.getByRole("link", { name: "Open the approval" }).getAttribute("href");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("region", { name: "Approvals of this case" }).getByRole("link").waitFor();

    // Closing lists the open ends.
    await page.getByRole("button", { name: /Close the case/ }).click();
    await dialog.getByText("Tasks not done").waitFor();
    await dialog.getByText("Ask the owner of the laptop").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await done(
      admin.post(`/approvals/${approval?.split("/").at(-1)}/decide`, { approved: true, reason: "It spreads" }),
    );
    await page.getByRole("button", { name: "Run it now" }).click();
    await row(page, `Contain ${HOST}`).waitFor();

    await openTab(page, /Report/);
    // An agent may have written one meanwhile.
    await page.getByRole("button", { name: /Create report|Create again/ }).click();
    const report = page.getByRole("article", { name: "Report of the case" });
    await report
      .getByText(/lsass\.dmp/)
      .first()
      .waitFor();

    await page.getByRole("button", { name: /Close the case/ }).click();
    await dialog.getByRole("button", { name: /Close anyway|Close the case/ }).click();
    await page.locator(".case-head").getByText("closed").waitFor();
    expect((await done(admin.get(`/cases/${id}`))).status).toBe("closed");
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(requests.mostInAMinute()).toBeLessThanOrEqual(MAX_REQUESTS);
  },
  JOURNEY_MS,
);

it(
  "keeps the text of a comment when the session ends during writing",
  async () => {
    const id = await promoteAlert();
    const { page } = await visit(browser, { url: soc.service.url, as: YUSUF, path: `/cases/${id}` });
    await page.getByLabel("Comment").fill("The dump left the network at **19:41**.");
    await done(admin.ask("DELETE", `/api/v1/users/${YUSUF}/sessions`));
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password").fill(ADMIN_PASSWORD);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Comment").inputValue()).toBe("The dump left the network at **19:41**.");
    await page.getByLabel("Comment").press("Control+Enter");
    await page.locator(".case-said strong", { hasText: "19:41" }).waitFor();
  },
  JOURNEY_MS,
);

it(
  "shows who changed what when two people edit a case, and keeps the selected value",
  async () => {
    const id = await promoteAlert();
    const { page } = await visit(browser, {
      url: soc.service.url,
      as: LAYLA,
      path: `/cases/${id}`,
      // A page whose stream is cut does not learn of the change of the other person.
      prepare: (opened) => opened.route("**/api/v1/events", (route) => route.abort()),
    });
    await page.getByRole("complementary", { name: "Facts of the case" }).getByLabel("Severity").waitFor();
    await done(admin.patch(`/cases/${id}`, { severity: "low" }));
    await page.getByRole("complementary", { name: "Facts of the case" }).getByLabel("Severity").selectOption("high");
    const dialog = page.getByRole("dialog", { name: "The case was changed in the meantime" });
    await dialog.getByText("admin").waitFor();
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(async () => (await done(admin.get(`/cases/${id}`))).severity, { timeout: 30_000 }).toBe("high");
  },
  JOURNEY_MS,
);
