import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADHAN, type ContractDevice, RECITER, STREAM, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
  await device.playFile();
});
afterAll(() => device.close());

const FILE = `${RECITER}/002.mp3`;
const LEFT_OUT = Symbol("left out");
const CARD = { uid: "04A1B2C3", name: "Bedtime", binding: { type: "surah", reciter: RECITER, surah: 2 } };
const SCHEDULE = { hour: 6, minute: 30, days: 127, target: FILE };
const PRAYER = { lat: 21.4225, lng: 39.8262 };

/** One field of one body: the row that documents it, a valid body around it, and values on both sides of its rule. */
interface Field {
  row: string;
  path: string;
  /** With dots for a field of an object in the body. */
  field: string;
  body: Record<string, unknown>;
  valid: readonly unknown[];
  invalid: readonly unknown[];
}

const NO_STRINGS = [LEFT_OUT, 5, true, ["x"], { x: 1 }];
const NO_BOOLEANS = [LEFT_OUT, "true", 1, 0, [true]];
const NO_NUMBERS = [LEFT_OUT, "5", true, [5], { x: 5 }];
const NO_INTEGERS = [...NO_NUMBERS, 5.5];
const withoutRequired = (values: readonly unknown[]) => values.filter((value) => value !== LEFT_OUT);

const PLAYBACK: readonly Field[] = [
  {
    row: quote("| play, file form | path (string) |"),
    path: "/playback/play",
    field: "path",
    body: {},
    valid: [FILE],
    invalid: [...NO_STRINGS, "", "missing.mp3", RECITER],
  },
  {
    row: quote("| play, stream form | url (string) |"),
    path: "/playback/play",
    field: "url",
    body: {},
    valid: [STREAM, "https://radio.example.com/live"],
    invalid: [...withoutRequired(NO_STRINGS), ""],
  },
  {
    row: quote("| volume | volume (integer 0..100) |"),
    path: "/playback/volume",
    field: "volume",
    body: {},
    valid: [0, 1, 99, 100],
    invalid: [...NO_INTEGERS, -1, 101, 1e9],
  },
  {
    row: quote("| mode | string | required; off, continuous, repeat_one, hifz_repeat, hifz_ab |"),
    path: "/playback/mode",
    field: "mode",
    body: { ab: { from: 1, to: 5 } },
    valid: ["off", "continuous", "repeat_one", "hifz_repeat", "hifz_ab"],
    invalid: [...NO_STRINGS, "", "OFF", "repeat"],
  },
  {
    row: quote("| repeat | integer | hifz modes; 0 means endless (hifz_repeat only) |"),
    path: "/playback/mode",
    field: "repeat",
    body: { mode: "hifz_repeat" },
    valid: [LEFT_OUT, 0, 1, 10],
    invalid: withoutRequired(NO_INTEGERS),
  },
  {
    row: quote("| repeat | integer | hifz modes; 0 means endless (hifz_repeat only) |"),
    path: "/playback/mode",
    field: "repeat",
    body: { mode: "hifz_ab", ab: { from: 1, to: 5 } },
    valid: [LEFT_OUT, 1, 10],
    invalid: [...withoutRequired(NO_INTEGERS), 0],
  },
  {
    row: quote(
      "| pause_s | integer | 0..600; seconds of silence between repetitions; the display keeps the now-playing screen during the gap |",
    ),
    path: "/playback/mode",
    field: "pause_s",
    body: { mode: "hifz_repeat" },
    valid: [LEFT_OUT, 0, 1, 599, 600],
    invalid: [...withoutRequired(NO_INTEGERS), -1, 601],
  },
  {
    row: quote("| ab | object | hifz_ab only; fields from and to (integers) |"),
    path: "/playback/mode",
    field: "ab",
    body: { mode: "hifz_ab" },
    valid: [
      { from: 1, to: 5 },
      { from: 2, to: 2 },
    ],
    invalid: [LEFT_OUT, "1-5", 1, [1, 5]],
  },
  {
    row: quote("| ab | object | hifz_ab only; fields from and to (integers) |"),
    path: "/playback/mode",
    field: "ab.from",
    body: { mode: "hifz_ab", ab: { to: 5 } },
    valid: [1, 5],
    invalid: NO_INTEGERS,
  },
  {
    row: quote("| ab | object | hifz_ab only; fields from and to (integers) |"),
    path: "/playback/mode",
    field: "ab.to",
    body: { mode: "hifz_ab", ab: { from: 1 } },
    valid: [1, 114],
    invalid: NO_INTEGERS,
  },
];

const SURAH_FORM = quote("- Add body, surah form: type = surah, reciter (string), surah (integer).");
const STREAM_FORM = quote("- Add body, stream form: type = stream, url (string), name (string).");

/** Both routes take the same body. */
const FAVORITES = ["/favorites", "/favorites/toggle"].flatMap((path): Field[] => [
  {
    row: SURAH_FORM,
    path,
    field: "type",
    body: { reciter: RECITER, surah: 2, url: STREAM, name: "Radio" },
    valid: ["surah", "stream"],
    invalid: [...NO_STRINGS, "", "file"],
  },
  {
    row: SURAH_FORM,
    path,
    field: "reciter",
    body: { type: "surah", surah: 2 },
    valid: [RECITER],
    invalid: NO_STRINGS,
  },
  {
    row: SURAH_FORM,
    path,
    field: "surah",
    body: { type: "surah", reciter: RECITER },
    valid: [1, 114],
    invalid: NO_INTEGERS,
  },
  {
    row: STREAM_FORM,
    path,
    field: "url",
    body: { type: "stream", name: "Radio" },
    valid: [STREAM],
    invalid: NO_STRINGS,
  },
  {
    row: STREAM_FORM,
    path,
    field: "name",
    body: { type: "stream", url: STREAM },
    valid: ["Radio"],
    invalid: NO_STRINGS,
  },
]);

const LISTS: readonly Field[] = [
  ...FAVORITES,
  {
    row: quote("- Add body: name (string), url (string; the URL is validated by the stream checks)."),
    path: "/radio/stations",
    field: "name",
    body: { url: STREAM },
    valid: ["Radio", "إذاعة القرآن"],
    invalid: NO_STRINGS,
  },
  {
    row: quote("- Add body: name (string), url (string; the URL is validated by the stream checks)."),
    path: "/radio/stations",
    field: "url",
    body: { name: "Radio" },
    valid: [STREAM],
    invalid: NO_STRINGS,
  },
  {
    row: quote("- Register body: uid (string), name (string), plus a binding. Binding fields: not shown."),
    path: "/rfid/cards",
    field: "uid",
    body: { name: CARD.name, binding: CARD.binding },
    valid: ["04A1B2C3"],
    invalid: NO_STRINGS,
  },
  {
    row: quote("- Register body: uid (string), name (string), plus a binding. Binding fields: not shown."),
    path: "/rfid/cards",
    field: "name",
    body: { uid: CARD.uid, binding: CARD.binding },
    valid: ["Bedtime"],
    invalid: NO_STRINGS,
  },
  {
    row: quote("- Register body: uid (string), name (string), plus a binding. Binding fields: not shown."),
    path: "/rfid/cards",
    field: "binding",
    body: { uid: CARD.uid, name: CARD.name },
    valid: [CARD.binding],
    invalid: [LEFT_OUT, 5, true, []],
  },
];

const TIMES: readonly Field[] = [
  {
    row: quote("| lat, lng | number | location |"),
    path: "/prayer/config",
    field: "lat",
    body: { lng: PRAYER.lng },
    valid: [-89.5, 0, 21, 21.4225, 89.5],
    invalid: [...NO_NUMBERS, -90.1, 90.1],
  },
  {
    row: quote("| lat, lng | number | location |"),
    path: "/prayer/config",
    field: "lng",
    body: { lat: PRAYER.lat },
    valid: [-180, 0, 39.8262, 180],
    invalid: [...NO_NUMBERS, -180.1, 180.1],
  },
  {
    row: quote("| method | integer | 0 MWL, 1 ISNA, 2 Egyptian, 3 Umm al-Qura, 4 Karachi |"),
    path: "/prayer/config",
    field: "method",
    body: PRAYER,
    valid: [LEFT_OUT, 0, 1, 2, 3, 4],
    invalid: [...withoutRequired(NO_INTEGERS), -1, 5, "MWL"],
  },
  {
    row: quote("| asr_hanafi | boolean | Asr school |"),
    path: "/prayer/config",
    field: "asr_hanafi",
    body: PRAYER,
    valid: [LEFT_OUT, true, false],
    invalid: withoutRequired(NO_BOOLEANS),
  },
  {
    row: quote(
      "| offsets_min | array of 6 integers | minutes added to Fajr, Sunrise, Dhuhr, Asr, Maghrib, Isha, in that order |",
    ),
    path: "/prayer/config",
    field: "offsets_min",
    body: PRAYER,
    valid: [LEFT_OUT, [0, 0, 0, 0, 0, 0], [-5, 0, 5, 10, 60, 120], [-60, -60, -60, -60, -60, -90]],
    invalid: [5, "0,0,0,0,0,0", [], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0.5], [0, 0, 0, 0, 0, "0"]],
  },
  {
    row: quote("| adhan.enabled | boolean | |"),
    path: "/prayer/config",
    field: "adhan.enabled",
    body: { ...PRAYER, adhan: {} },
    valid: [LEFT_OUT, true, false],
    invalid: withoutRequired(NO_BOOLEANS),
  },
  {
    row: quote("| adhan.prayer_mask | integer | bitmask over the same six-prayer order; bit 1 (Sunrise) is ignored |"),
    path: "/prayer/config",
    field: "adhan.prayer_mask",
    body: { ...PRAYER, adhan: {} },
    valid: [LEFT_OUT, 0, 1, 2, 32, 61, 63],
    invalid: withoutRequired(NO_INTEGERS),
  },
  {
    row: quote("| adhan.volume | integer | 0..100; 0 keeps the current volume during the adhan |"),
    path: "/prayer/config",
    field: "adhan.volume",
    body: { ...PRAYER, adhan: {} },
    valid: [LEFT_OUT, 0, 1, 99, 100],
    invalid: [...withoutRequired(NO_INTEGERS), -1, 101],
  },
  {
    row: quote("| adhan.path | string | adhan audio file path |"),
    path: "/prayer/config",
    field: "adhan.path",
    body: { ...PRAYER, adhan: {} },
    valid: [LEFT_OUT, ADHAN],
    invalid: withoutRequired(NO_STRINGS),
  },
  {
    row: quote("- Create body: hour (integer), minute (integer), days (bitmask), target, volume (optional)."),
    path: "/schedules",
    field: "hour",
    body: { minute: 30, days: 127, target: FILE },
    valid: [0, 23],
    invalid: [...NO_INTEGERS, -1, 24],
  },
  {
    row: quote("- Create body: hour (integer), minute (integer), days (bitmask), target, volume (optional)."),
    path: "/schedules",
    field: "minute",
    body: { hour: 6, days: 127, target: FILE },
    valid: [0, 59],
    invalid: [...NO_INTEGERS, -1, 60],
  },
  {
    row: quote("- Create body: hour (integer), minute (integer), days (bitmask), target, volume (optional)."),
    path: "/schedules",
    field: "days",
    body: { hour: 6, minute: 30, target: FILE },
    valid: [1, 64, 127],
    invalid: NO_INTEGERS,
  },
  {
    row: quote("- Create body: hour (integer), minute (integer), days (bitmask), target, volume (optional)."),
    path: "/schedules",
    field: "target",
    body: { hour: 6, minute: 30, days: 127 },
    valid: [FILE],
    invalid: [LEFT_OUT, 5, true, []],
  },
  {
    row: quote("- Create body: hour (integer), minute (integer), days (bitmask), target, volume (optional)."),
    path: "/schedules",
    field: "volume",
    body: SCHEDULE,
    valid: [LEFT_OUT, 0, 100],
    invalid: [...withoutRequired(NO_INTEGERS), -1, 101],
  },
  {
    row: quote("- Enable body: enabled (boolean)."),
    path: "/schedules/1/enable",
    field: "enabled",
    body: {},
    valid: [true, false],
    invalid: NO_BOOLEANS,
  },
];

const SETTINGS: readonly Field[] = [
  {
    row: quote("| POST | /settings/wifi | yes | ssid, password | device reconnects |"),
    path: "/settings/wifi",
    field: "ssid",
    body: { password: "a good password" },
    valid: ["Home", "مسجد النور"],
    invalid: NO_STRINGS,
  },
  {
    row: quote("| POST | /settings/wifi | yes | ssid, password | device reconnects |"),
    path: "/settings/wifi",
    field: "password",
    body: { ssid: "Home" },
    valid: ["a good password"],
    invalid: NO_STRINGS,
  },
  {
    row: quote("| POST | /settings/brightness | yes | brightness (integer 0..255) | result object |"),
    path: "/settings/brightness",
    field: "brightness",
    body: {},
    valid: [0, 1, 254, 255],
    invalid: [...NO_INTEGERS, -1, 256],
  },
  {
    row: quote("| POST | /settings/timezone | yes | timezone (POSIX rule string; printable ASCII) | result object |"),
    path: "/settings/timezone",
    field: "timezone",
    body: {},
    valid: ["UTC0", "<+03>-3", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0"],
    invalid: [...NO_STRINGS, "", "Zürich", "UTC0\n", "UTC0\u0000", "UTC0\u007f", "٣", "Asia/Riyadh"],
  },
  {
    row: quote(
      "| POST | /settings/time-format | yes | time_format_24h (boolean); default is 12-hour; applied to the display immediately | result object |",
    ),
    path: "/settings/time-format",
    field: "time_format_24h",
    body: {},
    valid: [true, false],
    invalid: NO_BOOLEANS,
  },
  {
    row: quote(
      "| POST | /settings/time | yes | epoch (Unix seconds); sets the system clock and the real-time clock | result object |",
    ),
    path: "/settings/time",
    field: "epoch",
    body: {},
    valid: [1_800_000_000],
    invalid: NO_NUMBERS,
  },
  {
    row: quote("| POST | /settings/auto-resume | yes | enabled (boolean) | result object |"),
    path: "/settings/auto-resume",
    field: "enabled",
    body: {},
    valid: [true, false],
    invalid: NO_BOOLEANS,
  },
  {
    row: quote(
      "| POST | /settings/auto-off | yes | auto_off_minutes (integer 0..240); deep sleep after idle, 0 disables | result object |",
    ),
    path: "/settings/auto-off",
    field: "auto_off_minutes",
    body: {},
    valid: [0, 1, 239, 240],
    invalid: [...NO_INTEGERS, -1, 241],
  },
  {
    row: quote("| POST | /settings/card-removal | yes | policy (continue, pause, stop) | result object |"),
    path: "/settings/card-removal",
    field: "policy",
    body: {},
    valid: ["continue", "pause", "stop"],
    invalid: [...NO_STRINGS, "", "eject"],
  },
];

const SEEK: Field = {
  row: quote("| seek | position (number, milliseconds) |"),
  path: "/playback/seek",
  field: "position",
  body: {},
  valid: [0, 1, 30_000, 1500.5],
  invalid: NO_NUMBERS,
};

const PULL: Field = {
  row: quote(
    "| POST | /ota/pull | yes | 2 per minute | url (string, https) | result object; the URL is subject to additional hardening checks |",
  ),
  path: "/ota/pull",
  field: "url",
  body: {},
  valid: [],
  invalid: [...NO_STRINGS, "", "http://updates.example.com/firmware", "ftp://updates.example.com/firmware"],
};

const FIELDS = [...PLAYBACK, SEEK, ...LISTS, ...TIMES, ...SETTINGS, PULL];

/** The body with this value in its field. */
function bodyWith({ body, field }: Field, value: unknown): Record<string, unknown> {
  const [name = "", nested] = field.split(".");
  if (value === LEFT_OUT) return body;
  if (nested === undefined) return { ...body, [name]: value };
  return { ...body, [name]: { ...(body[name] as object), [nested]: value } };
}

const titled = (values: readonly unknown[]) =>
  values.map((value) => [value === LEFT_OUT ? "left out" : JSON.stringify(value), value] as const);

beforeAll(async () => {
  await device.post("/schedules", SCHEDULE);
});

describe(quote("Every externally supplied value is validated at the API boundary before it is used"), () => {
  describe.each(FIELDS)("$row", (each) => {
    const { path, field, valid, invalid } = each;

    it.each(titled(invalid))(`POST ${path} answers 400 for ${field} %s, and names the field`, async (_title, value) => {
      const answer = await device.post(path, bodyWith(each, value));
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: expect.stringContaining(field) });
    });

    it.each(titled(valid))(`POST ${path} accepts ${field} %s`, async (_title, value) => {
      if (path === "/playback/seek") await device.playFile();
      const answer = await device.post(path, bodyWith(each, value));
      expect(answer.body).toMatchObject({ success: true });
      expect(answer.status).toBe(200);
    });
  });
});
