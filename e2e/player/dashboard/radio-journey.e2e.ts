import { launchBrowser } from "@kit/testing/browser";
import { type Icecast, type Source, startIcecast, startSource } from "@player/service/testing/icecast";
import { type LoopbackPlayer, startLoopbackPlayer } from "@player/service/testing/loopback-player";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { createPlayerClient, type PlayerClient } from "../client.ts";
import { createMpvWitness, type MpvWitness } from "../mpv-witness.ts";
import { INPUT_METHODS, touch } from "./input-methods.ts";
import { visit } from "./visit.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const MOUNT = "/quran";
const NAME = "Radio Qur'an";
const WITHIN = { timeout: 30_000 };

let browser: Browser;
let icecast: Icecast;
let source: Source;
let witness: MpvWitness;
let player: LoopbackPlayer;
let client: PlayerClient;

beforeAll(async () => {
  [browser, icecast, witness] = await Promise.all([launchBrowser(), startIcecast(), createMpvWitness()]);
  source = await startSource({ icecast, mount: MOUNT });
  player = await startLoopbackPlayer({ dashboardFolder: DASHBOARD, mpv: witness.command });
  client = await createPlayerClient(player);
  // Answered when mpv runs.
  await client.post("/api/playback/play", { url: source.url });
  await witness.watch();
});
afterAll(async () => {
  await browser.close();
  client.close();
  witness.close();
  await player.close();
  await source.stop();
  await icecast.stop();
});

const status = async () => (await client.get("/api/playback/status")).body;
const stations = async () => (await client.get("/api/radio/stations")).body.stations;

/** Waits until the position of mpv itself has advanced. */
async function waitForPlayback(): Promise<void> {
  const { length } = witness.moves;
  await expect.poll(() => witness.moves.length - length, WITHIN).toBeGreaterThan(20);
}

describe.each(select({ ci: [touch], full: INPUT_METHODS }))("radio journey with $name", (hand) => {
  beforeEach(async () => {
    await client.post("/api/playback/stop");
    for (const { id } of await stations()) await client.del(`/api/radio/stations/${id}`);
  });

  it("adds a station that drops out and reconnects without user input", async () => {
    const { page, complaints } = await visit(browser, { url: player.url, token: client.token, path: "/radio" });
    await hand.press(page.getByRole("button", { name: "Add your first station" }));
    const dialog = page.getByRole("dialog");
    await hand.type(dialog.getByLabel("Name"), NAME);
    await hand.type(dialog.getByLabel("Web address of the stream"), source.url);
    await hand.press(dialog.getByRole("button", { name: "Save" }));
    await dialog.waitFor({ state: "detached" });
    expect(await stations()).toMatchObject([{ name: NAME, url: source.url, last_ok: null }]);

    await hand.press(page.getByRole("button", { name: /^Play .*Radio Qur'an/ }));
    const now = page.getByRole("region", { name: "Now on the radio" });
    await now.getByText("Playing", { exact: true }).waitFor();
    await now.getByText(NAME).waitFor();
    await waitForPlayback();
    const { underrun_count } = await status();

    await source.stop();
    await now.getByText(/^The station is not responding\. (Trying again in \d+ seconds?|Connecting…)$/).waitFor();
    await now.getByText(/Trying again in \d+ seconds?$/).waitFor();
    expect(await status()).toMatchObject({ state: "buffering", source: { type: "stream", url: source.url } });

    source = await startSource({ icecast, mount: MOUNT });
    await now.getByText("Playing", { exact: true }).waitFor();
    await waitForPlayback();
    const back = await status();
    expect(back).toMatchObject({ state: "playing", mode: "stream", source: { type: "stream", url: source.url } });
    expect(back.underrun_count).toBeGreaterThan(underrun_count);
    expect(await stations()).toMatchObject([{ name: NAME, last_ok: expect.any(Number) }]);
    expect(complaints).toEqual([]);
  });
});
