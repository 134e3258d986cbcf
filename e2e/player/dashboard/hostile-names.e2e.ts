import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { makeCard, makeFile } from "../card.ts";
import { type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { PAGES } from "./pages.ts";
import { visit } from "./visit.ts";

/** Each would set `hit` if any of it ran. They are short enough for every name that the device stores. */
const CORPUS = [
  "<script>hit=1</script>",
  "<img src=x onerror=hit=1>",
  "<svg onload=hit=1>",
  '"><svg/onload=hit=1>',
  "'-hit=1-'",
  "javascript:hit=1",
  "<iframe srcdoc='<script>parent.hit=1'>",
  "{{hit=1}}`;hit=1;`",
  "</title><script>hit=1</script>",
  "<details open ontoggle=hit=1>",
  "<a href=javascript:hit=1>x</a>",
  "\u202e<b onmouseover=hit=1>\u2066",
] as const;

/** The pages that show names which the device stores. */
const WITH_NAMES = [
  "now",
  "library",
  "radio",
  "favorites",
  "schedules",
  "schedules-new",
  "cards",
  "cards-print",
  "settings",
  "simple",
];
const CHECKED = select({ ci: PAGES.filter(({ name }) => WITH_NAMES.includes(name)), full: PAGES });

let browser: Browser;
let player: StartedPlayer;

beforeAll(async () => {
  const card = await makeCard({ reciters: { "Mishary Alafasy": [1] } });
  for (const [at, name] of CORPUS.entries()) {
    // A slash cannot be in the name of a folder.
    const reciter = join(card, `${at}${name.replaceAll("/", "∕")}`);
    await mkdir(reciter);
    await makeFile(join(reciter, "001.mp3"), { seconds: 1 });
    await writeFile(join(card, `${at}${name.replaceAll("/", "∕")}.txt`), "x");
  }
  [player, browser] = await Promise.all([
    startPlayer(card, { PLAYER_DRIVERS: "simulated", PLAYER_LIMITS: "off" }),
    launchBrowser(),
  ]);
  await untilScanned(player.client);
  const { post } = player.client;
  const kept: number[] = [];
  const keep = async (path: string, body: object) => kept.push((await post(`/api${path}`, body)).status);
  for (const [at, name] of CORPUS.entries()) {
    await keep("/radio/stations", { name, url: `http://radio.example.com/${at}` });
    await keep("/favorites", { type: "stream", name, url: `http://radio.example.com/f${at}` });
    const target = { type: "stream", url: `http://radio.example.com/${at}`, name };
    await keep("/rfid/cards", { uid: `0400000${at.toString(16)}`, name, binding: target });
    await keep("/schedules", { name, hour: at, minute: 0, days: 127, target });
  }
  await keep("/settings", { device_name: CORPUS[1] });
  expect(new Set(kept)).toEqual(new Set([200]));
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

it.each(CHECKED.map((page, at) => ({ ...page, language: at % 2 === 0 ? ("en" as const) : ("ar" as const) })))(
  "$path executes no script in a stored name ($language)",
  async ({ path, kept, language }) => {
    const { page, complaints } = await visit(browser, {
      url: player.service.url,
      token: player.client.token,
      path,
      ...(kept && { kept }),
      language,
      width: 1280,
    });
    page.on("dialog", (dialog) => complaints.push(dialog.message()));
    await page.locator("main .waiting").first().waitFor({ state: "detached" });
    expect(await page.evaluate("typeof hit")).toBe("undefined");
    const planted = "main script, main iframe, main [onerror], main [onload], [href^='javascript:' i]";
    expect(await page.locator(planted).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

it("shows a hostile name as plain text", async () => {
  const { page } = await visit(browser, { url: player.service.url, token: player.client.token, path: "/radio" });
  for (const name of CORPUS.slice(0, 4)) await page.getByText(name, { exact: true }).first().waitFor();
});
