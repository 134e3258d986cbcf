import { launchBrowser } from "@kit/testing/browser";
import { type LoopbackPlayer, startLoopbackPlayer } from "@player/service/testing/loopback-player";
import {
  createTestAuthority,
  type SecurityPlatform,
  startSecurityPlatform,
  startTestBroker,
  type TestBroker,
} from "@player/service/testing/security-platform";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { createPlayerClient, type PlayerClient } from "../client.ts";
import { axeFindings, cutOff, smallTargets } from "./audit.ts";
import { INPUT_METHODS, keyboard } from "./input-methods.ts";
import { visit } from "./visit.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const PATH = "/settings/monitoring";
/** Where the pictures go; only `npm run pictures:dashboard` draws them. */
const FOLDER = process.env.PICTURES;
const SIZES = [390, 1280] as const;
const LOOKS = [
  { language: "en", theme: "light" },
  { language: "ar", theme: "dark" },
  { language: "en", theme: "dark" },
  { language: "ar", theme: "light" },
] as const;

let browser: Browser;
let player: LoopbackPlayer;
let client: PlayerClient;
let broker: TestBroker;
let platform: SecurityPlatform;

beforeAll(async () => {
  const authority = await createTestAuthority();
  [browser, broker] = await Promise.all([launchBrowser(), startTestBroker(authority)]);
  platform = await startSecurityPlatform({ authority, broker: broker.url });
  player = await startLoopbackPlayer({ dashboardFolder: DASHBOARD });
  client = await createPlayerClient(player);
});
afterAll(async () => {
  await browser.close();
  client.close();
  await player.close();
  await platform.close();
  await broker.close();
});

const open = (options: Partial<Parameters<typeof visit>[1]> = {}) =>
  visit(browser, { url: player.url, token: client.token, path: PATH, ...options });

describe.each(select({ ci: [keyboard], full: INPUT_METHODS }))("monitoring journey with $name", (hand) => {
  it("enrols the player, shows what was sent, and removes it", async () => {
    const { page, complaints } = await open();
    await page.getByText("No security platform knows this player, and nothing is sent.").waitFor();
    await page.getByText("Nothing was sent.").waitFor();

    await hand.press(page.getByRole("button", { name: "Enrol", exact: true }));
    expect(await page.getByText("Please fill this in.").count()).toBe(3);
    await hand.type(page.getByLabel("Platform address"), platform.address);
    await hand.type(page.getByLabel("One-time code"), platform.newCode());
    await hand.type(page.getByLabel("Authority fingerprint"), "ab".repeat(32));
    await hand.press(page.getByRole("button", { name: "Enrol", exact: true }));
    await page.getByText("The platform at this address has another fingerprint.").waitFor();
    expect(platform.received).toEqual([]);

    await hand.type(page.getByLabel("Authority fingerprint"), platform.authority.fingerprint);
    await hand.press(page.getByRole("button", { name: "Enrol", exact: true }));
    await page.getByText("The player is enrolled.").waitFor();
    await page.getByText("The platform checks this player's software").waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    await page.getByText(platform.address).first().waitFor();

    await hand.press(page.locator("summary").filter({ hasText: "Enrolment" }));
    await page.getByText("(a one-time code, not kept)").waitFor();

    await hand.press(page.getByRole("button", { name: "Remove" }));
    await hand.press(page.getByRole("dialog").getByRole("button", { name: "Remove" }));
    await page.getByText("Monitoring is off, and its data is erased from this player.").waitFor();
    await page.getByText("1 message.").waitFor();
    await page.getByText("Nothing was sent.").waitFor();
    // The refused enrolments are answers of the device, which a browser logs as errors.
    expect(complaints.filter((each) => !each.includes("status of 400"))).toEqual([]);
    platform.received.length = 0;
  });
});

/** Makes the window as tall as the page, so that sticky elements appear at its end. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (!FOLDER) return;
  const width = page.viewportSize()?.width ?? 0;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height });
  await page.screenshot({ path: `${FOLDER}/monitoring-${name}.png` });
}

const headers = () => ({ authorization: `Bearer ${client.token}` });
const readStatus = async () => (await client.ask({ method: "GET", path: "/api/monitoring", headers: headers() })).body;

describe.each(select({ ci: LOOKS.slice(0, 2), full: LOOKS }))("monitoring page in $language, $theme", (look) => {
  it("has no layout or accessibility problems in any state", async () => {
    const audit = async (name: string) => {
      const { page } = await open(look);
      await page.locator("main .waiting").first().waitFor({ state: "detached" });
      for (const width of SIZES) {
        await page.setViewportSize({ width, height: 800 });
        const findings = { axe: await axeFindings(page), small: await smallTargets(page), cut: await cutOff(page) };
        expect(findings, `${name}, ${width} pixels wide`).toEqual({ axe: [], small: [], cut: [] });
        await keepPicture(page, `${name}-${look.language}-${look.theme}-${width}`);
      }
      return page;
    };

    await audit("off");
    const { address, authority } = platform;
    const enrolment = { address, code: platform.newCode(), authority_fingerprint: authority.fingerprint };
    expect((await client.post("/api/monitoring/enrol", enrolment)).status).toBe(200);
    await expect.poll(async () => (await readStatus()).state).toBe("on");
    const page = await audit("on");
    await page.locator("summary").first().click();
    await page.locator(".sent-content").waitFor();
    await keepPicture(page, `opened-${look.language}-${look.theme}-1280`);
    await broker.stop();
    await expect.poll(async () => (await readStatus()).state).toBe("waiting");
    await audit("waiting");
    await broker.start();
    await expect.poll(async () => (await readStatus()).state, { timeout: 60_000 }).toBe("on");
    await client.ask({ method: "DELETE", path: "/api/monitoring", headers: headers() });
  });
});
