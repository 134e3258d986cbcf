import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_PASSWORD } from "../../services.ts";
import { audit } from "./audit.ts";
import { type FurnishedSoc, startFurnishedSoc } from "./furnished-soc.ts";
import { createKeyboard } from "./hands.ts";
import { PAGES } from "./pages.ts";
import { settled, visit } from "./visit.ts";

// What was recorded: proved in the page, read, printed; and what a person of one site sees of all of it.

const CLEAN = { axe: [], small: [], cut: [] };
const CHECKPOINT_MS = 150_000;
const HASH = "ab".repeat(32);
/** Stands in every text of the other site. */
const CANARY = "canary-of-the-other-site";

let soc: FurnishedSoc;
let browser: Browser;
let caseId: string;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startFurnishedSoc({ alerts: 20, logs: 40 }), launchBrowser()]);
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

it("refuses a forged proof", { timeout: 300_000 }, async () => {
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

it("writes a report, reads it and prints it with its mode", { timeout: 300_000 }, async () => {
  const { page, complaints } = await open("/reports");
  await settled(page);
  await createKeyboard(page).press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Case" }).selectOption(caseId);
  await dialog.getByRole("button", { name: "Write a report" }).click();
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

it("shows a person of one site nothing of the other, on any page", { timeout: 900_000 }, async () => {
  for (const name of ["north", "south"]) await post("/sites", { name, profile: { asset_classes: ["it"] } });
  await post("/users", { username: "nora", password: ADMIN_PASSWORD, role: "tier2", sites: ["north"] });
  for (const [site, word] of [
    ["north", "seen-by-nora"],
    ["south", CANARY],
  ] as const) {
    const alert = { title: `${word} alert`, severity: "high", source: "edr", host: `${word}-host`, site };
    await post("/alerts", { ...alert, description: word });
    await post("/cases", { title: `${word} case`, description: word, site });
  }
  const { page, complaints } = await open("/alerts?q=*", "nora");
  await page.getByText("seen-by-nora alert").first().waitFor();
  for (const { name, path } of PAGES) {
    await page.goto(`${soc.url}${path(soc.furnished)}`);
    await page.locator("h1").first().waitFor();
    await settled(page);
    const text = await page.locator("body").textContent();
    expect.soft(text, name).not.toContain(CANARY);
    expect.soft(text, name).not.toMatch(/\bundefined\b|\[object/);
  }
  // A page that is closed to her says which permission it needs.
  await page.goto(`${soc.url}/audit`);
  await page.getByText("You may not see this page").waitFor();
  await page.getByText("audit:read").waitFor();
  expect(complaints).toEqual([]);
});
