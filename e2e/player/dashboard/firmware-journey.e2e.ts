import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { type LoopbackOptions, startLoopbackPlayer } from "@player/service/testing/loopback-player";
import { type RaucBench, startRaucBench } from "@player/service/testing/rauc-bench";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { select } from "../../counts.ts";
import { createPlayerClient } from "../client.ts";
import { INPUT_METHODS, type InputMethod, keyboard, touch } from "./input-methods.ts";
import { visit } from "./visit.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const OLD = "1.0.0";
const NEW = "2.0.0";
/** Slow enough for the page to show how much has been sent. */
const UPLOAD_BYTES_PER_S = 700_000;
const TRIAL_MS = 120_000;
/** Ends with the next try of the checks, at the sixth second; a page looks for its device at least every fifth. */
const SHORT_TRIAL_MS = 4500;
const UNREACHABLE = "The player is not responding.";

const realClock = createClock();
const clock = {
  ...realClock,
  deadline: (ms: number) => realClock.deadline(ms === TRIAL_MS ? SHORT_TRIAL_MS : ms),
};
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A device whose firmware is in the slots of the bench. */
async function startDevice() {
  const bench = await startRaucBench();
  onTestFinished(() => bench.close());
  const start = (options: LoopbackOptions) =>
    startLoopbackPlayer({ ...options, dashboardFolder: DASHBOARD, clock, parts: { updater: bench.createUpdater() } });
  let player = await start({ version: OLD });
  onTestFinished(() => player.close());
  const client = await createPlayerClient(player);
  onTestFinished(() => client.close());
  return {
    bench,
    client,
    url: player.url,
    turnOff: () => player.close(),
    turnOn: async (options: Pick<LoopbackOptions, "version" | "mpv">): Promise<void> => {
      player = await start({ ...options, again: player });
    },
  };
}

/** The update texts on the page at one moment. */
interface UpdateTexts {
  title: string;
  percent: string;
  sending: string;
}

interface Listener {
  titles: () => string[];
  percents: () => number[];
  sendings: () => string[];
}

const READ_ALOUD = `{
  const textOf = (selector) => document.querySelector(selector)?.textContent ?? "";
  const say = () => record(textOf(".update-title"), textOf(".update-percent"), textOf("[role=progressbar] + p"));
  const whatever = { subtree: true, childList: true, characterData: true };
  new MutationObserver(say).observe(document.body, whatever);
  say();
}`;

/** Records every update text of the page from now on, also after the page has reloaded for another version. */
async function listen(page: Page): Promise<Listener> {
  const sayings: UpdateTexts[] = [];
  await page.exposeFunction("record", (title: string, percent: string, sending: string) => {
    sayings.push({ title, percent, sending });
  });
  page.on("domcontentloaded", () => page.evaluate(READ_ALOUD));
  await page.evaluate(READ_ALOUD);
  const each = (key: keyof UpdateTexts) =>
    sayings
      .map((saying) => saying[key])
      .filter((text) => text !== "")
      .filter((text, at, all) => text !== all[at - 1]);
  return {
    titles: () => each("title"),
    percents: () => each("percent").map(Number.parseFloat),
    sendings: () => each("sending"),
  };
}

/** Until the device restarts with what was sent. */
async function send(page: Page, hand: InputMethod, bench: RaucBench): Promise<void> {
  const bundle = await bench.bundle({ version: NEW });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: UPLOAD_BYTES_PER_S,
  });
  const choosing = page.waitForEvent("filechooser");
  await hand.press(page.getByLabel("Update file"));
  await (await choosing).setFiles(bundle);
  const restarted = bench.restarted();
  await hand.press(page.getByRole("button", { name: "Send to the player" }));
  await page.getByRole("progressbar", { name: "Send to the player" }).waitFor();
  await restarted;
  await page.getByText("Restarting").waitFor();
}

/** The browser logs an error while the device is unreachable. */
const isOfAbsence = (complaint: string) => complaint.includes("WebSocket connection to");

const BEFORE_RESTART = [
  "No update in progress",
  "Receiving the file",
  "Checking the update",
  "Installing the update",
  "Restarting",
];

describe.each(select({ ci: [keyboard], full: INPUT_METHODS }))("firmware journey with $name", (hand) => {
  it("shows why the previous version was restored after a firmware that cannot play", async () => {
    const { bench, client, url, turnOff, turnOn } = await startDevice();
    const { page, complaints } = await visit(browser, { url, token: client.token, path: "/settings/update" });
    await page.getByText(`Current version: ${OLD}`).waitFor();
    const recorded = await listen(page);
    await send(page, hand, bench);
    await expect.poll(recorded.titles).toEqual(BEFORE_RESTART);
    expect(recorded.sendings()).toContainEqual(expect.stringMatching(/^[\d.]+ .* of 1[\d.]* .* sent$/));
    const percents = recorded.percents();
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    expect(percents.length).toBeGreaterThan(5);
    expect(percents.at(-1)).toBe(90);

    const goesBack = bench.restarted();
    await turnOff();
    await turnOn({ version: NEW, mpv: "/nowhere/mpv" });
    await page.getByText("Testing the new version").waitFor();
    await page.getByText(`Current version: ${NEW}`).waitFor();
    expect((await bench.updater.running()).slot).toBe("rootfs.1");
    await goesBack;
    await page.getByText("Restarting").waitFor();
    await turnOff();
    await turnOn({ version: OLD });

    await page.getByText("The previous version was restored").waitFor();
    const state = page.getByRole("region", { name: "Status" });
    await state.getByText("Reason: audio: mpv is not installed").waitFor();
    await state.getByText(`Current version, unchanged: ${OLD}`).waitFor();
    await expect
      .poll(recorded.titles)
      .toEqual([...BEFORE_RESTART, "Testing the new version", "Restarting", "The previous version was restored"]);
    expect((await client.get("/api/ota/status")).body).toMatchObject({
      in_progress: false,
      status: "rolled_back",
      error: "audio: mpv is not installed",
    });
    expect((await bench.updater.running()).slot).toBe("rootfs.0");
    expect(await bench.nextSlot()).toBe("A");
    expect(complaints.filter((complaint) => !isOfAbsence(complaint))).toEqual([]);
  });
});

it("installs and keeps a good firmware by touch", async () => {
  const { bench, client, url, turnOff, turnOn } = await startDevice();
  const { page, complaints } = await visit(browser, { url, token: client.token, path: "/settings/update" });
  const recorded = await listen(page);
  await send(page, touch, bench);
  await turnOff();
  await page.getByText(UNREACHABLE).waitFor();
  await turnOn({ version: NEW });
  await page.getByText("Update complete").waitFor();
  await page.getByText(`Updated from version ${OLD} to version ${NEW}.`).waitFor();
  expect(await page.getByText(UNREACHABLE).count()).toBe(0);
  expect(recorded.titles().slice(0, BEFORE_RESTART.length)).toEqual(BEFORE_RESTART);
  expect((await client.get("/api/ota/status")).body).toMatchObject({ status: "success", error: "" });
  expect((await client.get("/api/system")).body).toMatchObject({ version: NEW });
  expect((await bench.updater.running()).slot).toBe("rootfs.1");
  expect(await bench.nextSlot()).toBe("B");
  expect(complaints.filter((complaint) => !isOfAbsence(complaint))).toEqual([]);
});
