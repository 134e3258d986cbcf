import { launchBrowser } from "@kit/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { makeCard } from "../card.ts";
import { type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { INPUT_METHODS, keyboard } from "./input-methods.ts";
import { visit } from "./visit.ts";

const RECITER = "Mishary Alafasy";

let browser: Browser;
let player: StartedPlayer;

beforeAll(async () => {
  const card = await makeCard({ reciters: { [RECITER]: [1, 18, 36, 67, 112, 113, 114] }, seconds: 2 });
  [player, browser] = await Promise.all([startPlayer(card, { PLAYER_LIMITS: "off" }), launchBrowser()]);
  await untilScanned(player.client);
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

const status = async () => (await player.client.get("/api/playback/status")).body;
const prayer = async () => (await player.client.get("/api/prayer")).body;
const open = (path: string, language: "en" | "ar" = "en") =>
  visit(browser, { url: player.service.url, token: player.client.token, path, language });

describe.each(select({ ci: [keyboard], full: INPUT_METHODS }))("player journeys with $name", (hand) => {
  beforeEach(async () => {
    await player.client.post("/api/playback/stop");
    await player.client.post("/api/playback/mode", { mode: "off" });
  });

  it("finds and plays a surah in Arabic", async () => {
    const { page, complaints } = await open("/library", "ar");
    await hand.press(page.getByRole("link", { name: new RegExp(RECITER) }));
    await hand.type(page.getByRole("searchbox"), "الاخلاص");
    await hand.press(page.getByRole("button", { name: /الإخلاص/ }).first());
    await expect.poll(status).toMatchObject({ state: "playing", surah_number: 112, reciter: RECITER });
    expect(complaints).toEqual([]);
  });

  it("repeats a range with a pause for reciting", async () => {
    const { page, complaints } = await open("/hifz");
    await hand.press(page.getByRole("radio", { name: "Several surahs" }));
    await hand.choose(page.getByLabel("From surah"), (await labelOf(page, "From surah", 112)) ?? "");
    await hand.choose(page.getByLabel("To surah"), (await labelOf(page, "To surah", 114)) ?? "");
    await hand.press(page.getByRole("group", { name: /^Repeat/ }).getByRole("radio", { name: "3", exact: true }));
    // The second of the two steppers is the pause; ten seconds are too long for a test.
    await hand.press(page.getByRole("button", { name: "Less: Exactly" }).last());
    await hand.press(page.getByRole("button", { name: "Start", exact: true }));
    await expect.poll(status).toMatchObject({
      state: "playing",
      surah_number: 112,
      advance_mode: "hifz_ab",
      hifz: { pause_s: 5, ab_start: 112, ab_end: 114 },
    });
    await page.getByText("Current drill").waitFor();
    await expect.poll(async () => (await status()).hifz.waiting, { timeout: 10_000 }).toBe(true);
    await page
      .getByText(/Your turn/)
      .first()
      .waitFor();
    await expect.poll(async () => (await status()).hifz.repeat_done, { timeout: 10_000 }).toBe(1);
    await hand.press(page.getByRole("button", { name: "End the drill" }));
    await expect.poll(status).toMatchObject({ advance_mode: "off" });
    expect(complaints).toEqual([]);
  });

  it("moves the player to another city", async () => {
    await player.client.post("/api/prayer/config", { lat: 30.04, lng: 31.24, method: 2 });
    const { page, complaints } = await open("/prayer");
    await hand.press(page.getByRole("button", { name: "Change location" }));
    const dialog = page.getByRole("dialog");
    await hand.type(dialog.getByRole("searchbox"), "lond");
    await hand.press(dialog.getByRole("button", { name: /London/ }).first());
    await hand.press(dialog.getByRole("button", { name: "Use this location" }));
    await expect.poll(async () => (await prayer()).config.lat).toBeCloseTo(51.5, 0);
    const { times, timezone } = await prayer();
    expect(timezone).toBe("GMT0BST,M3.5.0/1,M10.5.0");
    await page.getByText(/Prayer times are now for London/).waitFor();
    await page.getByText(/In use: Seventh of the night/).waitFor();
    expect(times.fajr).toMatch(/^0[3-6]:/);
    expect(complaints).toEqual([]);
  });

  it("schedules a recitation twenty minutes before Fajr", async () => {
    await player.client.post("/api/prayer/config", { lat: 51.51, lng: -0.13 });
    for (const { id } of (await player.client.get("/api/schedules")).body.schedules) {
      await player.client.del(`/api/schedules/${id}`);
    }
    const { page, complaints } = await open("/schedules");
    await hand.press(
      page.getByRole("button", { name: "Add a schedule" }).or(page.getByRole("link", { name: "Add a schedule" })),
    );
    await hand.press(page.getByRole("radio", { name: "At a prayer" }));
    await hand.choose(page.getByLabel("Prayer", { exact: true }), "Fajr");
    await hand.press(page.getByRole("radio", { name: "Before" }));
    await hand.choose(page.getByRole("combobox", { name: "Surah" }), (await labelOf(page, "Surah", 67)) ?? "");
    await hand.press(page.getByRole("button", { name: "Save" }));
    await page.getByText("20 minutes before Fajr").first().waitFor();
    const { schedules } = (await player.client.get("/api/schedules")).body;
    expect(schedules).toMatchObject([
      { anchor: { prayer: 0, offset_min: -20 }, days: 127, target: { type: "surah", surah: 67, reciter: RECITER } },
    ]);
    expect(complaints).toEqual([]);
  });
});

/** The label of this surah in the list. */
function labelOf(
  page: Awaited<ReturnType<typeof open>>["page"],
  list: string,
  surah: number,
): Promise<string | undefined> {
  return page
    .getByRole("combobox", { name: list, exact: true })
    .evaluate(
      (select: HTMLSelectElement, value) => [...select.options].find((option) => option.value === value)?.label,
      String(surah),
    );
}
