import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { startDeviceToPair } from "@player/service/testing/pairing-bench";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { select } from "../../counts.ts";
import { createPlayerClient } from "../client.ts";
import { execute } from "../simulator.ts";
import { visit } from "./visit.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const WITHIN_MS = 60_000;
const clock = createClock();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function startNewDevice({ hasScreen = true } = {}) {
  const device = await startDeviceToPair({ dashboardFolder: DASHBOARD, hasScreen });
  const { player, token, isScannable } = device;
  onTestFinished(() => player.close());
  const client = await createPlayerClient(player);
  onTestFinished(() => client.close());
  return {
    ...device,
    client,
    /** What the phone opens after its camera has read the device's screen. */
    scan: async () => {
      await expect.poll(isScannable, { timeout: 5000 }).toBe(true);
      return `${player.url}/#${await token()}`;
    },
    hold: async (ms: number) => {
      await execute(player, { button: "down" });
      await clock.sleep(ms);
      await execute(player, { button: "up" });
      await clock.sleep(300);
    },
  };
}

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem("token"));

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

const LANGUAGES = [
  {
    language: "en" as const,
    own: "English",
    scan: "Scan the QR code on the player's screen with your phone's camera",
    hold: "Hold the player's button for 2 seconds, then count its tones",
    label: "Code or token",
    unlock: "Unlock",
    refusal: "Wrong code or token.",
    place: "Where is the player?",
    write: (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
  },
  {
    language: "ar" as const,
    own: "العربية",
    scan: "امسح رمز QR المعروض على شاشة المشغّل بكاميرا هاتفك",
    hold: "اضغط زر المشغّل ثانيتين، ثم عُدّ نغماته",
    label: "الرمز",
    unlock: "افتح القفل",
    refusal: "الرمز خاطئ.",
    place: "أين المشغّل؟",
    write: (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩".charAt(Number(digit))),
  },
];

// The other journeys below are in English.
const CHOSEN = select({ ci: LANGUAGES.slice(1), full: LANGUAGES });

it.each(CHOSEN)(
  "pairs a new owner who scans the QR code on the player's screen with a phone ($language)",
  async (words) => {
    const { player, scan, token } = await startNewDevice();
    const beganMs = clock.monotonicMs();
    // The owner has opened the page first, and it explains what to do.
    const first = await visit(browser, { url: player.url, language: words.language });
    const main = first.page.getByRole("main");
    await main.getByRole("button", { name: words.own, exact: true }).click();
    await first.page.getByText(words.scan).waitFor();
    const link = await scan();
    const { page, complaints } = await visit(browser, {
      url: player.url,
      path: new URL(link).hash,
      language: words.language,
    });
    await page.getByRole("main").getByRole("button", { name: words.own, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: words.place, exact: true }).waitFor();
    expect(await storedToken(page)).toBe(await token());
    expect(page.url()).not.toContain(await token());
    expect(clock.monotonicMs() - beganMs).toBeLessThan(WITHIN_MS);
    expect(complaints).toEqual([]);
  },
);

it.each(CHOSEN)(
  "pairs a new owner of a player without a screen by holding its button and counting tones ($language)",
  async (words) => {
    const { player, client, hold, hear, token } = await startNewDevice({ hasScreen: false });
    await expect.poll(async () => (await client.get("/api/pairing")).body.ways.sound).toBe(true);
    const beganMs = clock.monotonicMs();
    const { page, complaints } = await visit(browser, { url: player.url, language: words.language });
    const main = page.getByRole("main");
    await main.getByRole("button", { name: words.own, exact: true }).click();
    await page.getByText(words.hold).waitFor();
    await hold(2200);
    const code = await hear();
    const field = page.getByLabel(words.label, { exact: true });
    const unlock = main.getByRole("button", { name: words.unlock, exact: true });
    await field.fill(words.write(wrong(code)));
    await unlock.click();
    await page.getByText(words.refusal).waitFor();
    await field.fill(words.write(code));
    await unlock.click();
    await page.getByRole("heading", { level: 1, name: words.place, exact: true }).waitFor();
    expect(await storedToken(page)).toBe(await token());
    expect(clock.monotonicMs() - beganMs).toBeLessThan(WITHIN_MS);
    // The browser itself reports the refused code.
    expect(complaints.filter((each) => !each.includes("401"))).toEqual([]);
  },
);

it("pairs a second phone with the link of the first one, and a third one with the command on the player", async () => {
  const { player, client, token, runCommand } = await startNewDevice();
  await client.post("/api/prayer/config", { lat: 30.05, lng: 31.25 });
  const sent: string[] = [];
  const first = await visit(browser, { url: player.url, path: "/settings/install", token: await token() });
  first.page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await first.page.getByRole("button", { name: "Show QR code and link" }).click();
  await first.page.getByRole("img", { name: "QR code that unlocks the player" }).waitFor();
  const link = (await first.page.locator(".install-link").textContent()) ?? "";
  expect(link).toBe(`${player.url}/#${await token()}`);
  // The page draws the link itself.
  expect(sent.filter((each) => each.includes("pairing"))).toEqual([]);

  const askForCode = async () => {
    const { page } = await visit(browser, { url: player.url, path: "/settings/install" });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Show QR code and link" }).click();
    await dialog.getByText("Hold the player's button for 2 seconds.").waitFor();
    const unlock = async (typed: string) => {
      await dialog.getByLabel("Code or token").fill(typed);
      await dialog.getByRole("button", { name: "Unlock" }).click();
    };
    return { page, dialog, unlock };
  };
  const second = await askForCode();
  await second.unlock(link);
  await second.page.locator(".install-link").waitFor();
  expect(await storedToken(second.page)).toBe(await token());

  const third = await askForCode();
  await third.unlock("123456");
  await third.dialog.getByText("This code is no longer valid. Get a new one.").waitFor();
  await third.unlock(await runCommand());
  await third.page.locator(".install-link").waitFor();
  expect(await storedToken(third.page)).toBe(await token());
});

it("resets the player after ten seconds on the button, and the owner pairs again", async () => {
  const { player, client, scan, token, hold } = await startNewDevice();
  await client.post("/api/settings", { device_name: "Kitchen" });
  const before = await token();
  await hold(10_500);
  await expect.poll(token).not.toBe(before);
  expect((await client.get("/api/settings")).body.device_name).toBe("Manara");
  expect((await client.get("/api/pairing")).body).toMatchObject({ open: false, paired: false });
  expect((await client.get("/api/pairing")).body.ways.screen).toBe(true);
  const { page } = await visit(browser, { url: player.url, path: new URL(await scan()).hash });
  await page.getByRole("main").getByRole("button", { name: "English", exact: true }).click();
  // The reset also removes its network.
  await page.getByRole("heading", { level: 1, name: "Connect the player to your Wi-Fi" }).waitFor();
  expect(await storedToken(page)).toBe(await token());
});
