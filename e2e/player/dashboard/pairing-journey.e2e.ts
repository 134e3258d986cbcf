import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { startLoopbackPlayer } from "@player/service/testing/loopback-player";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { select } from "../../counts.ts";
import { createPlayerClient } from "../client.ts";
import { execute } from "../simulator.ts";
import { visit } from "./visit.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const clock = createClock();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function startNewDevice() {
  const printed: string[] = [];
  const player = await startLoopbackPlayer({ dashboardFolder: DASHBOARD, print: (text) => void printed.push(text) });
  onTestFinished(() => player.close());
  const client = await createPlayerClient(player);
  onTestFinished(() => client.close());
  return {
    player,
    client,
    code: () => /(\d{6})\n$/.exec(printed.at(-1) ?? "")?.[1] ?? "",
    token: async () => (await readFile(join(player.dataFolder, "token"), "utf8")).trim(),
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
    hint: "The player's screen shows a QR code and six digits.",
    label: "Code or token",
    unlock: "Unlock",
    refusal: "Wrong code or token.",
    place: "Where is the player?",
    write: (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
  },
  {
    language: "ar" as const,
    own: "العربية",
    hint: "تعرض شاشة المشغّل رمز QR وستة أرقام.",
    label: "الرمز",
    unlock: "افتح القفل",
    refusal: "الرمز خاطئ.",
    place: "أين المشغّل؟",
    write: (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩".charAt(Number(digit))),
  },
];

// The two other journeys below are in English.
it.each(select({ ci: LANGUAGES.slice(1), full: LANGUAGES }))(
  "a new owner unlocks the player with the six digits that it shows ($language)",
  async (words) => {
    const { player, code, token } = await startNewDevice();
    const { page, complaints } = await visit(browser, { url: player.url, language: words.language });
    const main = page.getByRole("main");
    await main.getByRole("button", { name: words.own, exact: true }).click();
    await page.getByText(words.hint).waitFor();
    const field = page.getByLabel(words.label, { exact: true });
    const unlock = main.getByRole("button", { name: words.unlock, exact: true });
    await field.fill(words.write(wrong(code())));
    await unlock.click();
    await page.getByText(words.refusal).waitFor();
    await field.fill(words.write(code()));
    await unlock.click();
    await page.getByRole("heading", { level: 1, name: words.place, exact: true }).waitFor();
    expect(await storedToken(page)).toBe(await token());
    // The browser itself reports the refused code.
    expect(complaints.filter((each) => !each.includes("401"))).toEqual([]);
  },
);

it("a second phone gets in by the button, and a page on the home screen by a code of that phone", async () => {
  const { player, client, code, token, hold } = await startNewDevice();
  await client.post("/api/prayer/config", { lat: 30.05, lng: 31.25 });
  const askForCode = async () => {
    const { page } = await visit(browser, { url: player.url, path: "/settings/install" });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Show a code" }).click();
    await dialog.getByText("Hold the player's button for two seconds.").waitFor();
    const unlock = async (digits: string) => {
      await dialog.getByLabel("Code or token").fill(digits);
      await dialog.getByRole("button", { name: "Unlock" }).click();
    };
    const shown = async () => (await page.locator(".install-code").textContent()) ?? "";
    return { page, dialog, unlock, shown };
  };

  const second = await askForCode();
  await second.unlock("123456");
  await second.dialog.getByText("This code is no longer valid. Get a new one.").waitFor();
  await hold(2200);
  await second.unlock(code());
  expect(await second.shown()).toMatch(/^\d{3} \d{3}$/);
  expect(await storedToken(second.page)).toBe(await token());

  const installed = await visit(browser, { url: player.url, path: "/settings/install" });
  await installed.page.getByRole("button", { name: "Show a code" }).click();
  await installed.page
    .getByRole("dialog")
    .getByLabel("Code or token")
    .fill(await second.shown());
  await installed.page.getByRole("dialog").getByRole("button", { name: "Unlock" }).click();
  await installed.page.locator(".install-code").waitFor();
  expect(await storedToken(installed.page)).toBe(await token());
});

it("ten seconds on the button lead back to the first state, and the owner gets in again", async () => {
  const { player, client, code, token, hold } = await startNewDevice();
  await client.post("/api/settings", { device_name: "Kitchen" });
  const before = await token();
  await hold(10_500);
  await expect.poll(token).not.toBe(before);
  expect((await client.get("/api/settings")).body.device_name).toBe("Manara");
  expect((await client.get("/api/pairing")).body).toMatchObject({ open: true, paired: false });
  const { page } = await visit(browser, { url: player.url });
  await page.getByRole("main").getByRole("button", { name: "English", exact: true }).click();
  await page.getByLabel("Code or token").fill(code());
  await page.getByRole("main").getByRole("button", { name: "Unlock", exact: true }).click();
  // It has forgotten its network, too.
  await page.getByRole("heading", { level: 1, name: "Connect the player to your Wi-Fi" }).waitFor();
  expect(await storedToken(page)).toBe(await token());
});
