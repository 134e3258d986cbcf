import { once } from "node:events";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ADMIN_PASSWORD } from "../../services.ts";
import { createInstaller, createSocClient, requestToken, type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { audit } from "./audit.ts";
import { createKeyboard } from "./keyboard.ts";
import { createRetryingClient, done } from "./retrying-client.ts";
import { disableAgents } from "./seed.ts";
import { visit } from "./visit.ts";

// One person writes and runs a playbook, another one decides in a second browser.

const ENDPOINT = "00000000-0000-4000-8000-000000000001";
const HOST = "fin-ws-014";
const REFUSED = /Failed to load resource/;
const CLEAN = { axe: [], small: [], cut: [] };
const SIGHT_MS = 1500;

const HALF = 100;
// The action in line 10 lacks its last letter; the last step fails, since there is no case.
const WRITTEN = `name: Contain a host
inputs:
  - name: host
    type: text
    required: true
steps:
  - id: cut
    name: Isolate the host
    on_error: compensate
    action: edr.isolat
    params: { endpoint: "{parameters.host}", reason: "It sends beacons" }
    compensate: { action: edr.unisolate, params: { endpoint: "{parameters.host}" } }
  - id: note
    name: Write it down
    action: case.comment
    on_error: compensate
    params: { case_id: "no-such-case", body: "{parameters.host} is isolated." }
`;

/** Critical, with inputs that only a person can set. */
const CUT_OFF = `name: Cut a host off
inputs:
  - { name: host, type: text, required: true, description: The hostname }
  - { name: level, type: number, required: true }
steps:
  - { id: cut, action: edr.isolate, params: { endpoint: "{parameters.host}", reason: "Level {parameters.level}" } }
`;
const SET_INPUTS = { parameters: { host: HOST, level: 3 }, missing_inputs: [] };

let database: TestDatabase;
let soc: StartedSoc;
let browser: Browser;
let laylaToken: string;

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url, { SOC_FOUR_EYES: "on", SOC_LIMIT_PLAYBOOK_PER_MINUTE: "1000" });
  const client = createRetryingClient(soc.client);
  await disableAgents(client);
  const installer = await createInstaller(soc, ADMIN_PASSWORD);
  await done(installer.post("/users", { username: "layla", password: ADMIN_PASSWORD, role: "manager" }));
  laylaToken = await requestToken(createSocClient(soc.service.url), "layla", ADMIN_PASSWORD);
  const beat = { hostname: HOST, os: "Windows 11", agent_version: "4.2", risk: 10 };
  await done(client.ask("PUT", `/api/v1/edr/endpoints/${ENDPOINT}`, beat));
  // The service installs its playbooks soon after its first start.
  const isInstalled = async () => expect((await get("/soar/playbooks")).total).toBeGreaterThan(0);
  await vi.waitFor(isInstalled, { timeout: 60_000, interval: 500 });
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});

const open = (as: string, path: string) => visit(browser, { url: soc.service.url, as, path, expected: REFUSED });
const get = async (path: string) => (await soc.client.get(path)).body;

/** Decides an approval as the second person, after having looked at its effect. */
async function approve(path: string): Promise<void> {
  const { page, complaints } = await open("layla", path);
  await page.getByRole("region", { name: /(will|would) happen/i }).waitFor();
  await page.waitForTimeout(SIGHT_MS);
  await createKeyboard(page).press("Shift+Y");
  await page.getByText("Approved.", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
}

/** The second person approves without setting an input. */
async function decide(id: string): Promise<void> {
  const layla = createSocClient(soc.service.url, laylaToken);
  expect((await layla.post(`/approvals/${id}/decide`, { approved: true })).status).toBe(200);
}

/** Writes the playbook with a mistake, sees it at its line, and repairs it there. */
async function writePlaybook(page: Page): Promise<void> {
  // On a slow line: half of the text is written before the editor has loaded.
  const load = new AbortController();
  await page.route(/yaml-editor-body/, async (route) => {
    if (!load.signal.aborted) await once(load.signal, "abort");
    await route.continue();
  });
  await page.keyboard.press("n");
  await page.getByLabel("Id").fill("contain-host");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Playbook as YAML" });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(WRITTEN.slice(0, HALF));
  load.abort();
  await page.locator(".cm-content").waitFor();
  await page.keyboard.insertText(WRITTEN.slice(HALF));
  const problem = page.getByRole("region", { name: "Problems" });
  await problem.getByText("steps.0.action").waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  expect((await soc.client.get("/soar/playbooks/contain-host")).status).toBe(404);

  await problem.getByRole("button", { name: /^10:/ }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("e");
  await page.getByText("Valid · 2 steps · needs an approval").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as version 1").waitFor();
}

it("writes, validates, previews, approves, runs and undoes a playbook", async () => {
  const { page, complaints } = await open("admin", "/playbooks");
  await page.getByText("Ransomware").first().waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await writePlaybook(page);
  const stored = await get("/soar/playbooks/contain-host");
  expect(stored).toMatchObject({ version: 1, critical: true, steps: [{ action: "edr.isolate" }, { id: "note" }] });

  // The page and the dialog show outgoing data before anything runs.
  await page.getByRole("region", { name: "What would leave the platform" }).getByText("edr.isolate").waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("host").fill(HOST);
  await dialog.getByRole("button", { name: "Show what would happen" }).click();
  await dialog
    .getByRole("region", { name: "What would happen" })
    .getByText(/Isolates fin-ws-014/)
    .waitFor();
  expect((await get("/soar/executions")).total).toBe(0);
  expect((await get("/approvals?status=pending")).total).toBe(0);

  await dialog.getByRole("button", { name: "Request approval" }).click();
  const asked = await dialog.getByRole("link", { name: "Open the approval" }).getAttribute("href");
  await approve(asked ?? "");
  await dialog.getByRole("link", { name: "Open the approval" }).click();
  await page.getByText("You can start it once").waitFor();
  await page.keyboard.press("Shift+S");
  await expect.poll(async () => (await get("/soar/executions")).total).toBe(1);

  // The run isolates, fails, and waits for an approval of the way back.
  const [{ execution_id }] = (await get("/soar/executions")).items;
  await page.goto(`${soc.service.url}/runs/${execution_id}`);
  const step = page.getByRole("complementary");
  await step.getByText("Waiting for a decision.").waitFor();
  const undo = await step.getByRole("link", { name: "Open the approval" }).getAttribute("href");
  expect(await audit(page)).toEqual(CLEAN);
  expect((await get("/edr/actions?in_force=true")).items).toMatchObject([{ hostname: HOST, action: "isolate" }]);
  await page.keyboard.press("j");
  await step.getByRole("heading", { name: /Write it down/ }).waitFor();
  await step.getByText("fin-ws-014 is isolated.").waitFor();
  await step.getByText("case 'no-such-case' does not exist").waitFor();

  await approve(undo ?? "");
  await page.getByText("failed, undone").waitFor();
  expect(await get(`/soar/executions/${execution_id}`)).toMatchObject({
    status: "compensated",
    steps: [
      { step_id: "cut", part: "step", status: "completed" },
      { step_id: "note", part: "step", status: "failed" },
      { step_id: "cut", part: "compensation", action: "edr.unisolate", status: "completed" },
    ],
  });
  expect((await get("/edr/actions?in_force=true")).total).toBe(0);
  expect(complaints).toEqual([]);
});

/** A request for a playbook without its inputs; returns the id of its approval. */
async function requestCutOff(body: object = {}): Promise<string> {
  await done(soc.client.ask("PUT", "/api/v1/soar/playbooks/cut-off", { yaml: CUT_OFF }));
  const { approval_id } = await done(soc.client.post("/soar/playbooks/cut-off/execute", body));
  return approval_id;
}

/** Fills the inputs by keyboard, from the first one on, which has the focus after a refusal. */
async function fillInputs(page: Page): Promise<void> {
  await page.keyboard.type(HOST);
  await page.keyboard.press("Tab");
  await page.keyboard.type("3");
  await page.keyboard.press("Escape");
}

it("requests a playbook without its inputs, which the approver must set", async () => {
  await done(soc.client.ask("PUT", "/api/v1/soar/playbooks/cut-off", { yaml: CUT_OFF }));
  const { page, complaints } = await open("admin", "/playbooks/cut-off");
  await page.getByRole("heading", { name: "Cut a host off", level: 1 }).waitFor();
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await dialog.getByText(/The approver must set .*host.*level/).waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  const asked = await dialog.getByRole("link", { name: "Open the approval" }).getAttribute("href");

  const decider = await open("layla", asked ?? "");
  await decider.page.getByRole("region", { name: "Will happen" }).waitFor();
  await decider.page.waitForTimeout(SIGHT_MS);
  const host = decider.page.getByLabel("host");
  await createKeyboard(decider.page).press("Shift+Y");
  await expect.poll(() => host.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await host.getAttribute("aria-invalid")).toBe("true");
  expect(await decider.page.getByText("A value is required.").count()).toBe(2);
  expect(await audit(decider.page)).toEqual(CLEAN);
  const id = asked?.split("/").at(-1);
  expect(await get(`/approvals/${id}`)).toMatchObject({ status: "pending", votes: [] });
  await fillInputs(decider.page);
  await createKeyboard(decider.page).press("Shift+Y");
  await decider.page.getByText("Approved.", { exact: true }).waitFor();
  expect(await get(`/approvals/${id}`)).toMatchObject({ status: "approved", ...SET_INPUTS });

  await page.goto(`${soc.service.url}${asked}`);
  await page.getByText("You can start it once").waitFor();
  expect(await page.getByLabel("host").count()).toBe(0);
  await page.keyboard.press("Shift+S");
  await page.getByRole("region", { name: "Run" }).waitFor();
  expect([complaints, decider.complaints]).toEqual([[], []]);
});

it("rejects a request without its inputs", async () => {
  const id = await requestCutOff({ parameters: { host: HOST } });
  const { page } = await open("layla", `/approvals/${id}`);
  await page.getByLabel("level").waitFor();
  await page.waitForTimeout(SIGHT_MS);
  await page.keyboard.press("Shift+R");
  await expect.poll(async () => (await get(`/approvals/${id}`)).status).toBe("rejected");
});

it("starts a playbook with the inputs that its approval left open", async () => {
  const id = await requestCutOff();
  await decide(id);
  const { page, complaints } = await open("admin", `/approvals/${id}`);
  await page.getByText("You can start it once").waitFor();
  await page.keyboard.press("Shift+S");
  await expect.poll(() => page.getByText("A value is required.").count()).toBe(2);
  expect(await audit(page)).toEqual(CLEAN);
  await fillInputs(page);
  await page.keyboard.press("Shift+S");
  await page.getByRole("region", { name: "Run" }).waitFor();
  expect(await get(`/approvals/${id}`)).toMatchObject(SET_INPUTS);
  expect(complaints).toEqual([]);
});

it("starts a playbook from its case with the inputs that its approval left open", async () => {
  const { id: case_id } = await done(soc.client.post("/cases", { title: "Beacons" }));
  const id = await requestCutOff({ case_id, parameters: { level: 3 } });
  await decide(id);
  const { page, complaints } = await open("admin", `/cases/${case_id}/runs`);
  const approvals = page.getByRole("region", { name: "Approvals of this case" });
  await approvals.getByRole("button", { name: "Run it now" }).click();
  await approvals.getByText("A value is required.").waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await page.keyboard.type(HOST);
  await approvals.getByRole("button", { name: "Run it now" }).click();
  await expect.poll(async () => (await get(`/approvals/${id}`)).execution_id).not.toBeNull();
  expect(await get(`/approvals/${id}`)).toMatchObject(SET_INPUTS);
  expect(complaints).toEqual([]);
});

it("shows at its field the missing input of a playbook without approval", async () => {
  const yaml = `name: Note a host
inputs:
  - { name: host, type: text, required: true, from: alert.host }
  - { name: reason, type: text, required: true }
steps:
  - { id: note, action: case.comment, params: { case_id: "{case.id}", body: "{parameters.host}: {parameters.reason}" } }
`;
  await done(soc.client.ask("PUT", "/api/v1/soar/playbooks/note-host", { yaml }));
  const { id: case_id } = await done(soc.client.post("/cases", { title: "Beacons" }));
  const { page, complaints } = await open("admin", `/cases/${case_id}/runs`);
  await page.getByRole("button", { name: "Run a playbook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Playbook").selectOption("Note a host");
  const run = dialog.getByRole("button", { name: "Run", exact: true });
  await run.click();
  await dialog.getByText("A value is required.").waitFor();
  expect(await dialog.getByLabel("reason").getAttribute("aria-invalid")).toBe("true");
  expect(await dialog.getByLabel("host").getAttribute("aria-invalid")).toBeNull();
  await page.keyboard.type("It sends beacons");
  await run.click();
  await dialog.getByText("is required, because alert.host has no value").waitFor();
  expect(await dialog.getByLabel("host").getAttribute("aria-invalid")).toBe("true");
  expect(await audit(page)).toEqual(CLEAN);
  await page.keyboard.type(HOST);
  await run.click();
  await dialog.getByText(/Note a host.* started/).waitFor();
  expect(complaints).toEqual([]);
});

it("lists the versions of a playbook and restores one", async () => {
  const yaml = WRITTEN.replace("edr.isolat\n", "edr.isolate\n").replace("Contain a host", "Contain one host");
  expect((await soc.client.ask("PUT", "/api/v1/soar/playbooks/contain-host", { yaml })).status).toBe(200);
  const { page, complaints } = await open("layla", "/playbooks/contain-host/versions");
  await page.getByText("name: Contain one host").waitFor();
  await page.getByRole("button", { name: /^Version 2/ }).waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await page.keyboard.press("j");
  await page.getByText("The first version.").waitFor();
  await page.keyboard.press("Shift+R");
  await page.getByText("Saved as version 3").waitFor();
  expect(await get("/soar/playbooks/contain-host")).toMatchObject({ version: 3, name: "Contain a host" });
  expect(complaints).toEqual([]);
});

it("lets an automation start a playbook after previewing what it would have started", async () => {
  const alert = { title: "Beacons", source: "edr", severity: "critical", host: HOST };
  expect((await soc.client.post("/alerts", alert)).status).toBe(201);
  const { page, complaints } = await open("admin", "/playbooks/contain-host/automations");
  await page.getByText("No automations").waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("contain-beacons");
  await dialog.getByRole("textbox", { name: "When a new alert matches" }).click();
  await page.keyboard.insertText("source:edr AND severity:critical");
  const preview = dialog.getByRole("region", { name: /Preview: starts/ });
  await preview.getByText("1 start", { exact: true }).waitFor();
  await preview.getByText("Each start waits for an approval.").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("contain-beacons").first().waitFor();
  const [automation] = (await get("/soar/automations")).items;
  expect(automation).toMatchObject({ name: "contain-beacons", playbook_id: "contain-host", enabled: true });
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  await page.getByText("No alert has matched yet.").waitFor();
  await page.keyboard.press("Shift+E");
  await expect.poll(async () => (await get("/soar/automations")).items[0].enabled).toBe(false);
  expect(complaints).toEqual([]);
});
