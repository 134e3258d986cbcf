import { launchBrowser } from "@kit/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { count } from "../../counts.ts";
import { makeCard } from "../card.ts";
import { hearFile, type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { visit } from "./visit.ts";

const DRAG_MS = count({ ci: 4000, full: 10_000 });

let browser: Browser;
let player: StartedPlayer;

beforeAll(async () => {
  const card = await makeCard({ reciters: { Husary: [1] }, seconds: 60 });
  [player, browser] = await Promise.all([startPlayer(card), launchBrowser()]);
  await untilScanned(player.client);
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

it("keeps the volume within the device's limit while the slider is dragged, and ends at the released value", async () => {
  await player.client.post("/api/prayer/config", { lat: 51.51, lng: -0.13 });
  await hearFile(player.client, "Husary/001.mp3");
  const { page } = await visit(browser, { url: player.service.url, token: player.client.token });
  const answers: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/playback/volume")) answers.push(response.status());
  });
  const slider = page.getByRole("slider", { name: "Volume" });
  const box = await slider.boundingBox();
  if (!box) throw new Error("the slider is not on the page");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, middle);
  await page.mouse.down();
  const end = performance.now() + DRAG_MS;
  while (performance.now() < end) {
    const share = 0.5 + 0.4 * Math.sin((end - performance.now()) / 300);
    await page.mouse.move(box.x + box.width * share, middle);
    await page.waitForTimeout(15);
  }
  await page.mouse.move(box.x + box.width * 0.3, middle);
  await page.mouse.up();
  const shown = Number(await slider.inputValue());
  await expect.poll(async () => (await player.client.get("/api/playback/status")).body.volume).toBe(shown);
  await page.waitForTimeout(1500);
  expect(Number(await slider.inputValue())).toBe(shown);
  expect(shown).toBeGreaterThan(15);
  expect(shown).toBeLessThan(45);
  expect(new Set(answers)).toEqual(new Set([200]));
  console.info(`${answers.length} requests for ${DRAG_MS / 1000} s of dragging`);
  expect(answers.length).toBeGreaterThan(2);
});
