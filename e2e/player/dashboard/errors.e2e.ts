import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { ERROR_CODES, type ErrorCode } from "@player/service/contract/errors";
import type { Browser, WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { makeCard } from "../card.ts";
import { type StartedPlayer, startPlayer, untilScanned } from "../client.ts";
import { execute } from "../simulator.ts";
import { PAGES } from "./pages.ts";
import { seed } from "./seed.ts";
import { visit } from "./visit.ts";

const RECITER = "Mishary Alafasy";
const LANGUAGES = ["en", "ar"] as const;
type Language = (typeof LANGUAGES)[number];

/** The beginning of each notice. A code without a row here does not compile. */
const NOTICES: Readonly<Record<ErrorCode, Readonly<Record<Language, string>>>> = {
  adhan: { en: "The adhan could not be played as set.", ar: "تعذّر تشغيل الأذان كما ضُبط." },
  audio: { en: "No sound: the sound output stopped working.", ar: "لا صوت: توقّف مخرج الصوت عن العمل." },
  card: { en: "The memory card was removed.", ar: "أُخرجت بطاقة الذاكرة." },
  file: { en: "This recording cannot be played.", ar: "تعذّر تشغيل هذا التسجيل." },
  nfc: { en: "The card that was tapped could not", ar: "تعذّر على البطاقة الملموسة" },
  power: { en: "The player could not go to sleep.", ar: "تعذّر إدخال المشغّل في وضع النوم." },
  storage: { en: "The player cannot save:", ar: "تعذّر الحفظ:" },
  stream: { en: "The station cannot be reached.", ar: "تعذّر الاتصال بالإذاعة." },
  token: { en: "Many wrong tokens were tried", ar: "جُرّبت رموز خاطئة كثيرة" },
  wifi: { en: "The player could not connect to the Wi-Fi network.", ar: "تعذّر اتصال المشغّل بشبكة الواي فاي." },
};
/** The errors that explain why nothing plays, or not as expected. */
const KEPT: readonly ErrorCode[] = ["adhan", "audio", "card", "file", "storage", "stream"];

const clock = createClock();
const SOME_PAGES = { en: ["now", "settings-wifi"], ar: ["library-reciter", "simple-entered"] };
const listChecked = (language: Language) =>
  select({ ci: PAGES.filter(({ name }) => SOME_PAGES[language].includes(name)), full: PAGES });

let browser: Browser;
let player: StartedPlayer;

beforeAll(async () => {
  const card = await makeCard({ reciters: { [RECITER]: [1, 18, 36, 50, 67] }, seconds: 60 });
  await writeFile(join(card, RECITER, "050.mp3"), "this is no audio ".repeat(1000));
  [player, browser] = await Promise.all([
    startPlayer(card, { PLAYER_DRIVERS: "simulated", PLAYER_LIMITS: "off" }),
    launchBrowser(),
  ]);
  await untilScanned(player.client);
  await seed(player.client);
});
afterAll(async () => {
  await browser.close();
  await player.service.stop();
});

const status = async () => (await player.client.get("/api/playback/status")).body;

/** Opens a page whose socket passes through the test, which can inject frames as if the device had sent them. */
async function openPage(path: string, language: Language, kept?: Readonly<Record<string, string>>) {
  const routes: WebSocketRoute[] = [];
  const { page, complaints } = await visit(browser, {
    url: player.service.url,
    token: player.client.token,
    path,
    language,
    ...(kept && { kept }),
    prepare: (opened) =>
      opened.routeWebSocket(/\/ws$/, (route) => {
        route.connectToServer();
        routes.push(route);
      }),
  });
  const fail = (code: ErrorCode) => {
    const frame = { type: "error", seq: 1, ts: clock.now().getTime(), data: { code, message: "for logs" } };
    routes.at(-1)?.send(JSON.stringify(frame));
  };
  await page.locator("main .waiting").first().waitFor({ state: "detached" });
  return { page, complaints, fail };
}

describe.each(LANGUAGES)("device errors in %s", (language) => {
  it.each(listChecked(language))("explains every error of the device on the page $name", async ({ path, kept }) => {
    const { page, complaints, fail } = await openPage(path, language, kept);
    for (const code of ERROR_CODES) {
      fail(code);
      await page.locator(".notice", { hasText: NOTICES[code][language] }).waitFor();
      expect(await page.locator(".notice").last().textContent()).not.toContain("for logs");
    }
    expect(complaints).toEqual([]);
  });

  it("keeps a playback error on the page Now until something else plays", async () => {
    await player.client.post("/api/playback/stop");
    const { page, fail } = await openPage("/", language);
    const kept = page.locator(".playback-error");
    for (const code of KEPT) {
      fail(code);
      await kept.getByText(NOTICES[code][language]).waitFor();
    }
    fail("token");
    await page.locator(".notice", { hasText: NOTICES.token[language] }).waitFor();
    await kept.getByText(NOTICES.stream[language]).waitFor();
    await player.client.post("/api/playback/play", { path: `${RECITER}/018.mp3` });
    await kept.waitFor({ state: "detached" });
  });
});

it("reports a broken file on the page that selected it and on a page opened later", async () => {
  await player.client.post("/api/playback/stop");
  const { page } = await visit(browser, {
    url: player.service.url,
    token: player.client.token,
    path: `/library/${encodeURIComponent(RECITER)}`,
  });
  const row = page.getByRole("button", { name: /^Play 50/ });
  for (let tap = 0; tap < 4; tap += 1) {
    await row.click();
    await page.locator(".notice", { hasText: NOTICES.file.en }).waitFor();
    await expect.poll(async () => (await status()).state).toBe("stopped");
    await page.getByText("Playing now").waitFor({ state: "detached" });
    expect(await page.locator(".now-bar").count()).toBe(0);
    await page.getByRole("button", { name: "Dismiss" }).first().click();
  }
  const later = await visit(browser, { url: player.service.url, token: player.client.token });
  await later.page.locator(".playback-error", { hasText: NOTICES.file.en }).waitFor();
});

it("reports that playback stopped because the memory card was removed", async () => {
  await player.client.post("/api/playback/play", { path: `${RECITER}/018.mp3` });
  const { page } = await visit(browser, { url: player.service.url, token: player.client.token });
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await execute(player.service, { eject: true });
  await page.locator(".playback-error", { hasText: NOTICES.card.en }).waitFor();
});
