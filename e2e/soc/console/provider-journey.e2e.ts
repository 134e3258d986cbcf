import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "@kit/testing/browser";
import { freePort } from "@kit/testing/process";
import { type OidcAccount, startOidcProvider } from "@soc/service/testing/servers/oidc-provider";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_PASSWORD, type StartedService, startService } from "../../services.ts";
import { createSocClient, requestToken } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { audit } from "./audit.ts";
import { visit } from "./visit.ts";

// A real OpenID provider, a real browser, a real service process and a real database.

const CLIENT = { client_id: "soc", client_secret: "a secret of the client, only for tests" };
const accounts = new Map<string, OidcAccount>([
  ["amira", { groups: ["analysts"], email: "amira@company.example" }],
  ["stranger", { groups: ["kitchen"], email: "stranger@company.example" }],
]);
const CLEAN = { axe: [], small: [], cut: [] };

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let database: TestDatabase;
let service: StartedService;
let browser: Browser;
let url: string;
let folder: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  folder = await mkdtemp(join(tmpdir(), "soc-provider-"));
  [database, browser, provider] = await Promise.all([
    startDatabase(),
    launchBrowser(),
    startOidcProvider({
      ...CLIENT,
      redirect_uris: [`${url}/api/v1/auth/oidc/main/callback`],
      post_logout_redirect_uris: [`${url}/`],
      accounts,
    }),
  ]);
  await writeFile(join(folder, "secret"), CLIENT.client_secret, { mode: 0o600 });
  const listed = { id: "main", label: "Company", issuer: provider.issuer, client_id: CLIENT.client_id };
  const rights = [{ group: "analysts", role: "tier2" }];
  const file = join(folder, "providers.json");
  await writeFile(file, JSON.stringify([{ ...listed, client_secret_file: "secret", rights }]));
  service = await startService("soc", {
    SOC_MODE: "real",
    SOC_PORT: String(port),
    SOC_PUBLIC_URL: url,
    SOC_DATABASE_URL: database.url,
    SOC_OIDC_PROVIDERS: file,
  });
  // The tables are there.
  await requestToken(createSocClient(url), "admin", ADMIN_PASSWORD);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await service.stop();
  await provider.close();
  await database.remove();
  await rm(folder, { recursive: true });
});

/** Signs in with the provider's form, whose page requests a font from another host. */
async function signIn(page: Page, login: string): Promise<void> {
  await page.context().route(/fonts\.googleapis\.com/, (route) => route.abort());
  await page.getByRole("link", { name: /Sign in with .*Company/ }).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("[type=submit]").first().click();
}

const breaches = (complaints: readonly string[]) => complaints.filter((text) => /^CSP|^dialog/.test(text));

it("signs in through the provider, opens the requested page, and signs out of both", async () => {
  const { page, complaints } = await visit(browser, { url, path: "/settings/me", as: null });
  expect(await audit(page)).toEqual(CLEAN);
  await signIn(page, "amira");
  await page.waitForURL(`${url}/settings/me`);
  const account = page.getByRole("button", { name: /amira/ });
  await account.waitFor();
  expect(await account.textContent()).toContain("tier2");
  await account.click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(`${provider.issuer}/session/end**`);
  await page.locator("[type=submit]").first().click();
  await page.waitForURL(`${url}/**`);
  await page.getByRole("link", { name: /Sign in with .*Company/ }).waitFor();
  expect(breaches(complaints)).toEqual([]);
});

it("explains that a person in no group of this platform cannot sign in, and leads back", async () => {
  const { page, complaints } = await visit(browser, { url, path: "/", as: null });
  await signIn(page, "stranger");
  await page.waitForURL(`${url}/**`);
  await page.getByText(/^Not signed in: /).waitFor();
  await page.getByRole("link", { name: "Sign in again" }).click();
  await page.getByRole("link", { name: /Sign in with .*Company/ }).waitFor();
  expect(breaches(complaints)).toEqual([]);
});
