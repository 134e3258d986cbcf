import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { type LoopbackPlayer, startLoopbackPlayer } from "@player/service/testing/loopback-player";
import { startVirtualReader, type VirtualReader } from "@player/service/testing/virtual-reader";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { makeCard } from "../card.ts";
import { createPlayerClient, type PlayerClient, untilScanned } from "../client.ts";
import { INPUT_METHODS, keyboard } from "./input-methods.ts";
import { visit } from "./visit.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const RECITER = "Mishary Alafasy";
const UID = "04A1B2C3D4E5F6";
const WITHIN = { timeout: 30_000 };
/** A card that is missing for less than a second has only moved, and pcscd polls a few times per second. */
const LIFTED_MS = 2500;

const clock = createClock();
let browser: Browser;
let reader: VirtualReader;
let player: LoopbackPlayer;
let client: PlayerClient;

beforeAll(async () => {
  const cardFolder = await makeCard({ reciters: { [RECITER]: [1, 36, 67], Husary: [36] }, seconds: 60 });
  [browser, reader] = await Promise.all([launchBrowser(), startVirtualReader()]);
  player = await startLoopbackPlayer({ cardFolder, dashboardFolder: DASHBOARD, pcscdSocket: reader.socketPath });
  client = await createPlayerClient(player);
  await untilScanned(client);
});
afterAll(async () => {
  await browser.close();
  client.close();
  await player.close();
  await reader.stop();
});

const status = async () => (await client.get("/api/playback/status")).body;
const cards = async () => {
  const headers = { authorization: `Bearer ${client.token}` };
  return (await client.ask({ method: "GET", path: "/api/rfid/cards", headers })).body.cards;
};

describe.each(select({ ci: [keyboard], full: INPUT_METHODS }))("card journey with $name", (hand) => {
  beforeEach(async () => {
    reader.remove();
    await client.del(`/api/rfid/cards/${UID}`);
    await client.post("/api/playback/stop");
  });

  it("registers a card for a surah, and the card plays it", async () => {
    const { page, complaints } = await visit(browser, { url: player.url, token: client.token, path: "/cards" });
    await page.getByText("No cards yet").waitFor();
    await hand.press(page.getByRole("button", { name: "Add a card" }));
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Waiting for a card…").waitFor();
    reader.place(UID);
    await dialog.getByText("Card number").waitFor();
    expect(await dialog.getByText("Card number").textContent()).toContain("04 A1 B2 C3 D4 E5 F6");
    await hand.type(dialog.getByLabel("Name"), "Ya-Sin for Maryam");
    await hand.choose(dialog.getByLabel("Reciter"), RECITER);
    await hand.choose(dialog.getByRole("combobox", { name: "Surah" }), "36. Ya-Sin");
    await hand.choose(dialog.getByLabel("When the card is removed"), "Pause");
    await hand.press(dialog.getByRole("button", { name: "Save" }));
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Card saved.").waitFor();
    await page.getByRole("heading", { name: "Ya-Sin for Maryam" }).waitFor();
    expect(await cards()).toMatchObject([
      {
        uid: UID,
        name: "Ya-Sin for Maryam",
        on_remove: "pause",
        binding: { type: "surah", reciter: RECITER, surah: 36 },
      },
    ]);
    expect(await status()).toMatchObject({ state: "stopped" });

    reader.remove();
    await clock.sleep(LIFTED_MS);
    reader.place(UID);
    await expect.poll(status, WITHIN).toMatchObject({ state: "playing", surah_number: 36, reciter: RECITER });
    await expect.poll(async () => (await status()).position, WITHIN).toBeGreaterThan(0);
    await page.getByText("Last tapped").waitFor();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("link", { name: `Ya-Sin ${RECITER}` }).waitFor();

    reader.remove();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    expect(await status()).toMatchObject({ state: "paused", surah_number: 36 });
    expect(complaints).toEqual([]);
  });
});
