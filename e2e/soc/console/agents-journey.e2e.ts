import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { type ModelServer, startModelServer } from "@soc/service/testing/servers/model-server";
import { chatEvents } from "@soc/service/testing/servers/model-wire";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestToken, type StartedSoc, startSoc, startSocForTest } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { sendBatch } from "../log-senders.ts";
import { audit } from "./audit.ts";
import { createKeyboard } from "./keyboard.ts";
import { visit } from "./visit.ts";

// A real service with a model that invents, and the same one without a model.

const REFUSED = /Failed to load resource/;
const CLEAN = { axe: [], small: [], cut: [] };
const READY_MS = 60_000;
const ABSENT = "00000000-0000-7000-8000-000000000000";
const SLOW = "Nothing that a model can judge";
const FOR_CHAT = "questions of a security analyst";
const clock = createClock();

let database: TestDatabase;
let soc: StartedSoc;
let browser: Browser;
let model: ModelServer;
let logId = "";

/** Words one after the other, slowly enough that a person can stop them. */
function* speakSlowly(): Generator<string> {
  const [first = "", word = ""] = chatEvents({ text: "more more " });
  yield first;
  for (let spoken = 0; spoken < 400; spoken += 1) yield word;
}

/** What the model says about every alert: one sentence that its event refutes, one about an event that does not exist. */
function buildFindings(): string {
  const findings = [
    {
      statement: "The user of the event was mallory.",
      evidence_ids: [logId],
      claims: [{ log_id: logId, field: "user", value: "mallory" }],
    },
    { statement: "A second machine was reached.", evidence_ids: [ABSENT] },
  ];
  return JSON.stringify({ verdict: "malicious", confidence: 0.9, findings });
}

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  model = await startModelServer(({ text }) => {
    if (text.includes(FOR_CHAT)) return { kind: "stream", texts: speakSlowly(), gapMs: 100, end: "hang" };
    return text.includes(SLOW) ? { kind: "hang" } : { kind: "reply", text: buildFindings() };
  });
  soc = await startSoc(database.url, { SOC_LLM_URL: model.url, SOC_LLM_MODEL: "storyteller" });
  const token = await requestToken(soc.client);
  const log = { source: "edr", host: "ws-7", user: "ada", message: "dump.exe reads the memory of lsass.exe" };
  await sendBatch(() => ({ url: soc.service.url, token }), "agents-journey", [log]);
  const deadline = clock.deadline(READY_MS);
  while (logId === "") {
    const { body } = await soc.client.get("/siem/logs?query=host:ws-7");
    logId = body.items?.[0]?.id ?? "";
    deadline.throwIfAborted();
    await clock.sleep(200);
  }
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await model.close();
  await database.remove();
});

const open = (path: string, url = soc.service.url) => visit(browser, { url, path, expected: REFUSED });

async function investigate(title: string): Promise<string> {
  const context = { title, host: "ws-7", user: "ada", log_ids: [logId] };
  const { status, body } = await soc.client.post("/agents/investigate", { alert_context: context, severity: "high" });
  expect(status).toBe(200);
  return body.investigation_id;
}

const readStatus = async (id: string) => (await soc.client.get(`/agents/investigations/${id}`)).body.status;

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: /ask about/i }).fill(question);
  await page.keyboard.press("Enter");
}

it("shows an investigation as a story with a sentence that its evidence refutes", async () => {
  const id = await investigate("LSASS dump on ws-7");
  await expect.poll(() => readStatus(id), { timeout: READY_MS }).toBe("completed");
  const { page, complaints } = await open("/agents/investigations");
  await page
    .getByText(/LSASS dump on ws-7/)
    .first()
    .waitFor();
  const keyboard = createKeyboard(page);
  await keyboard.press("j", "Enter");
  await page.getByRole("heading", { name: "LSASS dump on ws-7", level: 1 }).waitFor();

  const refuted = page.getByRole("button", { name: /user of the event was mallory/ });
  await refuted.getByText("refuted").waitFor();
  for (let step = 0; step < 20; step += 1) {
    if ((await refuted.getAttribute("aria-current")) === "true") break;
    await keyboard.press("j");
  }
  const pane = page.getByRole("complementary", { name: "Evidence" });
  await pane.getByText("The user of the event was mallory.").waitFor();
  await pane.getByText(/The event has: ada/).waitFor();
  await pane.getByText("storyteller").waitFor();
  expect(await audit(page)).toEqual(CLEAN);

  await keyboard.press("j");
  await pane.getByText(/No event has this id/).waitFor();
  await page
    .getByRole("button", { name: /second machine/ })
    .getByText("not shown by data")
    .waitFor();
  const { findings } = (await soc.client.get(`/agents/investigations/${id}`)).body;
  const found = findings.find(({ statement }: { statement: string }) => statement.includes("mallory"));
  expect(found).toMatchObject({ is_supported: false, model: expect.stringContaining("storyteller") });

  await keyboard.press("p");
  await page.getByText(/Step 1 of/).waitFor();
  expect(complaints).toEqual([]);
});

it("stops an investigation whose model does not answer", async () => {
  const id = await investigate(SLOW);
  const { page } = await open(`/agents/investigations/${id}`);
  await page.getByText("Running", { exact: true }).waitFor();
  await createKeyboard(page).press("Shift+S");
  await page.getByText("Stopped", { exact: true }).waitFor();
  expect(await readStatus(id)).toBe("cancelled");
  expect(await page.getByRole("button", { name: /^Stop/ }).count()).toBe(0);
});

it("stops a chat answer and answers again", async () => {
  const { page } = await open("/agents");
  await page.getByText("SupervisorAgent").first().waitFor();
  await page.keyboard.press("\\");
  await ask(page, "what is new");
  const chat = page.getByRole("complementary", { name: "Chat" });
  await chat
    .getByText(/more more/)
    .first()
    .waitFor();
  await chat.getByRole("button", { name: "Stop" }).click();
  await chat.getByText(/^Stopped\./).waitFor();
  await chat.getByRole("button", { name: "Ask again" }).click();
  await expect.poll(() => chat.getByText(/more more/).count()).toBeGreaterThan(1);
  await chat.getByRole("button", { name: "Stop" }).click();
});

it("marks an answer that was cut off", async () => {
  const { page } = await open("/agents");
  await page.route("**/api/v1/chat/stream", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: 'event: token\ndata: {"text":"Half of it \\u202e"}\n\nevent: token\ndata: {"te',
    }),
  );
  await page.keyboard.press("\\");
  await ask(page, "what is new");
  await page.getByText(/The connection was lost/).waitFor();
  await page.getByText("⟨U+202E⟩").waitFor();
});

it("keeps the question when the session ends during the request", async () => {
  const { page, context } = await open("/agents");
  await page.keyboard.press("\\");
  await page.getByRole("textbox", { name: /ask about/i }).waitFor();
  await context.clearCookies();
  await ask(page, "what do we know about ws-7");
  await page.getByRole("dialog").waitFor();
  expect(await page.locator(".chat textarea").inputValue()).toBe("what do we know about ws-7");
});

it("states that there is no model and answers by rules", async () => {
  const { dataFolder } = soc.service;
  const plain = await startSocForTest(database.url, { SOC_DATA_DIR: dataFolder });
  const { body } = await soc.client.post("/alerts", { title: "LSASS dump", source: "edr", host: "ws-7" });
  const { page, complaints } = await open(`/alerts/${body.id}`, plain.service.url);
  await page.getByRole("heading", { name: "LSASS dump" }).first().waitFor();
  await page.keyboard.press("\\");
  const chat = page.getByRole("complementary", { name: "Chat" });
  await chat.getByRole("button", { name: "How does this alert stand?" }).click();
  await chat.getByText(/No language model is configured/).waitFor();
  await chat
    .getByText(/“LSASS dump”/)
    .first()
    .waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await ask(page, "what do we know about ws-7");
  await expect.poll(() => chat.getByText(/ws-7/).count(), { timeout: READY_MS }).toBeGreaterThan(2);
  await clock.sleep(200);
  await chat.getByRole("button", { name: "Conversations" }).click();
  await chat.getByRole("button", { name: /^How does this alert stand/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await chat.count()).toBe(0);
  expect(complaints).toEqual([]);
});
