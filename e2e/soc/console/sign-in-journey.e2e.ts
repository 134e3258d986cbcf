import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { isFull } from "../../counts.ts";
import { ADMIN_PASSWORD } from "../../services.ts";
import { addAuthenticator } from "../authenticator.ts";
import { type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { showCode } from "../totp.ts";
import { audit } from "./audit.ts";
import { visit } from "./visit.ts";

// A real browser, a real service process and a real database: the role tier3 must have a second factor.

let database: TestDatabase;
let soc: StartedSoc;
let browser: Browser;
let username: string;
let users = 0;
/** The browser's message about a failed request, which the tests cause. */
const REFUSED = /Failed to load resource/;
const CLEAN = { axe: [], small: [], cut: [] };

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url, { SOC_SECOND_FACTOR_ROLES: "tier3" });
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});
beforeEach(() => {
  users += 1;
  username = `analyst${users}`;
});

const addUser = async (role: string) =>
  expect((await soc.client.post("/users", { username, password: ADMIN_PASSWORD, role })).status).toBe(201);

const open = (path: string, options: Partial<Parameters<typeof visit>[1]> = {}) =>
  visit(browser, { url: soc.service.url, path, as: null, expected: REFUSED, ...options });

const findRail = (page: Page) => page.getByRole("navigation", { name: "Pages" });

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.keyboard.press("Enter");
}

/** Enrols a factor, from the button of the page to the recovery codes. */
async function enrolApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole("button", { name: "Add an app" }).click();
  await page.getByLabel("Name", { exact: true }).fill("phone");
  await page.getByLabel("Your password").fill(ADMIN_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR code with the secret" }).waitFor();
  const shown = (await page.locator(".factors-letters").textContent()) ?? "";
  expect(shown).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
  await page.getByLabel("Code", { exact: true }).fill(showCode(shown));
  await page.keyboard.press("Enter");
  await page.getByLabel("I have kept these codes").waitFor();
  return { secret: shown, codes: await page.locator(".factors-codes code").allTextContents() };
}

it("leads a user whose role requires a second factor to its set-up, and then to the requested page", async () => {
  await addUser("tier3");
  const { page, complaints } = await open("/inbox");
  await signIn(page);
  await page.getByRole("heading", { name: "Your role needs a second factor" }).waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  const { codes } = await enrolApp(page);
  expect(new Set(codes).size).toBe(10);
  const enter = page.getByRole("button", { name: "Open the console" });
  expect(await enter.isDisabled()).toBe(true);
  await page.getByLabel("I have kept these codes").check();
  await enter.click();
  await findRail(page).waitFor();
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  // The console learns from a refusal that the factor is missing.
  expect(complaints.filter((text) => !/status of 403/.test(text))).toEqual([]);
});

it("requests the second factor after the password and accepts a recovery code once", async () => {
  await addUser("tier2");
  const { page } = await open("/settings/me");
  await signIn(page);
  const { codes } = await enrolApp(page);
  await page.getByLabel("I have kept these codes").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("10 recovery codes left").waitFor();
  const again = await open("/settings/me");
  await signIn(again.page);
  const code = again.page.getByLabel("Code of your app, or recovery code");
  await code.waitFor();
  expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
  await code.fill(codes[0] ?? "");
  await again.page.keyboard.press("Enter");
  await again.page.getByText("9 recovery codes left").waitFor();
});

it.runIf(isFull)(
  "requests a factor again over the page when a change needs a fresh one, and then sends the change",
  async () => {
    await addUser("tier2");
    const { page } = await open("/settings/me");
    await signIn(page);
    const { codes } = await enrolApp(page);
    await page.getByLabel("I have kept these codes").check();
    await page.getByRole("button", { name: "Done" }).click();
    await database.ask(
      `UPDATE sessions SET factor_at = factor_at - interval '10 minutes' WHERE username = '${username}'`,
    );
    await page.getByRole("button", { name: "Rename: phone" }).click();
    await page.getByLabel("Name", { exact: true }).fill("old phone");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Show your second factor" }).waitFor();
    expect((await audit(page)).axe).toEqual([]);
    const code = page.getByLabel("Code of your app, or recovery code");
    await code.fill("aaaa-bbbb-cccc-dddd");
    await page.keyboard.press("Enter");
    await page.getByText("This factor is wrong or was used already.").waitFor();
    await code.fill(codes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove: old phone" }).waitFor();
  },
);

it("adds a passkey and signs in with it alone", async () => {
  await addUser("tier2");
  const { page } = await open("/settings/me", {
    prepare: async (fresh) => void (await addAuthenticator(fresh)),
  });
  await signIn(page);
  await page.getByRole("button", { name: "Add a security key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("laptop");
  await page.getByLabel("Your password").fill(ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Continue with the key" }).click();
  await page.getByLabel("I have kept these codes").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("Passkey", { exact: true }).waitFor();
  await page.getByRole("button", { name: new RegExp(username) }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await findRail(page).waitFor();
  await page.getByRole("heading", { name: "Your settings" }).waitFor();
});

it.runIf(isFull)("keeps the typed text when the session ends and continues after a new sign-in", async () => {
  await addUser("tier2");
  const { page } = await open("/settings/me");
  await signIn(page);
  await page.getByLabel("Current password").fill(ADMIN_PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill("a sentence that only I know");
  await page.getByLabel("New password again").fill("a sentence that only I know");
  const ended = await soc.client.ask("DELETE", `/api/v1/users/${username}/sessions`);
  expect(ended.status).toBe(200);
  await page.getByRole("button", { name: "Change the password" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  expect(await dialog.getByLabel("Username").inputValue()).toBe(username);
  await dialog.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByLabel("New password", { exact: true }).inputValue()).toBe("a sentence that only I know");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByText("The password is changed.").waitFor();
});

it.runIf(isFull)("ends other sessions, and the other browser reports it", async () => {
  await addUser("tier2");
  const [first, second] = [await open("/settings/me"), await open("/settings/me")];
  await signIn(first.page);
  await signIn(second.page);
  await findRail(second.page).waitFor();
  await first.page.reload();
  await first.page.getByRole("button", { name: "End all others" }).click();
  await first.page.getByText("1 session ended.").waitFor();
  await second.page
    .getByRole("button", { name: /Name this device/ })
    .first()
    .click();
  await second.page.getByLabel("Name of the device").fill("desk");
  await second.page.keyboard.press("Enter");
  await second.page.getByRole("dialog", { name: "Sign in again" }).waitFor();
});

it("reports that the service does not answer and opens the console when it does", async () => {
  await addUser("tier2");
  const { page } = await open("/inbox", {
    prepare: (fresh) => fresh.route("**/api/v1/batch", (route) => route.abort()),
  });
  await page.getByRole("heading", { name: "The console is not available" }).waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await page.unroute("**/api/v1/batch");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await signIn(page);
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
});

it("opens the page of /sign-in?next= only within the console", async () => {
  await addUser("tier2");
  const inside = await open("/sign-in?next=/settings/me");
  await signIn(inside.page);
  await inside.page.getByRole("heading", { name: "Your settings" }).waitFor();
  const outside = await open("/sign-in?next=//evil.example/");
  await signIn(outside.page);
  await findRail(outside.page).waitFor();
  expect(new URL(outside.page.url()).pathname).toBe("/");
  expect(outside.complaints).toEqual([]);
});
