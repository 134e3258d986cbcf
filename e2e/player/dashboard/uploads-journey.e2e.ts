import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "@kit/testing/browser";
import { makeMp3 } from "@player/service/testing/audio-bytes";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { makeCard, makeFile } from "../card.ts";
import { type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { axeFindings, cutOff, smallTargets } from "./audit.ts";
import { INPUT_METHODS, touch } from "./input-methods.ts";
import { visit } from "./visit.ts";

const RECITER = "Mahmoud Khalil Al-Husary";
const MIB = 1024 * 1024;
const PICTURES = process.env.PICTURES;

let browser: Browser;
let player: StartedPlayer;
let card: string;
/** A folder of the owner's computer. */
let folder: string;

beforeAll(async () => {
  card = await makeCard({ reciters: { [RECITER]: [1, 18] } });
  folder = await mkdtemp(join(tmpdir(), "recitations-"));
  await makeFile(join(folder, "Ya-Sin - Husary.mp3"), { seconds: 20 });
  await makeFile(join(folder, "067.m4a"), { seconds: 20 });
  await makeFile(join(folder, "Adhan Makkah.ogg"), { seconds: 5 });
  await makeFile(join(folder, "018 Al-Kahf.mp3"), { seconds: 20 });
  await writeFile(join(folder, "112.mp3"), "<!doctype html> not audio at all".repeat(50));
  await writeFile(join(folder, "002 long.mp3"), makeMp3(20 * MIB, 2));
  [player, browser] = await Promise.all([startPlayer(card, { PLAYER_LIMITS: "off" }), launchBrowser()]);
  await untilScanned(player.client);
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

const open = (path: string, language: "en" | "ar" = "en", width = 360) =>
  visit(browser, { url: player.service.url, token: player.client.token, path, language, width });

async function choose(page: Page, field: Locator, names: readonly string[], hand = touch): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await hand.press(field);
  await (await choosing).setFiles(names.map((name) => join(folder, name)));
}

const chooser = (page: Page) => page.getByLabel("Choose files");
const row = (page: Page, name: string | RegExp) => page.locator(".queued").filter({ hasText: name });
const status = async () => (await player.client.get("/api/playback/status")).body;
const surahs = async (reciter: string) =>
  (await player.client.get(`/api/library/surahs?reciter=${encodeURIComponent(reciter)}`)).body;

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

async function audit(page: Page): Promise<void> {
  const findings = { axe: await axeFindings(page), small: await smallTargets(page), cut: await cutOff(page) };
  expect(findings).toEqual({ axe: [], small: [], cut: [] });
}

/** Makes the connection as slow as a phone far from the router. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

describe.each(select({ ci: [touch], full: INPUT_METHODS }))("upload journey with $name", (hand) => {
  it("uploads two recitations from the library page and plays one", async () => {
    for (const name of ["036.mp3", "067.m4a"]) await rm(join(card, RECITER, name), { force: true });
    const { page, complaints } = await open("/library");
    await hand.press(page.getByRole("link", { name: "Add recitations" }));
    await choose(page, chooser(page), ["Ya-Sin - Husary.mp3", "067.m4a"], hand);
    await page.getByText("Check what each file is").waitFor();
    expect(await page.getByLabel("Reciter", { exact: true }).first().inputValue()).toBe(RECITER);
    expect(await page.getByLabel("Surah", { exact: true }).first().inputValue()).toBe("36");
    expect(await page.getByLabel("Surah", { exact: true }).last().inputValue()).toBe("67");
    await hand.type(page.getByLabel("Reciter of all files"), RECITER);
    await hand.press(page.getByRole("button", { name: "Add 2 files to the card" }));
    await row(page, "Ya-Sin").getByText("On the card").waitFor();
    await row(page, "Al-Mulk").getByText("On the card").waitFor();
    await expect.poll(async () => (await surahs(RECITER)).paths[66], { timeout: 2000 }).toBe(`${RECITER}/067.m4a`);
    await hand.press(row(page, "Ya-Sin").getByRole("button", { name: "Play" }));
    await expect.poll(status).toMatchObject({ state: "playing", surah_number: 36, reciter: RECITER });
    const sent = await readFile(join(folder, "Ya-Sin - Husary.mp3"));
    expect((await readFile(join(card, RECITER, "036.mp3"))).equals(sent)).toBe(true);
    await player.client.post("/api/playback/stop");
    expect(complaints).toEqual([]);
  });

  it("uploads an adhan from the prayer page and uses it", async () => {
    await rm(join(card, "Adhan"), { recursive: true, force: true });
    await player.client.post("/api/prayer/config", { lat: 51.51, lng: -0.13, adhan: { path: "", fajr_path: "" } });
    const { page, complaints } = await open("/prayer");
    await hand.press(page.getByRole("link", { name: "Add an adhan" }));
    await choose(page, chooser(page), ["Adhan Makkah.ogg"], hand);
    await hand.press(page.getByRole("button", { name: "Add 1 file to the card" }));
    await hand.press(page.getByRole("button", { name: "Use as the adhan" }));
    await page.getByText("This is now the adhan.").waitFor();
    await hand.press(page.getByRole("button", { name: "Use for Fajr" }));
    const adhan = async () => (await player.client.get("/api/prayer")).body;
    await expect.poll(async () => (await adhan()).config.adhan.fajr_path).toBe("Adhan/Adhan Makkah.ogg");
    expect(await adhan()).toMatchObject({ config: { adhan: { path: "Adhan/Adhan Makkah.ogg" } } });
    expect((await adhan()).extra.adhan_file_ok).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("renames and deletes a file of the card", async () => {
    await makeFile(join(card, "Minshawi", "003.mp3"), { seconds: 2 });
    const { page, complaints } = await open("/uploads");
    await hand.press(page.getByRole("button", { name: "Memory card" }));
    await hand.press(page.getByRole("button", { name: /Open .*Minshawi/ }));
    await hand.press(page.getByRole("button", { name: /Rename .*003\.mp3/ }));
    await hand.type(page.getByLabel("New name"), "004.mp3");
    await hand.press(page.getByRole("button", { name: "Save" }));
    await page.getByRole("button", { name: /Rename .*004\.mp3/ }).waitFor();
    await hand.press(page.getByRole("button", { name: /Delete: .*004\.mp3/ }));
    await hand.press(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await page.getByText("Nothing here.").waitFor();
    expect(complaints).toEqual([]);
  });
});

it("continues after a reload when the same file is selected again", async () => {
  const { page } = await open("/uploads");
  await slowDown(page, 6 * MIB);
  await choose(page, chooser(page), ["002 long.mp3"]);
  await page.getByRole("button", { name: "Add 1 file to the card" }).click();
  const unfinished = async () =>
    (await player.client.ask({ method: "GET", path: "/api/uploads", headers: bearer() })).body.uploads;
  await expect.poll(async () => (await unfinished())[0]?.offset ?? 0).toBeGreaterThan(0);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText("Unfinished").waitFor();
  const [{ id, offset }] = await unfinished();
  expect(offset).toBeGreaterThan(0);
  await choose(page, chooser(page), ["002 long.mp3"]);
  await page.getByRole("button", { name: "Add 1 file to the card" }).click();
  await row(page, "Al-Baqarah").getByText("On the card").waitFor();
  expect(
    (await player.client.ask({ method: "GET", path: `/api/uploads/${id}`, headers: bearer() })).body,
  ).toMatchObject({ complete: true, path: `${RECITER}/002.mp3` });
  const [sent, kept] = await Promise.all([
    readFile(join(folder, "002 long.mp3")),
    readFile(join(card, RECITER, "002.mp3")),
  ]);
  expect(kept.equals(sent)).toBe(true);
  expect(await page.getByText("Unfinished").count()).toBe(0);
});

const bearer = () => ({ authorization: `Bearer ${player.client.token}` });

it("pauses, continues and cancels an upload, and keeps sending while another page is open", async () => {
  await rm(join(card, RECITER, "002.mp3"), { force: true });
  const { page, complaints } = await open("/uploads");
  await slowDown(page, 4 * MIB);
  await choose(page, chooser(page), ["002 long.mp3"]);
  await page.getByRole("button", { name: "Add 1 file to the card" }).click();
  await row(page, "Al-Baqarah")
    .getByText(/ of 20 megabytes/)
    .waitFor();
  await row(page, "Al-Baqarah")
    .getByRole("button", { name: /^Pause/ })
    .click();
  await row(page, "Al-Baqarah").getByText("Paused").waitFor();
  await row(page, "Al-Baqarah")
    .getByRole("button", { name: /^Continue/ })
    .click();
  await page.getByRole("link", { name: "Now" }).first().click();
  await page.getByRole("link", { name: "More" }).first().click();
  await page.getByRole("link", { name: "Add recitations" }).click();
  await row(page, "Al-Baqarah")
    .getByText(/ of 20 megabytes/)
    .waitFor();
  await row(page, "Al-Baqarah")
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await expect.poll(() => row(page, "Al-Baqarah").count()).toBe(0);
  const left = async () =>
    (await player.client.ask({ method: "GET", path: "/api/uploads", headers: bearer() })).body.uploads.length;
  await expect.poll(left).toBe(0);
  await expect.poll(async () => (await surahs(RECITER)).paths[1]).toBeNull();
  // The device may not know yet that the paused request has ended, or no longer know the cancelled one, and the browser logs
  // that refusal.
  expect(complaints.filter((complaint) => !/\b40[049]\b/.test(complaint))).toEqual([]);
});

const ENGLISH_PHONE = ["en", 360] as const;
const ARABIC_COMPUTER = ["ar", 1280] as const;

it.each(
  select<readonly ["en" | "ar", number]>({
    ci: [ARABIC_COMPUTER],
    full: [ENGLISH_PHONE, ["en", 1280], ["ar", 360], ARABIC_COMPUTER],
  }),
)(
  "says plainly in %s, at %i pixels, what the player refuses, and replaces a file when asked",
  async (language, width) => {
    const { page } = await open("/uploads", language, width);
    await choose(page, page.locator("input[type=file]"), ["018 Al-Kahf.mp3", "112.mp3", "Adhan Makkah.ogg"]);
    await page.locator(".draft").nth(2).waitFor();
    await audit(page);
    await picture(page, `uploads-check-${language}-${width}`);
    const field = page.locator(".stack > .field input");
    await field.fill(RECITER);
    await page.locator(".draft").nth(2).locator("button").click();
    await page.locator(".actions .button-primary").click();
    await page.locator(".queued-refused").nth(1).waitFor();
    const words = {
      en: ["It is on the card already", "cannot play this file"],
      ar: ["هو على البطاقة من قبل", "ليس هذا صوتًا"],
    };
    for (const said of words[language]) await page.getByText(said).waitFor();
    await audit(page);
    await picture(page, `uploads-refused-${language}-${width}`);
    await page.locator(".queued-refused").first().locator(".actions .button").click();
    await page.locator(".queued-done").waitFor();
    await audit(page);
    await picture(page, `uploads-done-${language}-${width}`);
  },
);
