import { describe, expect, it } from "vitest";
import { STOPPED } from "../../testing/playback-status.ts";
import { AFTERNOON_MS, buildInputs, LISTENING, RECITING, toEpoch } from "../../testing/screen-inputs.ts";
import { chooseScreen, type ScreenInputs } from "./choose-screen.ts";

const ARABIC = { language: "ar", time_format_24h: false } as const;
const NEW = { url: "https://manara.local/#secret", open: undefined };
const PAIRING = { ...NEW, open: { code: "012345", left_s: 300 } };
const HIFZ = { repeat_done: 3, repeat_target: 10, pause_s: 15, waiting: false };

/** Each of them needs the whole screen, from the least urgent to the most urgent. */
const WISHES: readonly (readonly [string, Partial<ScreenInputs>])[] = [
  ["idle", {}],
  ["now_playing", { playback: RECITING }],
  ["hifz", { playback: { ...RECITING, advance_mode: "hifz_repeat", hifz: HIFZ } }],
  ["buffering", { playback: { ...RECITING, state: "buffering", hifz: HIFZ } }],
  ["certificate", { fingerprint: "ab".repeat(32) }],
  ["card", { card: { uid: "04A1B2C3", age_ms: 4999, name: "Juz Amma" } }],
  ["adhan", { adhan: "maghrib" }],
  ["failures", { boot_failures: [{ component: "audio", error: "audio: no sound card" }], age_ms: 29_999 }],
  ["setup", { access_point: { ssid: "Manara", url: "https://10.42.0.1:8443/" }, is_set_up: false }],
  ["reset", { hold: { phase: "warning", left_s: 5 } }],
  ["update", { ota: { in_progress: true, progress: 40, status: "installing" } }],
];

describe("the screen", () => {
  it.each(WISHES.map(([screen], index) => [screen, index] as const))(
    "the screen is %s when nothing is more urgent",
    (screen, index) => {
      const wishes = WISHES.slice(0, index + 1).map(([, changes]) => changes);
      expect(chooseScreen(buildInputs(Object.assign({}, ...wishes))).screen).toBe(screen);
    },
  );

  it.each([
    ["a card after five seconds", { card: { uid: "04A1B2C3", age_ms: 5000 } }],
    ["no card before the first tap", { card: { uid: "", age_ms: -1 } }],
    ["failures after half a minute", { boot_failures: [{ component: "audio", error: "no" }], age_ms: 30_000 }],
    ["an update that is over", { ota: { in_progress: false, progress: 100, status: "success" } }],
    ["a stopped source", { playback: { ...STOPPED, track: "a/001.mp3", reciter: "a", surah_number: 1, hifz: HIFZ } }],
  ])("no longer shows %s", (_what, changes) => {
    expect(chooseScreen(buildInputs(changes)).screen).toBe("idle");
  });
});

describe("idle", () => {
  it("shows the clock, both dates, the next prayer and the five times of the day", () => {
    expect(chooseScreen(buildInputs())).toEqual({
      screen: "idle",
      language: "en",
      clock: { time: "2:41", suffix: "PM" },
      date: "Sun 15 Nov",
      hijri: "5 Jumada al-Akhirah 1448",
      next: { name: "Asr", time: "3:16 PM", countdown: "in 35 min" },
      hint: "",
      times: [
        { name: "Fajr", time: "5:17", isNext: false },
        { name: "Dhuhr", time: "12:05", isNext: false },
        { name: "Asr", time: "3:16", isNext: true },
        { name: "Maghrib", time: "5:38", isNext: false },
        { name: "Isha", time: "7:08", isNext: false },
      ],
    });
  });

  it("shows the same in Arabic", () => {
    expect(chooseScreen(buildInputs({ settings: { language: "ar", time_format_24h: true } }))).toMatchObject({
      clock: { time: "١٤:٤١", suffix: "" },
      date: "الأحد ١٥ نوفمبر",
      hijri: "٥ جمادى الآخرة ١٤٤٨",
      next: { name: "العصر", time: "١٥:١٦", countdown: "بعد ٣٥ د" },
    });
  });

  it("counts minutes, and seconds in the last one", () => {
    const countdownAt = (secondsBefore: number) => {
      const model = chooseScreen(buildInputs({ now: (toEpoch(15, 16) - secondsBefore) * 1000 }));
      return model.screen === "idle" && model.next?.countdown;
    };
    expect([3601, 61, 60, 59, 1].map(countdownAt)).toEqual([
      "in 1 h 1 min",
      "in 2 min",
      "in 1 min",
      "in 59 s",
      "in 1 s",
    ]);
  });

  it("gives the same picture during a whole minute", () => {
    const at = (second: number) => chooseScreen(buildInputs({ now: AFTERNOON_MS + (second - 20) * 1000 }));
    expect(at(59)).toEqual(at(1));
    expect(at(60)).not.toEqual(at(59));
  });

  it("shows Dhuhr as the next prayer before sunrise", () => {
    const extra = { next_prayer: { index: 2, epoch: toEpoch(12, 5) } };
    const prayer = { ...buildInputs().prayer, next: { index: 1, epoch: toEpoch(6, 35) }, extra };
    const model = chooseScreen(buildInputs({ now: toEpoch(6, 5) * 1000, prayer }));
    expect(model).toMatchObject({ next: { name: "Dhuhr", time: "12:05 PM", countdown: "in 6 h" } });
    expect(model.screen === "idle" && model.times.map(({ isNext }) => isNext)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it("asks for a location, and shows no unknown time", () => {
    const prayer = { ...buildInputs().prayer, epochs: null, extra: { next_prayer: null } };
    expect(chooseScreen(buildInputs({ prayer }))).toMatchObject({ hint: "Prayer times need a location", times: [] });
    expect(chooseScreen(buildInputs({ clock_ok: false }))).toEqual({
      screen: "idle",
      language: "en",
      clock: undefined,
      date: "",
      hijri: "",
      next: undefined,
      hint: "The clock is not set",
      times: [],
    });
  });
});

describe("now playing", () => {
  it("shows a surah in Arabic, its number and name, the reciter and the position", () => {
    expect(chooseScreen(buildInputs({ playback: RECITING }))).toEqual({
      screen: "now_playing",
      language: "en",
      clock: "2:41",
      state: "playing",
      heading: { title: "الكهف", caption: "18 · Al-Kahf", detail: "Mishary Alafasy" },
      progress: { permille: 120, position: "3:07", duration: "26:02" },
    });
  });

  it("uses Arabic digits in Arabic, and shows no clock while the time is unknown", () => {
    const model = chooseScreen(buildInputs({ playback: RECITING, settings: ARABIC, clock_ok: false }));
    expect(model).toMatchObject({
      clock: "",
      heading: { title: "الكهف", caption: "السورة ١٨" },
      progress: { position: "٣:٠٧", duration: "٢٦:٠٢" },
    });
  });

  it("shows that it is paused, or live", () => {
    expect(chooseScreen(buildInputs({ playback: { ...RECITING, state: "paused" } }))).toMatchObject({
      state: "paused",
    });
    expect(chooseScreen(buildInputs({ playback: LISTENING }))).toMatchObject({ state: "live", progress: undefined });
  });

  it.each([
    ["its own name", { stream_name: "Radio Quran" }, "Surah Maryam", "Radio Quran", "Surah Maryam"],
    ["its own title", {}, "Surah Maryam", "Surah Maryam", "radio.example"],
    ["its host, never its address", {}, "", "radio.example", ""],
    ["its own name alone", { stream_name: "Radio Quran" }, "", "Radio Quran", ""],
  ])("names a stream by %s", (_what, changes, title, shown, detail) => {
    expect(chooseScreen(buildInputs({ playback: { ...LISTENING, title }, ...changes }))).toMatchObject({
      heading: { title: shown, caption: "", detail },
    });
  });

  it("names a stream without any name by its kind", () => {
    expect(chooseScreen(buildInputs({ playback: { ...LISTENING, source: null } }))).toMatchObject({
      heading: { title: "Radio", caption: "", detail: "" },
    });
  });

  it("names another file by its file name", () => {
    const playback = { ...RECITING, surah_number: 0, reciter: "", track: "Lessons/First. lesson.mp3" };
    expect(chooseScreen(buildInputs({ playback }))).toMatchObject({
      heading: { title: "First. lesson", caption: "", detail: "" },
    });
  });
});

describe("hifz", () => {
  const chooseHifz = (changes: object, settings: ScreenInputs["settings"] = buildInputs().settings) =>
    chooseScreen(buildInputs({ settings, playback: { ...RECITING, hifz: { ...HIFZ, ...changes } } }));

  it("fills its ring with the played part", () => {
    expect(chooseHifz({})).toMatchObject({ permille: 312, done: "3", target: "of 10", range: "", gap: "" });
    expect(chooseHifz({ repeat_done: 10 })).toMatchObject({ permille: 1000 });
  });

  it("fills the ring once per play-through when it is endless", () => {
    expect(chooseHifz({ repeat_target: 0 })).toMatchObject({ permille: 120, done: "3", target: "of ∞" });
  });

  it("shows the range and the gap in which the listener repeats", () => {
    const changes = { ab_start: 78, ab_end: 114, waiting: true, gap_left_s: 9 };
    expect(chooseHifz(changes)).toMatchObject({ permille: 300, range: "78 – 114", gap: "Your turn · 9 s" });
    expect(chooseHifz(changes, ARABIC)).toMatchObject({ done: "٣", target: "من ١٠", range: "٧٨ – ١١٤" });
  });
});

describe("buffering", () => {
  const chooseBuffering = (playback: Partial<ScreenInputs["playback"]>) =>
    chooseScreen(
      buildInputs({ playback: { ...LISTENING, state: "buffering", ...playback }, stream_name: "Radio Quran" }),
    );

  it("shows the time of the next retry", () => {
    expect(chooseBuffering({ retry_in_s: 4 })).toMatchObject({
      heading: { title: "Radio Quran", detail: "Next try in 4 s" },
    });
    expect(chooseBuffering({})).toMatchObject({ heading: { detail: "Waiting for the station" } });
  });

  it("does not mention a station when a file waits for the engine", () => {
    const model = chooseScreen(buildInputs({ playback: { ...RECITING, state: "buffering" } }));
    expect(model).toMatchObject({ heading: { title: "الكهف", detail: "Mishary Alafasy" } });
  });
});

describe("the other screens", () => {
  it("the other screens show the prayer of an adhan, and mark a test", () => {
    expect(chooseScreen(buildInputs({ adhan: "maghrib" }))).toMatchObject({
      intro: "Time to pray",
      title: "المغرب",
      caption: "Maghrib",
    });
    expect(chooseScreen(buildInputs({ adhan: "test" }))).toMatchObject({
      intro: "Test",
      title: "الأذان",
      caption: "Adhan",
    });
    expect(chooseScreen(buildInputs({ adhan: "fajr", settings: ARABIC }))).toMatchObject({
      title: "الفجر",
      caption: "",
      clock: "٢:٤١",
    });
  });

  it("the other screens show the UID of a card byte by byte", () => {
    expect(chooseScreen(buildInputs({ card: { uid: "04A1B2C3D4E5F6", age_ms: 0 } }))).toMatchObject({
      name: "",
      uid: "04 A1 B2 C3 D4 E5 F6",
    });
  });

  it.each([
    ["downloading", "Downloading"],
    ["verifying", "Checking"],
    ["something new", "Update"],
  ])("the other screens show the step of an update while it is %s", (status, phase) => {
    const ota = { in_progress: true, progress: 7, status };
    expect(chooseScreen(buildInputs({ ota }))).toMatchObject({ progress: 7, percentage: "7%", phase });
  });

  it("the other screens list three failures and count the others", () => {
    const boot_failures = ["audio", "nfc", "rtc", "wifi", "display"].map((component) => ({
      component,
      error: `${component}: is not there`,
    }));
    expect(chooseScreen(buildInputs({ boot_failures, age_ms: 0 }))).toEqual({
      screen: "failures",
      language: "en",
      failures: ["audio", "nfc", "rtc"].map((component) => ({ component, error: "is not there" })),
      more: "and 2 more",
    });
    expect(chooseScreen(buildInputs({ boot_failures: boot_failures.slice(0, 3), age_ms: 0 }))).toMatchObject({
      more: "",
    });
  });

  it("the other screens show how to join the device's own network, by codes that a phone reads", () => {
    const access_point = { ssid: 'Manara; "1"', url: "https://10.42.0.1:8443/" };
    expect(chooseScreen(buildInputs({ access_point }))).toEqual({
      screen: "setup",
      language: "en",
      how: {
        by: "access_point",
        ...access_point,
        wifi: 'WIFI:T:nopass;S:Manara\\; \\"1\\";;',
        link: access_point.url,
        code: "",
      },
    });
  });

  it("the other screens do not cover what plays when the network of a device in use is lost", () => {
    const access_point = { ssid: "Manara set-up", url: "https://10.42.0.1:8443/" };
    expect(chooseScreen(buildInputs({ access_point, playback: RECITING })).screen).toBe("now_playing");
    expect(chooseScreen(buildInputs({ access_point, playback: RECITING, is_set_up: false })).screen).toBe("setup");
  });

  it("the other screens show the fingerprint of the certificate in four lines", () => {
    const fingerprint = "00112233445566778899aabbccddeeff".repeat(2);
    expect(chooseScreen(buildInputs({ fingerprint }))).toMatchObject({
      lines: [
        "00 11 22 33 44 55 66 77",
        "88 99 AA BB CC DD EE FF",
        "00 11 22 33 44 55 66 77",
        "88 99 AA BB CC DD EE FF",
      ],
    });
  });

  it("the other screens show the QR code of a device that no person has used, without digits, whenever nothing else is shown", () => {
    const howIn = (changes: Partial<ScreenInputs>) => {
      const model = chooseScreen(buildInputs({ pairing: NEW, ...changes }));
      return model.screen === "setup" ? model.how : model.screen;
    };
    expect(howIn({})).toEqual({ by: "pairing", url: NEW.url, code: "", left: "" });
    expect(howIn({ playback: RECITING })).toBe("now_playing");
    expect(howIn({ adhan: "maghrib" })).toBe("adhan");
    const access_point = { ssid: "Manara", url: "https://10.42.0.1:8443/" };
    const link = "https://10.42.0.1:8443/#secret";
    expect(howIn({ access_point, is_set_up: false })).toMatchObject({ by: "access_point", code: "", link });
  });

  it("the other screens show the code that a person has opened pairing for above everything that plays", () => {
    const howIn = (changes: Partial<ScreenInputs>) => {
      const model = chooseScreen(buildInputs({ pairing: PAIRING, playback: RECITING, adhan: "maghrib", ...changes }));
      return model.screen === "setup" ? model.how : model.screen;
    };
    expect(howIn({})).toMatchObject({ by: "pairing", url: PAIRING.url, code: "012 345" });
    expect(howIn({ settings: ARABIC })).toMatchObject({ code: "٠١٢ ٣٤٥" });
    // A phone joins the device's own network before it can use a code.
    const access_point = { ssid: "Manara", url: "https://10.42.0.1:8443/" };
    const link = "https://10.42.0.1:8443/#secret";
    expect(howIn({ access_point })).toMatchObject({ by: "access_point", code: "012 345", link });
  });

  it("the other screens count the seconds until a held key erases everything", () => {
    const hold = { phase: "warning", left_s: 3 } as const;
    expect(chooseScreen(buildInputs({ hold }))).toMatchObject({ screen: "reset", left: "3 s" });
    expect(chooseScreen(buildInputs({ hold: { phase: "armed", left_s: 0 } }))).toMatchObject({ left: "" });
  });

  it("the other screens count the minutes that a pairing stays open", () => {
    const leftAt = (left_s: number) => {
      const model = chooseScreen(buildInputs({ pairing: { ...NEW, open: { code: "012345", left_s } } }));
      return model.screen === "setup" && model.how.by === "pairing" && model.how.left;
    };
    expect([300, 241, 240, 1].map(leftAt)).toEqual(["5 min left", "5 min left", "4 min left", "1 min left"]);
  });
});
