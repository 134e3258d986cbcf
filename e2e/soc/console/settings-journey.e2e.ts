import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_PASSWORD } from "../../services.ts";
import { type StartedSoc, startSoc, startSocForTest } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { audit } from "./audit.ts";
import { createKeyboard, findFocus } from "./keyboard.ts";
import { settled, visit } from "./visit.ts";

// An administrator sets up a real service, without a mouse where one can do without.

const REFUSED = /Failed to load resource/;
const CLEAN = { axe: [], small: [], cut: [] };
const FOUND_MS = 60_000;
const FOCUS_MS = 5000;
const clock = createClock();

let database: TestDatabase;
let soc: StartedSoc;
let browser: Browser;

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url);
  for (const name of ["Hall A", "Hall B"]) {
    const { status } = await soc.client.post("/sites", { name, profile: { asset_classes: ["it"] } });
    expect(status).toBe(201);
  }
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});

const open = (path: string, as = "admin", url = soc.service.url) =>
  visit(browser, { url, as, path, expected: REFUSED });

const readTabs = (page: Page) => page.getByRole("navigation", { name: "Settings" }).getByRole("link").allTextContents();

it("restricts a user to one site, who then signs in and sees only that site", async () => {
  const { page, complaints } = await open("/settings/users");
  await settled(page);
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New user" });
  await dialog.getByLabel("Username").fill("omar");
  await dialog.getByLabel("Role").selectOption("tier2");
  await dialog.getByLabel("All sites").uncheck();
  await dialog.getByLabel("Hall A").check();
  await dialog.getByLabel("First password").fill(ADMIN_PASSWORD);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByText("The user can sign in now.").waitFor();
  await page.getByRole("row").filter({ hasText: "omar" }).filter({ hasText: "Hall A" }).waitFor();
  expect(complaints).toEqual([]);

  const omar = await open("/settings/sites", "omar");
  await omar.page.getByRole("row").filter({ hasText: "Hall A" }).waitFor();
  expect(await omar.page.getByText("Hall B").count()).toBe(0);
  expect(await readTabs(omar.page)).toEqual(["Me", "Roles", "Sites", "Runtime"]);
  await omar.page.goto(`${soc.service.url}/settings/users`);
  await omar.page.getByText("It is for administrators only.").waitFor();
});

it("lists and ends the sessions of a user, and signs a deactivated user out", async () => {
  const created = await soc.client.post("/users", { username: "lina", password: ADMIN_PASSWORD, role: "tier1" });
  expect(created.status).toBe(201);
  const lina = await open("/inbox", "lina");
  const { page } = await open("/settings/users?pane=lina");
  const sessions = page.getByRole("region", { name: "Sessions" });
  await sessions.getByText("127.0.0.1").waitFor();
  await sessions.getByRole("button", { name: /^End/ }).click();
  await page.getByText("1 session ended.").waitFor();
  await sessions.getByText("Not signed in anywhere.").waitFor();
  // The next thing she does asks for the password.
  await lina.page.keyboard.press("g");
  await lina.page.keyboard.press("a");
  await lina.page
    .getByRole("dialog")
    .getByLabel(/password/i)
    .waitFor();

  await page.getByRole("button", { name: "Deactivate" }).click();
  const dialog = page.getByRole("dialog", { name: "Deactivate lina?" });
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Nothing of this user works any more.").waitFor();
  expect((await soc.client.signIn("lina", ADMIN_PASSWORD)).status).toBe(401);
});

it("shows a key once; it works until it is revoked", async () => {
  const { page, complaints } = await open("/settings/keys");
  await settled(page);
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.getByLabel("Name").fill("night-report");
  await dialog.getByLabel("alerts:read").check();
  await dialog.getByRole("button", { name: "Create" }).click();
  const once = page.getByRole("dialog", { name: "Copy your key now" });
  const key = (await once.locator("output").textContent()) ?? "";
  expect(key).toMatch(/^soc_/);
  const ask = async () => (await fetch(`${soc.service.url}/api/v1/alerts`, { headers: { "x-api-key": key } })).status;
  expect(await ask()).toBe(200);
  // Esc does not lose it by accident.
  await page.keyboard.press("Escape");
  await once.getByRole("button", { name: "Done" }).click();
  await once.waitFor({ state: "hidden" });
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.body.innerHTML,
    ]),
  );
  expect(kept).not.toContain(key);

  await page.getByRole("row").filter({ hasText: "night-report" }).click();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Revoke this key" }).click();
  await page
    .getByRole("dialog", { name: "Revoke night-report?" })
    .getByRole("button", { name: "Revoke this key" })
    .click();
  await page.getByText("The key is revoked.").waitFor();
  expect(await ask()).toBe(401);
  expect(complaints).toEqual([]);
});

async function bury(events: readonly unknown[]): Promise<void> {
  const { status, body } = await soc.client.ask("POST", "/api/v1/siem/ingest?source=edge-fw", [...events]);
  expect([status, body.rejected]).toEqual([202, events.length]);
}

it("corrects and replays a dead letter, and the search finds it", async () => {
  await bury([17]);
  const { page } = await open("/settings/dead-letters");
  await page.getByRole("row").filter({ hasText: "edge-fw" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  const event = page.getByLabel("The event");
  await event.waitFor();
  await page.keyboard.press("e");
  await event.fill(JSON.stringify({ message: "mended by hand 4711", host: "fw-1" }));
  await page.getByRole("button", { name: /Replay the changed event/ }).click();
  await page.getByText("Stored. The search finds it in a moment.").waitFor();
  await page.getByText("Every event that arrived could be stored.").waitFor();
  const count = async () => (await soc.client.get("/siem/logs?query=4711")).body.total;
  await expect.poll(count, { timeout: FOUND_MS }).toBe(1);
  await page.goto(`${soc.service.url}/hunt?q=4711&from=-24h`);
  await page.getByText("mended by hand 4711").first().waitFor();
});

it("replays many dead letters after showing their exact number, and reports how many fail again", async () => {
  await bury([1, 2, 3]);
  const { page } = await open("/settings/dead-letters");
  await page.getByRole("row").filter({ hasText: "edge-fw" }).first().waitFor();
  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog", { name: "Replay 3 dead letters?" });
  await dialog.getByRole("button", { name: "3 dead letters" }).click();
  await page.getByText(/0 events are stored\. 3 are refused again\./).waitFor();
  expect((await soc.client.get("/siem/dead-letters")).body.total).toBe(3);
});

it("tests a channel and reports the result", async () => {
  const { page } = await open("/settings/channels");
  await settled(page);
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New channel" });
  await dialog.getByLabel("Name").fill("Night room");
  await dialog.getByLabel("Kind").selectOption("chat");
  await dialog.getByLabel("Address").fill("https://chat.invalid/hooks/very-secret");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByText("The channel exists. Test it now.").waitFor();
  await page.getByRole("row").filter({ hasText: "Night room" }).click();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: /Send a test/ }).click();
  await page.getByText(/The test was not accepted: /).waitFor({ timeout: FOUND_MS });
  expect(await page.locator("body").innerHTML()).not.toContain("very-secret");
});

describe("settings pages", () => {
  it.each([
    "me",
    "users?pane=admin",
    "roles",
    "keys",
    "sites",
    "sources",
    "dead-letters",
    "channels",
    "runtime",
    "system",
  ])("have no accessibility findings on %s", async (path) => {
    const { page, complaints } = await open(`/settings/${path}`);
    await settled(page);
    expect(await audit(page)).toEqual(CLEAN);
    expect(complaints).toEqual([]);
  });
});

it("explains that nothing can be changed in dummy mode", async () => {
  const dummy = await startSocForTest(database.url, { SOC_MODE: "dummy", SOC_DATA_DIR: soc.service.dataFolder });
  const { page } = await open("/settings/users", "admin", dummy.service.url);
  await settled(page);
  await page.keyboard.press("n");
  await page.getByText(/New user: Dummy mode/).waitFor();
});

it("can be reached completely by keyboard without losing the focus", async () => {
  const { page, complaints } = await open("/");
  await settled(page);
  const keys = createKeyboard(page);
  const lost: string[] = [];
  const press = async (...pressed: readonly string[]) => {
    await keys.press(...pressed);
    // A page that is loaded for the first time gives it to its heading as soon as it is there.
    const deadline = clock.monotonicMs() + FOCUS_MS;
    do await clock.sleep(150);
    while ((await findFocus(page)) === undefined && clock.monotonicMs() < deadline);
    if ((await findFocus(page)) === undefined) lost.push(pressed.join(" "));
  };
  const titles = await page
    .locator(".rail-place")
    .evaluateAll((links) =>
      links.map((link) => ({ path: link.getAttribute("href") ?? "", title: link.getAttribute("title") ?? "" })),
    );
  expect(titles.length).toBeGreaterThan(6);
  for (const { path, title } of titles) {
    const letter = / G (.)$/.exec(title)?.[1] ?? expect.fail(`${title} has no letter`);
    await keys.press("g", letter.toLowerCase());
    await page.waitForURL(({ pathname }) => pathname === path || pathname.startsWith(`${path}/`));
    await page.locator("h1").first().waitFor();
    await expect.poll(() => findFocus(page), { message: path }).toBeDefined();
  }
  await press("Control+k");
  await page.locator("dialog[open] [role=option]").first().waitFor();
  await press("Escape");
  await press("?");
  await page.locator("dialog[open] .keys-line").first().waitFor();
  await press("Escape");
  await press("g", "s");
  await page.waitForURL(/settings\/me/);
  await press("2");
  await page.getByRole("heading", { name: "Users", level: 1 }).waitFor();
  await settled(page);
  await press("j");
  await press("Space");
  await page.getByRole("region", { name: "Sessions" }).waitFor();
  await press("e");
  await page.getByRole("dialog", { name: /^Change/ }).waitFor();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await press("Escape");
  await page.getByRole("region", { name: "Sessions" }).waitFor({ state: "hidden" });
  await press("j");
  await press("Enter");
  await page.getByRole("region", { name: "Sessions" }).waitFor();
  await keys.reach(page.getByRole("button", { name: /Close/ }).first());
  await press("Enter");
  expect(lost).toEqual([]);
  expect(complaints).toEqual([]);
});
