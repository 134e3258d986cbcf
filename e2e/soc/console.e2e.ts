import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ADMIN_PASSWORD, type StartedService, startService } from "../services.ts";

let soc: StartedService;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startService("soc"), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await soc.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ locale: "en-GB" });
  await page.goto(soc.url);
});

async function signIn(password: string): Promise<void> {
  await page.getByLabel("Username").fill("admin");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

it("signs an analyst in by keyboard and shows the runtime mode", async () => {
  await signIn(ADMIN_PASSWORD);
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.getByText(/dummy/i).first().waitFor();
  const words = await page.textContent("body");
  expect(words).toMatch(/dummy/i);
  expect(words).toMatch(/showcase/i);
});

it("reports a wrong password", async () => {
  await signIn("not the password");
  await page.getByText("The username or the password is wrong.").waitFor();
});
