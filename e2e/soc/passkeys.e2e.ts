import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { isFull } from "../counts.ts";
import { ADMIN_PASSWORD } from "../services.ts";
import { addAuthenticator, askInPage, createInPage, signInPage, type VirtualAuthenticator } from "./authenticator.ts";
import { type StartedSoc, startSoc } from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";

// A real browser with Chromium's virtual authenticator, a real service process and a real database.

let database: TestDatabase;
let soc: StartedSoc;
let browser: Browser;
let page: Page;
let authenticator: VirtualAuthenticator;
let username: string;
let users = 0;

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url);
});
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});
beforeEach(async () => {
  users += 1;
  username = `analyst${users}`;
  const made = await soc.client.post("/users", { username, password: ADMIN_PASSWORD, role: "tier2" });
  expect(made.status).toBe(201);
  // With separate cookies and authenticators.
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  page = await context.newPage();
  await page.goto(soc.service.url);
  authenticator = await addAuthenticator(page);
});

const ask = (method: string, path: string, body?: object) => askInPage(page, method, path, body);
const password = () => ({ username, password: ADMIN_PASSWORD });

/** Signs in with the password and adds the first key. */
async function enrol() {
  expect((await ask("POST", "/auth/token", password())).status).toBe(200);
  const options = await ask("POST", "/me/factors/webauthn/options", { current_password: ADMIN_PASSWORD });
  expect(options.status).toBe(200);
  const credential = await createInPage(page, options.body);
  const added = await ask("POST", "/me/factors/webauthn", { name: "laptop", credential });
  expect(added.status).toBe(201);
  return { factor: added.body, credential };
}

async function signInByPasskey() {
  const options = await ask("POST", "/auth/passkey/options");
  expect(options.status).toBe(200);
  return ask("POST", "/auth/passkey", { credential: await signInPage(page, options.body) });
}

async function signInByKey() {
  const options = await ask("POST", "/auth/webauthn/options", password());
  expect(options.status).toBe(200);
  return ask("POST", "/auth/token", { ...password(), webauthn: await signInPage(page, options.body) });
}

it("enrols a key and keeps the enrolling browser signed in", async () => {
  const { factor, credential } = await enrol();
  expect(factor).toMatchObject({ kind: "webauthn", name: "laptop", is_passkey: true, cloned_at: null });
  expect(factor.recovery_codes).toHaveLength(10);
  const listed = await ask("GET", "/me/factors");
  expect(listed.body.items).toMatchObject([{ id: factor.id, kind: "webauthn", is_passkey: true }]);
  const again = await ask("POST", "/me/factors/webauthn", { credential });
  expect([again.status, again.body.detail]).toEqual([
    400,
    "credential: is not valid here or was already used; start again",
  ]);
  const renamed = await ask("PATCH", `/me/factors/${factor.id}`, { name: "work laptop" });
  expect([renamed.status, renamed.body.name]).toEqual([200, "work laptop"]);
});

it("accepts the key as second factor after the password, and each signature once", async () => {
  await enrol();
  expect((await ask("POST", "/auth/token", password())).status).toBe(401);
  const options = await ask("POST", "/auth/webauthn/options", password());
  expect(options.body.userVerification).toBe("discouraged");
  const webauthn = await signInPage(page, options.body);
  const signedIn = await ask("POST", "/auth/token", { ...password(), webauthn });
  expect([signedIn.status, signedIn.body.token_type]).toEqual([200, "bearer"]);
  const again = await ask("POST", "/auth/token", { ...password(), webauthn });
  expect([again.status, again.body.detail]).toEqual([401, "webauthn: is wrong or was used already"]);
  const recovered = await ask("POST", "/auth/step-up/options");
  const stepped = await ask("POST", "/auth/step-up", { webauthn: await signInPage(page, recovered.body) });
  expect(stepped.status).toBe(200);
});

it("signs in by passkey without a password when the authenticator has verified its user", async () => {
  const { factor } = await enrol();
  await page.context().clearCookies();
  const signedIn = await signInByPasskey();
  expect([signedIn.status, signedIn.body.token_type]).toEqual([200, "bearer"]);
  expect((await ask("GET", "/users/me")).body.username).toBe(username);
  // A passkey is a fresh factor.
  expect((await ask("DELETE", `/me/factors/${factor.id}`)).status).toBe(200);
  const refused = await signInByPasskey();
  expect([refused.status, refused.body.detail]).toEqual([401, "credential: is wrong or was used already"]);
});

it.runIf(isFull)("refuses as passkey a signature without user verification", async () => {
  await enrol();
  const options = await ask("POST", "/auth/passkey/options");
  await authenticator.setVerified(false);
  const lax = { ...options.body, userVerification: "discouraged" };
  const refused = await ask("POST", "/auth/passkey", { credential: await signInPage(page, lax) });
  expect(refused.status).toBe(401);
});

it.runIf(isFull)("refuses a copied key, marks it and records it", async () => {
  const { factor } = await enrol();
  await authenticator.setCount(10);
  expect((await signInByKey()).status).toBe(200);
  await authenticator.setCount(5);
  expect((await signInByKey()).status).toBe(401);
  expect((await ask("GET", "/me/factors")).body.items).toMatchObject([
    { id: factor.id, cloned_at: expect.any(String) },
  ]);
  // The key itself is not trusted any more either: which of the two is the copy is not known.
  await authenticator.setCount(100);
  expect((await signInByPasskey()).status).toBe(401);
  expect((await ask("POST", "/auth/webauthn/options", password())).status).toBe(409);
  const code = factor.recovery_codes[0];
  expect((await ask("POST", "/auth/token", { ...password(), code })).status).toBe(200);
  const { body } = await soc.client.get("/audit?action=auth.factor_cloned");
  expect(body.items).toMatchObject([{ subject_id: username }]);
});

it.runIf(isFull)("refuses a signature requested by another origin", async () => {
  await enrol();
  // The same name, so that the browser offers the key, on another port.
  const other = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<p>other"));
  other.listen(0, "localhost");
  await once(other, "listening");
  onTestFinished(() => {
    other.closeAllConnections();
    other.close();
  });
  const options = await ask("POST", "/auth/webauthn/options", password());
  const passkey = await ask("POST", "/auth/passkey/options");
  await page.goto(`http://localhost:${(other.address() as AddressInfo).port}`);
  const webauthn = await signInPage(page, options.body);
  const credential = await signInPage(page, passkey.body);
  await page.goto(soc.service.url);
  const refused = await ask("POST", "/auth/token", { ...password(), webauthn });
  expect([refused.status, refused.body.detail]).toEqual([401, "webauthn: is wrong or was used already"]);
  expect((await ask("POST", "/auth/passkey", { credential })).status).toBe(401);
  expect((await signInByKey()).status).toBe(200);
});

it.runIf(isFull)("offers a passkey immediately, and a key or code after the password, in the console", async () => {
  const { factor } = await enrol();
  const rail = page.getByRole("navigation", { name: "Pages" });
  const leave = async () => {
    await page.getByRole("button", { name: new RegExp(username) }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
  };
  const enterPassword = async () => {
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Password").fill(ADMIN_PASSWORD);
    await page.keyboard.press("Enter");
  };
  // The page was opened before the session began.
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await rail.waitFor();
  expect(await rail.textContent()).toContain(username);
  await leave();
  await enterPassword();
  await page.getByRole("button", { name: "Use a security key" }).click();
  await rail.waitFor();
  await leave();
  await enterPassword();
  await page.getByLabel("Code of your app, or recovery code").fill("aaaa-bbbb-cccc-dddd");
  await page.keyboard.press("Enter");
  await page.getByText("This factor is wrong or was used already.").waitFor();
  await page.getByLabel("Code of your app, or recovery code").fill(factor.recovery_codes[0]);
  await page.keyboard.press("Enter");
  await rail.waitFor();
});
