import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { checkSpeed } from "@kit/testing/speed";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { beforeAll, describe, expect, it } from "vitest";
import { buildInputs, LISTENING, RECITING } from "../../testing/screen-inputs.ts";
import { encodeBmp } from "./bmp.ts";
import { chooseScreen, type ScreenInputs } from "./choose-screen.ts";
import { SCREEN_HEIGHT, SCREEN_WIDTH } from "./display.ts";
import { openPainter, type Painter } from "./painter.ts";
import type { ScreenModel } from "./screen-model.ts";
import type { Language } from "./words.ts";

// PICTURES=update writes the pictures of the documentation; PROVE=full draws 10,000 frames.
const isUpdate = process.env.PICTURES === "update";
const FRAMES = process.env.PROVE === "full" ? 10_000 : 300;
const PICTURES = new URL("../../../../docs/pictures/", import.meta.url);
const LANGUAGES: readonly Language[] = ["en", "ar"];

const BACKGROUND = [0x0a, 0x0e, 0x13] as const;
const TEXT = [0xf6, 0xf2, 0xe7] as const;
const ACCENT = [0xf0, 0xbd, 0x4f] as const;

const AB = { repeat_done: 3, repeat_target: 10, pause_s: 15, waiting: false, ab_start: 78, ab_end: 114 };
const DRILL = { ...RECITING, surah_number: 78, position: 62_000, duration: 240_000, hifz: AB };
const NEW = { url: `https://manara.local/#${"c0ffee42".repeat(8)}`, open: undefined };
const PAIRING = { ...NEW, open: { code: "804213", left_s: 290 } };

const SCREENS: Readonly<Record<string, Partial<ScreenInputs>>> = {
  "now-playing": { playback: RECITING },
  idle: {},
  hifz: { playback: DRILL },
  adhan: { adhan: "maghrib" },
  buffering: {
    playback: { ...LISTENING, state: "buffering", retry_in_s: 4 },
    stream_name: "Holy Quran Radio, Cairo",
  },
  card: { card: { uid: "04A1B2C3D4E5F6", age_ms: 100 } },
  update: { ota: { in_progress: true, progress: 62, status: "installing" } },
  setup: { access_point: { ssid: "Manara set-up", url: "https://10.42.0.1:8443/" }, is_set_up: false },
  failures: {
    boot_failures: [
      { component: "nfc", error: "nfc: no reader is connected" },
      { component: "rtc", error: "rtc: the clock chip does not answer" },
    ],
    age_ms: 0,
  },
};

const LONG = "Abdul Rahman ibn Abdul Aziz As-Sudais, Imam of the Grand Mosque of Mecca, recording of 1425";
const LONG_ARABIC = "عبد الرحمن بن عبد العزيز السديس إمام وخطيب المسجد الحرام بمكة المكرمة ورئيس شؤون الحرمين";
const GAP = { ...AB, repeat_done: 1000, repeat_target: 1000, pause_s: 600, waiting: true, gap_left_s: 600 };

/** Unusual content, and the other variants of a screen. */
const OTHERS: Readonly<Record<string, Partial<ScreenInputs>>> = {
  paused: { playback: { ...RECITING, state: "paused", surah_number: 83, duration: 36_000_000, position: 35_999_000 } },
  live: { playback: { ...LISTENING, title: "Surah Maryam" }, stream_name: "Holy Quran Radio, Cairo" },
  "long reciter": { playback: { ...RECITING, reciter: LONG, surah_number: 23 } },
  "long Arabic reciter": { playback: { ...RECITING, reciter: LONG_ARABIC, surah_number: 3 } },
  "long file": { playback: { ...RECITING, surah_number: 0, track: `${"x".repeat(300)}.mp3` } },
  "long stream": { playback: { ...LISTENING, title: LONG_ARABIC }, stream_name: LONG },
  "long Arabic stream": { playback: { ...LISTENING, title: LONG }, stream_name: LONG_ARABIC },
  "nameless stream": { playback: { ...LISTENING, source: null } },
  "hifz gap": { playback: { ...DRILL, reciter: LONG, hifz: GAP } },
  "endless hifz": { playback: { ...RECITING, hifz: { repeat_done: 7, repeat_target: 0, pause_s: 0, waiting: false } } },
  "test adhan": { adhan: "test" },
  "known card": { card: { uid: "04A1B2C3", age_ms: 0, name: "Juz Amma for the children" } },
  "long card": { card: { uid: "04A1B2C3", age_ms: 0, name: LONG } },
  "longest UID": { card: { uid: "04A1B2C3D4E5F6071829", age_ms: 0 } },
  "end of an update": { ota: { in_progress: true, progress: 100, status: "confirming" } },
  "start of an update": { ota: { in_progress: true, progress: 0, status: "downloading" } },
  pairing: { pairing: PAIRING },
  "long network": { access_point: { ssid: "W".repeat(32), url: "https://[fe80::1234:5678:9abc:def0]:8443/" } },
  certificate: { fingerprint: "d4".repeat(32) },
  "pairing without a code": { pairing: NEW },
  "set-up with a code": {
    access_point: { ssid: "Manara-4F2A", url: "https://10.42.0.1:8443/" },
    pairing: PAIRING,
  },
  "about to erase": { hold: { phase: "warning", left_s: 5 } },
  "erases when released": { hold: { phase: "armed", left_s: 0 } },
  "many failures": {
    boot_failures: ["audio", "nfc", LONG, "wifi"].map((component) => ({ component, error: LONG })),
    age_ms: 0,
  },
  "no clock": { clock_ok: false },
  "no location": { prayer: { ...buildInputs().prayer, epochs: null, extra: { next_prayer: null } } },
  "24 hours": { settings: { language: "en", time_format_24h: true } },
  "late evening": {
    now: Date.UTC(2026, 10, 15, 20, 48),
    prayer: {
      ...buildInputs().prayer,
      extra: { next_prayer: { index: 0, epoch: Date.UTC(2026, 10, 16, 2, 18) / 1000 } },
    },
  },
};

function buildModel(changes: Partial<ScreenInputs>, language: Language): ScreenModel {
  const { settings } = buildInputs(changes);
  return chooseScreen(buildInputs({ ...changes, settings: { ...settings, language } }));
}

const ALL = Object.entries({ ...SCREENS, ...OTHERS }).flatMap(([name, changes]) =>
  LANGUAGES.map((language) => [name, language, buildModel(changes, language)] as const),
);

let painter: Painter;

beforeAll(async () => {
  painter = await openPainter(join(import.meta.dirname, "../../assets/fonts"));
});

type Color = readonly [red: number, green: number, blue: number];
type Question = (...color: Color) => boolean;

const isColor =
  ([red, green, blue]: Color): Question =>
  (...color) =>
    color[0] === red && color[1] === green && color[2] === blue;
const isBackground = isColor(BACKGROUND);
const isDrawn: Question = (...color) => !isBackground(...color);

/** The smallest rectangle that contains every pixel for which the predicate is true. */
function boundsOf(pixels: Uint8Array, isMeant: Question) {
  const bounds = { left: SCREEN_WIDTH, right: -1, top: SCREEN_HEIGHT, bottom: -1, count: 0 };
  for (let index = 0; index < SCREEN_WIDTH * SCREEN_HEIGHT; index += 1) {
    if (!isMeant(pixels[index * 4] ?? 0, pixels[index * 4 + 1] ?? 0, pixels[index * 4 + 2] ?? 0)) continue;
    const [x, y] = [index % SCREEN_WIDTH, Math.floor(index / SCREEN_WIDTH)];
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y);
    bounds.count += 1;
  }
  return bounds;
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

describe("pictures", () => {
  it.each(ALL)("pictures of %s in %s stay inside their margins and contain text", (_name, _language, model) => {
    const { pixels } = painter.paint(model);
    expect(pixels).toHaveLength(SCREEN_WIDTH * SCREEN_HEIGHT * 4);
    const drawn = boundsOf(pixels, isDrawn);
    expect(drawn.left).toBeGreaterThanOrEqual(8);
    expect(drawn.right).toBeLessThan(SCREEN_WIDTH - 8);
    expect(drawn.top).toBeGreaterThanOrEqual(4);
    // The arch touches the bottom edge.
    if (model.screen !== "adhan") expect(drawn.bottom).toBeLessThan(SCREEN_HEIGHT - 1);
    expect(boundsOf(pixels, isColor(TEXT)).count).toBeGreaterThan(100);
  });

  it.each(Object.keys(SCREENS))("pictures of %s contain the accent colour", (name) => {
    for (const language of LANGUAGES) {
      const { pixels } = painter.paint(buildModel(SCREENS[name] ?? {}, language));
      expect(boundsOf(pixels, isColor(ACCENT)).count).toBeGreaterThan(30);
    }
  });

  it("pictures are equal for the same model, whatever was painted in between", () => {
    const first = ALL.map(([, , model]) => Buffer.from(painter.paint(model).pixels));
    for (const [index, [name, , model]] of ALL.entries()) {
      expect(first[index]?.equals(painter.paint(model).pixels), name).toBe(true);
    }
  });

  it("pictures differ between the languages", () => {
    for (const changes of Object.values(SCREENS)) {
      const english = Buffer.from(painter.paint(buildModel(changes, "en")).pixels);
      expect(english.equals(painter.paint(buildModel(changes, "ar")).pixels)).toBe(false);
    }
  });

  it("pictures begin on the right in Arabic", () => {
    const header = (language: Language) => {
      const { pixels } = painter.paint(buildModel({ playback: { ...LISTENING, title: "" } }, language));
      return boundsOf(pixels, isColor(ACCENT));
    };
    expect(header("en").right).toBeLessThan(40);
    expect(header("ar").left).toBeGreaterThan(SCREEN_WIDTH - 40);
  });

  it("join Arabic letters", () => {
    const measureWidth = (name: string) => {
      const card = { uid: "04A1B2C3", age_ms: 0, name };
      const { pixels } = painter.paint(buildModel({ card, clock_ok: false }, "en"));
      const { left, right } = boundsOf(pixels, isColor(TEXT));
      return right - left;
    };
    const ZERO_WIDTH_NON_JOINER = "\u200c";
    expect(measureWidth("بيتنا")).toBeLessThan(measureWidth("بيتنا".split("").join(ZERO_WIDTH_NON_JOINER)) * 0.8);
  });

  it.each(LANGUAGES)("cover everything of a pairing in %s", (language) => {
    const bmp = encodeBmp(painter.paint(buildModel({ pairing: PAIRING }, language)));
    expect(new Set(bmp.subarray(54)).size).toBe(1);
  });

  it.each(LANGUAGES)("cover the token and the code beside the set-up network in %s", (language) => {
    const access_point = { ssid: "Manara-4F2A", url: "https://10.42.0.1:8443/" };
    for (const pairing of [NEW, PAIRING]) {
      const bmp = encodeBmp(painter.paint(buildModel({ access_point, pairing }, language)));
      expect(new Set(bmp.subarray(54)).size).toBe(1);
    }
  });

  it("pictures are unchanged when their bitmap is read back", async () => {
    const { pixels } = painter.paint(buildModel({ playback: RECITING }, "ar"));
    const context = createCanvas(SCREEN_WIDTH, SCREEN_HEIGHT).getContext("2d");
    context.drawImage(await loadImage(encodeBmp({ pixels })), 0, 0);
    const { data } = context.getImageData(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT);
    expect(Buffer.from(data.buffer).equals(pixels)).toBe(true);
  });

  it("do not let memory grow, whatever is drawn", { timeout: 600_000 }, async () => {
    const clock = createClock();
    const drawMs: number[] = [];
    const encodeMs: number[] = [];
    const peaksMiB = [0, 0];
    for (let count = 0; count < FRAMES; count += 1) {
      const [, , model] = ALL[count % ALL.length] ?? [];
      if (!model) continue;
      const startMs = clock.monotonicMs();
      const frame = painter.paint(model);
      const paintedMs = clock.monotonicMs();
      drawMs.push(paintedMs - startMs);
      // The library frees its memory between two turns of the event loop, as between two pictures.
      await clock.sleep(0);
      if (count % 10 > 0) continue;
      const beforeMs = clock.monotonicMs();
      encodeBmp(frame);
      encodeMs.push(clock.monotonicMs() - beforeMs);
      const half = count < FRAMES / 2 ? 0 : 1;
      peaksMiB[half] = Math.max(peaksMiB[half] ?? 0, process.memoryUsage.rss() / 2 ** 20);
    }
    const [early = 0, late = 0] = peaksMiB;
    checkSpeed("screen: median of drawing a picture, ms", medianOf(drawMs));
    checkSpeed("screen: median of encoding a picture, ms", medianOf(encodeMs));
    expect(late - early).toBeLessThan(64);
  });

  it.runIf(isUpdate)("are saved for the documentation", async () => {
    const canvas = createCanvas(SCREEN_WIDTH, SCREEN_HEIGHT);
    const context = canvas.getContext("2d");
    const kept = Object.entries(SCREENS).flatMap(([name, changes]) =>
      LANGUAGES.map((language) => [`screen-${name}-${language}.png`, buildModel(changes, language)] as const),
    );
    for (const [file, model] of kept) {
      const image = context.createImageData(SCREEN_WIDTH, SCREEN_HEIGHT);
      image.data.set(painter.paint(model).pixels);
      context.putImageData(image, 0, 0);
      await writeFile(new URL(file, PICTURES), canvas.encodeSync("png"));
    }
  });
});
