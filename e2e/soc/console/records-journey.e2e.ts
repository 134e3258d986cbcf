import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { ADMIN_PASSWORD } from "../../services.ts";
import { audit } from "./audit.ts";
import { createKeyboard } from "./keyboard.ts";
import { PAGES } from "./pages.ts";
import { type SeededSoc, startSeededSoc } from "./seeded-soc.ts";
import { settled, visit } from "./visit.ts";

// Verifies records in the page, reads and prints them; also checks what a user of one site sees.

const CLEAN = { axe: [], small: [], cut: [] };
const CHECKPOINT_MS = 150_000;
const HASH = "ab".repeat(32);
/** Stands in every text of the other site. */
const CANARY = "canary-of-the-other-site";

let soc: SeededSoc;
let browser: Browser;
let caseId: string;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startSeededSoc({ alerts: 20, logs: 40 }), launchBrowser()]);
  const [first = ""] = soc.furnished.caseIds;
  caseId = first;
}, 600_000);
afterAll(async () => {
  await browser.close();
  await soc.stop();
});

const open = (path: string, as = "admin") => visit(browser, { url: soc.url, as, path, expected: /status of 40[34]/ });

async function post(path: string, body: object) {
  const { status, body: answer } = await soc.client.post(path, body);
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer;
}

const readSizes = async (): Promise<number[]> =>
  (await soc.client.list("/ledger/checkpoints")).map(({ tree_size }) => tree_size);

/** Registers evidence and waits until a checkpoint covers it. */
async function growLedger(name: string): Promise<void> {
  const before = await readSizes();
  await post(`/cases/${caseId}/evidence`, { name, evidence_type: "file", sha256: HASH });
  await expect.poll(readSizes, { timeout: CHECKPOINT_MS, interval: 2000 }).not.toEqual(before);
}

it("proves the chain of a case and the consistency of two checkpoints in the page", { timeout: 600_000 }, async () => {
  await growLedger("first.bin");
  await growLedger("second.bin");
  const { page, complaints } = await open("/ledger");
  await settled(page);
  const keyboard = createKeyboard(page);
  await keyboard.press("j", "x", "j", "x");
  await keyboard.press("c");
  await page.getByText("Proven in this browser: nothing was changed or removed").waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await keyboard.press("Escape");

  await keyboard.press("v");
  const choice = page.getByRole("combobox", { name: "Case" });
  await choice.waitFor();
  await expect.poll(() => choice.locator(`option[value="${caseId}"]`).count()).toBe(1);
  await choice.selectOption(caseId);
  await page.getByText("Proven in this browser", { exact: true }).waitFor();
  const entries = page.getByRole("region", { name: "Entries" });
  await entries.getByText("evidence.registered").first().click();
  await entries.getByText("second.bin").waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the bundle" }).click();
  expect((await download).suggestedFilename()).toBe(`ledger-${caseId}.json`);
  expect(complaints).toEqual([]);
});

it("rejects a forged proof", { timeout: 300_000 }, async () => {
  const [later = 0, earlier = 0] = await readSizes();
  const { page } = await visit(browser, {
    url: soc.url,
    path: `/ledger?earlier=${earlier}&later=${later}`,
    prepare: (opened) =>
      opened.route("**/api/v1/ledger/consistency**", async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        await route.fulfill({ response, json: { ...body, proof: body.proof.map(() => HASH) } });
      }),
  });
  await page.getByText("Not proven: these are not two states of one tree").waitFor();
});

it("shows who changed what, before and after, and exports it", { timeout: 300_000 }, async () => {
  const { status } = await soc.client.ask("PATCH", `/api/v1/cases/${caseId}`, { tags: ["=1+1", "after"] });
  expect(status).toBe(200);
  const { page, complaints } = await open(`/audit?action=case.updated&subject=${caseId}`);
  await settled(page);
  await createKeyboard(page).press("j", "Space");
  const difference = page.getByRole("region", { name: "Before and after" });
  await difference.getByText('["=1+1","after"]').waitFor();
  await page.getByRole("link", { name: "Open the record" }).waitFor();
  expect(await audit(page)).toEqual(CLEAN);

  await createKeyboard(page).press("e");
  await page.getByRole("combobox", { name: "Format" }).selectOption("csv");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  expect(complaints).toEqual([]);
});

it("creates a report, opens it and prints it with its mode", { timeout: 300_000 }, async () => {
  const { page, complaints } = await open("/reports");
  await settled(page);
  await createKeyboard(page).press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Case" }).selectOption(caseId);
  await dialog.getByRole("button", { name: "Create report" }).click();
  await page.getByRole("article").getByText("Timeline").first().waitFor();
  expect(page.url()).toMatch(/\/reports\/[0-9a-f-]{36}$/);
  await settled(page);
  expect(await audit(page)).toEqual(CLEAN);
  await page.emulateMedia({ media: "print" });
  await expectHidden(page, ".rail", ".page-tools", ".status-keys");
  expect(await page.locator(".strip-mode").first().isVisible()).toBe(true);
  expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(10_000);
  expect(complaints).toEqual([]);
});

async function expectHidden(page: Page, ...selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) {
    for (const part of await page.locator(selector).all()) expect(await part.isVisible(), selector).toBe(false);
  }
}

/** An alert, a case, an endpoint and a log of a site, with the word in every text. Returns the addresses of their pages. */
async function furnishSite(site: string, word: string, endpoint: string): Promise<string[]> {
  await post("/sites", { name: site, profile: { asset_classes: ["it"] } });
  const host = `${word}-host`;
  const alert = await post("/alerts", {
    title: `${word} alert`,
    description: word,
    severity: "high",
    source: "edr",
    host,
    site,
  });
  const record = await post("/cases", { title: `${word} case`, description: word, site });
  const beat = { hostname: host, os: "Windows 11", site, agent_version: "4.2", risk: 80 };
  expect((await soc.client.ask("PUT", `/api/v1/edr/endpoints/${endpoint}`, beat)).status).toBeLessThan(300);
  const timestamp = alert.created_at;
  await post("/siem/ingest", [{ source: "edr", severity: "high", message: `${word} log`, host, site, timestamp }]);
  return [`/alerts/${alert.id}`, `/cases/${record.id}`, `/endpoints/${endpoint}`];
}

it("hides records of another site from a user of one site on every page", { timeout: 900_000 }, async () => {
  await furnishSite("north", "seen-by-nora", "00000000-0000-4000-8000-0000000000a1");
  const closed = await furnishSite("south", CANARY, "00000000-0000-4000-8000-0000000000a2");
  await post("/users", { username: "nora", password: ADMIN_PASSWORD, role: "tier2", sites: ["north"] });
  // The administrator sees what must be hidden from her: the walk looks at pages that have it.
  const admin = await open("/alerts?q=*");
  await admin.page.getByText(`${CANARY} alert`).first().waitFor();
  await admin.page.goto(`${soc.url}/cases`);
  await admin.page.getByText(`${CANARY} case`).first().waitFor();

  const { page, complaints } = await open("/alerts?q=*", "nora");
  await page.getByText("seen-by-nora alert").first().waitFor();
  const pages = select({ ci: PAGES.filter((_, at) => at % 4 === 2), full: PAGES });
  const walk = [...pages.map(({ path }) => path(soc.furnished)), ...closed, "/entity/host/seen-by-nora-host"];
  for (const path of walk) {
    await page.goto(`${soc.url}${path}`);
    await page.locator("h1").first().waitFor();
    await settled(page);
    const text = await page.locator("body").textContent();
    expect.soft(text, path).not.toContain(CANARY);
    expect.soft(text, path).not.toMatch(/\bundefined\b|\[object/);
  }
  // A page that is closed to her says which permission it needs.
  await page.goto(`${soc.url}/audit`);
  await page.getByRole("heading", { name: "You have no access to this page" }).waitFor();
  await page.getByText("It needs the permission audit:read.").waitFor();
  expect(complaints).toEqual([]);
});
