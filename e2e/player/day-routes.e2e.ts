import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCard } from "./card.ts";
import { type LiveSocket, type PlayerClient, startPlayer, startPlayerForTest, untilScanned } from "./client.ts";

/** A body for the route with this value in its field; all other fields are valid. */
interface Range {
  path: string;
  field: string;
  event: string;
  body: (value: unknown) => unknown;
  good: readonly unknown[];
  bad: readonly unknown[];
}

type Player = Awaited<ReturnType<typeof startPlayer>>;

const SURAH = { type: "surah", reciter: "Husary", surah: 1 };
const SCHEDULE = { hour: 6, minute: 30, days: 127, target: SURAH };
const CARD = { uid: "04A1B2C3", name: "Fatiha", binding: SURAH };
const NO_BOOLEAN = ["true", 1, null];
const offsets = (value: unknown) => [0, 0, 0, 0, 0, value];

const prayer = (field: string, body: Range["body"], good: unknown[], bad: unknown[]): Range => ({
  path: "/api/prayer/config",
  field,
  event: "prayer",
  body,
  good,
  bad,
});
const schedule = (field: string, body: Range["body"], good: unknown[], bad: unknown[]): Range => ({
  path: "/api/schedules",
  field,
  event: "schedules",
  body,
  good,
  bad,
});
const card = (field: string, body: Range["body"], good: unknown[], bad: unknown[]): Range => ({
  path: "/api/rfid/cards",
  field,
  event: "cards",
  body,
  good,
  bad,
});
const setting = (route: string, field: string, good: unknown[], bad: unknown[]): Range => ({
  path: `/api/settings${route}`,
  field,
  event: "settings",
  body: (value) => ({ [field]: value }),
  good,
  bad,
});

const RANGES: readonly Range[] = [
  prayer("lat", (lat) => ({ lat, lng: 39.8 }), [-90, 90, 21.4], [-90.001, 90.001, "21", null]),
  prayer("lng", (lng) => ({ lat: 21.4, lng }), [-180, 180, 39.8], [-180.001, 180.001, "39", null]),
  prayer("method", (method) => ({ method }), [0, 1, 2, 3, 4], [-1, 5, 1.5, "0", null]),
  prayer("asr_hanafi", (asr_hanafi) => ({ asr_hanafi }), [true, false], NO_BOOLEAN),
  prayer("offsets_min", (value) => ({ offsets_min: offsets(value) }), [-720, 720, 0], [-721, 721, 1.5, "1", null]),
  prayer(
    "offsets_min",
    (offsets_min) => ({ offsets_min }),
    [[1, 2, 3, 4, 5, 6]],
    [[], Array(5).fill(0), Array(7).fill(0), 7],
  ),
  prayer("adhan", (adhan) => ({ adhan }), [], [5, "on", []]),
  prayer("adhan.enabled", (enabled) => ({ adhan: { enabled } }), [true, false], NO_BOOLEAN),
  prayer("adhan.prayer_mask", (prayer_mask) => ({ adhan: { prayer_mask } }), [0, 63], [-1, 64, 1.5, "63"]),
  prayer("adhan.volume", (volume) => ({ adhan: { volume } }), [0, 100], [-1, 101, 50.5, "50"]),
  prayer(
    "adhan.path",
    (path) => ({ adhan: { path } }),
    ["adhan/not-there.mp3", "Husary/001.mp3", ""],
    ["../x.mp3", "a/../../x.mp3", "/etc/passwd", "a\u0000b", "a\nb", "x".repeat(4097), 7],
  ),

  schedule("hour", (hour) => ({ ...SCHEDULE, hour }), [0, 23], [-1, 24, 6.5, "6", null, undefined]),
  schedule("minute", (minute) => ({ ...SCHEDULE, minute }), [0, 59], [-1, 60, 30.5, "30", null, undefined]),
  schedule("days", (days) => ({ ...SCHEDULE, days }), [1, 127], [0, 128, -1, 1.5, "127", undefined]),
  schedule("volume", (volume) => ({ ...SCHEDULE, volume }), [0, 100, undefined], [-1, 101, 1.5, "50"]),
  schedule("fade_in_s", (fade_in_s) => ({ ...SCHEDULE, fade_in_s }), [0, 600], [-1, 601]),
  schedule("duration_min", (duration_min) => ({ ...SCHEDULE, duration_min }), [0, 1440], [-1, 1441]),
  schedule("once", (once) => ({ ...SCHEDULE, once }), [true], NO_BOOLEAN),
  schedule(
    "target",
    (target) => ({ ...SCHEDULE, target }),
    ["Husary/001.mp3", "http://radio.invalid/live", { type: "command", command: "stop" }, { type: "resume" }],
    [
      undefined,
      "",
      "../x.mp3",
      "Husary/099.mp3",
      "ftp://radio.invalid/live",
      "http://127.0.0.1/live",
      7,
      {},
      { type: "weather" },
      { ...SURAH, surah: 0 },
      { ...SURAH, surah: 115 },
      { ...SURAH, volume: 101 },
      { type: "station", id: 999 },
      { type: "command", command: "volume", value: 101 },
      { type: "sequence", steps: Array(9).fill({ type: "command", command: "stop" }) },
    ],
  ),
  schedule(
    "anchor",
    (value) => ({ days: 127, target: SURAH, anchor: value }),
    [
      { prayer: 0, offset_min: -120 },
      { prayer: 5, offset_min: 120 },
    ],
    [
      { prayer: -1, offset_min: 0 },
      { prayer: 6, offset_min: 0 },
      { prayer: 0, offset_min: -121 },
      { prayer: 0, offset_min: 121 },
    ],
  ),

  card(
    "uid",
    (uid) => ({ ...CARD, uid }),
    ["04a1b2c3", "04:A1:B2:C3:D4:E5:F6", "0102030405060708090A"],
    ["", "04A1B2", "04A1B2C3D4", "04A1B2CX", "0102030405060708090A0B", 7, undefined],
  ),
  card("name", (name) => ({ ...CARD, name }), ["F", "ن".repeat(100)], ["", "x".repeat(101), "a\nb", 7, undefined]),
  card(
    "binding",
    (binding) => ({ ...CARD, binding }),
    [SURAH, { type: "command", command: "toggle" }],
    [undefined, {}, "stop", { ...SURAH, surah: 115 }, { type: "file", path: "../x" }, { type: "favorite", id: 99 }],
  ),

  setting("/brightness", "brightness", [0, 255], [-1, 256, 1.5, "200", null, undefined]),
  setting(
    "/timezone",
    "timezone",
    ["<+03>-3", "EST5EDT,M3.2.0,M11.1.0", "UTC0"],
    ["", "Mars", "ت0", "UTC0\n", 3, undefined],
  ),
  setting("/time-format", "time_format_24h", [true, false], [...NO_BOOLEAN, undefined]),
  setting("/auto-off", "auto_off_minutes", [0, 240], [-1, 241, 1.5, "10", undefined]),
  setting(
    "/time",
    "epoch",
    [1_704_067_200, 4_102_444_799, 1_780_000_000],
    [-1, 0, 1_704_067_199, 4_102_444_800, 1.5, "now", undefined],
  ),
  setting("", "max_volume", [0, 100], [-1, 101, 1.5]),
  setting("", "hijri_adjust", [-2, 2, 0], [-3, 3, 0.5]),
  setting("", "stream_retry_min", [0, 1440], [-1, 1441]),
  setting("", "device_name", ["M", "ن".repeat(32)], ["", "x".repeat(33), "a\tb"]),
  setting("", "language", ["ar", "en"], ["fr", 1]),
  setting("", "high_latitude", ["twilight_angle", "auto"], ["none"]),
  setting("", "after_adhan", ["stay_paused", "resume"], ["stop"]),
  setting("", "allow_private_streams", [true, false], NO_BOOLEAN),
  {
    ...setting("/auto-resume", "enabled", [true, false], [...NO_BOOLEAN, undefined]),
    body: (enabled) => ({ enabled }),
  },
  {
    ...setting("/card-removal", "policy", ["pause", "stop", "continue"], ["eject", "", 1, undefined]),
    body: (policy) => ({ policy }),
  },
  {
    ...setting("/wifi", "ssid", ["H", "x".repeat(32)], ["", "x".repeat(33), "ن".repeat(17), "a\nb", 7, undefined]),
    body: (ssid) => ({ ssid, password: "12345678" }),
  },
  {
    ...setting(
      "/wifi",
      "password",
      ["", "12345678", "x".repeat(63), "a".repeat(64)],
      ["1234567", "x".repeat(64), "ن".repeat(8), 12_345_678, undefined],
    ),
    body: (password) => ({ ssid: "Home", password }),
  },
];

let player: Player;
let client: PlayerClient;
let live: LiveSocket;

beforeAll(async () => {
  const memory = await makeCard({ reciters: { Husary: [1, 2] } });
  player = await startPlayer(memory, { PLAYER_DRIVERS: "simulated", PLAYER_LIMITS: "off" });
  client = player.client;
  await untilScanned(client);
  live = await client.socket();
});
afterAll(async () => {
  await live?.close();
  await player?.service.stop();
});

describe.each(RANGES)("POST $path, $field", ({ path, field, event, body, good, bad }) => {
  it("accepts both ends of the range and notifies every client", async () => {
    for (const value of good) {
      const answered = await client.post(path, body(value));
      expect([value, answered.status, answered.body]).toEqual([value, 200, expect.objectContaining({ success: true })]);
      await live.next(event);
      await removeSchedules();
    }
  });

  it("refuses values outside the range with 400 and names the field", async () => {
    const passed: unknown[] = [];
    for (const value of bad) {
      const { status, text } = await client.post(path, body(value));
      const { error, ...rest } = JSON.parse(text);
      if (status === 400 && String(error).startsWith(field) && Object.keys(rest).length === 0) continue;
      // Null in an optional field counts as absent: the answer is that of a body without the field.
      const absent = value === null ? await client.post(path, body(undefined)) : undefined;
      if (absent?.status === status && (status === 200 || absent.text === text)) continue;
      passed.push([value, status, text]);
    }
    expect(passed).toEqual([]);
  });
});

/** The limit is 64. */
async function removeSchedules(): Promise<void> {
  for (const { id } of (await client.get("/api/schedules")).body.schedules) await client.del(`/api/schedules/${id}`);
}

it.each([
  ["POST", "/api/prayer/config", { method: 1 }],
  ["POST", "/api/prayer/test-adhan", {}],
  ["POST", "/api/schedules", SCHEDULE],
  ["DELETE", "/api/schedules/999", undefined],
  ["POST", "/api/schedules/999/enable", { enabled: true }],
  ["GET", "/api/rfid/cards", undefined],
  ["POST", "/api/rfid/cards", CARD],
  ["DELETE", "/api/rfid/cards/00000000", undefined],
  ["GET", "/api/rfid/scan", undefined],
  ["POST", "/api/settings", { max_volume: 1 }],
  ["POST", "/api/settings/wifi", { ssid: "Home", password: "12345678" }],
  ["POST", "/api/settings/brightness", { brightness: 1 }],
  ["POST", "/api/settings/timezone", { timezone: "UTC0" }],
  ["POST", "/api/settings/time-format", { time_format_24h: true }],
  ["POST", "/api/settings/time", { epoch: 1_780_000_000 }],
  ["POST", "/api/settings/auto-resume", { enabled: true }],
  ["POST", "/api/settings/auto-off", { auto_off_minutes: 1 }],
  ["POST", "/api/settings/card-removal", { policy: "stop" }],
  ["POST", "/api/system/sleep", {}],
  ["POST", "/api/reset", {}],
  ["POST", "/api/ota/upload", {}],
  ["POST", "/api/ota/pull", { url: "https://updates.invalid/x" }],
  ["GET", "/api/debug/screenshot", undefined],
  ["GET", "/api/backup", undefined],
  ["POST", "/api/backup", { settings: { volume: 1 } }],
])("answers 401 to %s %s without the token or with a wrong one, and does nothing", async (method, path, body) => {
  const before = (await client.ask(own("GET", "/api/backup"))).text;
  for (const headers of [{}, { authorization: `Bearer ${"0".repeat(64)}` }]) {
    const text = body === undefined ? "" : JSON.stringify(body);
    const refused = await client.ask({ method, path, text, headers });
    expect([refused.status, Object.keys(refused.body)]).toEqual([401, ["error"]]);
  }
  expect((await client.ask(own("GET", "/api/backup"))).text).toBe(before);
});

const own = (method: string, path: string) => ({ method, path, headers: { authorization: `Bearer ${client.token}` } });

it.each([
  ["DELETE", "/api/schedules/999"],
  ["DELETE", "/api/schedules/x"],
  ["DELETE", "/api/rfid/cards/00000000"],
  ["DELETE", "/api/rfid/cards/x"],
  ["POST", "/api/schedules/999/enable"],
])("answers 404 to %s %s with an unknown id", async (method, path) => {
  const answered = await client.ask({ ...own(method, path), text: JSON.stringify({ enabled: true }) });
  expect([answered.status, answered.body]).toEqual([404, { error: expect.stringMatching(/./) }]);
});

it.each(["true", 1, null, undefined])("refuses to enable a schedule with %j", async (enabled) => {
  const { id } = (await client.post("/api/schedules", SCHEDULE)).body;
  const refused = await client.post(`/api/schedules/${id}/enable`, { enabled });
  expect([refused.status, refused.body]).toEqual([400, { error: expect.stringMatching(/^enabled: /) }]);
  await removeSchedules();
});

it("returns that no card was tapped", async () => {
  const { success, ...made } = (await client.post("/api/schedules", { ...SCHEDULE, volume: 40, name: "Morning" })).body;
  expect(success).toBe(true);
  expect(made).toEqual({
    id: expect.any(Number),
    name: "Morning",
    hour: 6,
    minute: 30,
    anchor: null,
    days: 127,
    target: SURAH,
    volume: 40,
    fade_in_s: 0,
    duration_min: 0,
    once: false,
    enabled: true,
    next_run: expect.any(Number),
    last_run: null,
    last_result: "",
  });
  expect((await client.get("/api/schedules")).body).toEqual({ schedules: [made] });
  const received = (data: { id: number }) => data.id === made.id;
  expect((await live.next("schedules", received)).data).toEqual({ action: "added", id: made.id, count: 1 });
  const off = await client.post(`/api/schedules/${made.id}/enable`, { enabled: false });
  expect(off.body).toEqual({ success: true, ...made, enabled: false, next_run: null });
  await live.next("schedules", received);
  expect((await client.del(`/api/schedules/${made.id}`)).body).toEqual({ success: true });
  expect((await live.next("schedules", received)).data).toEqual({ action: "removed", id: made.id, count: 0 });
  expect((await client.post("/api/schedules", SCHEDULE)).body.id).toBeGreaterThan(made.id);
  await removeSchedules();
});

it("stores at most 64 schedules", async () => {
  for (let i = 0; i < 64; i += 1) expect((await client.post("/api/schedules", SCHEDULE)).status).toBe(200);
  const refused = await client.post("/api/schedules", SCHEDULE);
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringMatching(/^schedules: /)]);
  await removeSchedules();
});

it("stores a card in upper case without separators, overwrites it, and reveals its UID in no event", async () => {
  await client.del("/api/rfid/cards/0455667788AABB");
  const made = await client.post("/api/rfid/cards", { ...CARD, uid: "04:55:66:77:88:aa:bb" });
  expect(made.body).toMatchObject({ success: true, uid: "0455667788AABB", created: true });
  const again = await client.post("/api/rfid/cards", {
    ...CARD,
    uid: "0455667788aabb",
    name: "Other",
    on_repeat: "next",
  });
  expect(again.body).toMatchObject({ success: true, created: false });
  const { cards } = (await client.ask(own("GET", "/api/rfid/cards"))).body;
  expect(cards).toContainEqual({
    uid: "0455667788AABB",
    name: "Other",
    binding: SURAH,
    on_repeat: "next",
    on_remove: "inherit",
  });
  expect((await client.del("/api/rfid/cards/04-55-66-77-88-aa-bb")).body).toEqual({ success: true });
  await live.next("cards", ({ action }) => action === "removed");
  expect(JSON.stringify(live.events).toUpperCase()).not.toContain("0455667788AABB");
});

it("returns that no card was tapped yet", async () => {
  expect((await client.ask(own("GET", "/api/rfid/scan"))).body).toEqual({
    uid: "",
    uid_len: 0,
    registered: false,
    age_ms: -1,
  });
});

it("returns the settings with every name, and no credentials", async () => {
  await client.post("/api/settings/wifi", { ssid: "Home", password: "secret-words" });
  await live.next("settings", ({ ssid }) => ssid === "Home");
  const { body, text } = await client.get("/api/settings");
  expect(Object.keys(body).toSorted()).toEqual(
    [
      ...["ssid", "wifi_connected", "ip", "hostname", "brightness", "timezone", "time", "time_synced", "time_source"],
      ...["time_format_24h", "rtc_temperature", "auto_resume", "auto_off_minutes", "card_removal", "volume"],
      ...["max_volume", "device_name", "language", "high_latitude", "hijri_adjust", "after_adhan"],
      ...["stream_retry_min", "allow_private_streams"],
    ].toSorted(),
  );
  expect(body).toMatchObject({ ssid: "Home", wifi_connected: true, time_source: "manual", time_synced: false });
  expect(text).not.toContain("secret");
});

it("returns to the former network after a wrong password, and reports it", async () => {
  await client.post("/api/settings/wifi", { ssid: "Home", password: "secret-words" });
  await live.next("settings", ({ ssid }) => ssid === "Home");
  await client.post("/api/settings/wifi", { ssid: "Cafe", password: "wrong-password" });
  expect((await live.next("error", ({ code }) => code === "wifi")).data.message).toMatch(/^wifi: /);
  await expect
    .poll(async () => (await client.get("/api/settings")).body)
    .toMatchObject({ ssid: "Home", wifi_connected: true });
});

it("returns the system, the battery and the update with their fields", async () => {
  const entries = {
    used_entries: expect.any(Number),
    free_entries: expect.any(Number),
    total_entries: expect.any(Number),
  };
  expect((await client.get("/api/system")).body).toEqual({
    version: "1.0.0",
    uptime: expect.any(Number),
    free_heap: expect.any(Number),
    nvs: { ...entries, bytes: expect.any(Number) },
    boot_failures: [],
    warnings: [],
  });
  const battery = (await client.get("/api/battery")).body;
  expect(battery).toEqual({ present: true, voltage: expect.any(Number), percentage: 100, charging: true });
  // Volts of one lithium cell.
  expect(battery.voltage).toBeCloseTo(4.2, 1);
  expect((await client.get("/api/ota/status")).body).toEqual({
    in_progress: false,
    progress: 0,
    mode: "idle",
    status: "idle",
    error: "",
  });
});

it("sends the complete state in hello, and its events have the shape of the readable state", async () => {
  const listFields = (body: object) => Object.keys(body).toSorted();
  const greeted = await client.socket();
  const [hello] = greeted.events;
  await greeted.close();
  expect(hello).toMatchObject({ type: "hello", seq: expect.any(Number), ts: expect.any(Number) });
  expect(listFields(hello?.data)).toEqual([
    "adhan",
    "battery",
    "boot_id",
    "error",
    "ota",
    "playback",
    "prayer",
    "settings",
    "version",
  ]);
  const routes = { battery: "/api/battery", ota: "/api/ota/status", prayer: "/api/prayer", settings: "/api/settings" };
  await client.post("/api/prayer/config", { method: 0 });
  await client.post("/api/settings/brightness", { brightness: 9 });
  for (const [part, path] of Object.entries(routes)) {
    const shape = listFields((await client.get(path)).body);
    expect([part, listFields(hello?.data[part])]).toEqual([part, shape]);
    const received = live.events.filter(({ type }) => type === part).map(({ data }) => listFields(data));
    for (const each of received) expect([part, each]).toEqual([part, shape]);
  }
  const seqs = live.events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
});

it.each([
  "http://updates.example.com/bundle",
  "https://127.0.0.1/bundle",
  "https://10.0.0.1/bundle",
  "https://169.254.169.254/bundle",
  "https://[::1]/bundle",
  "https://user:word@updates.example.com/bundle",
  "https://updates.invalid/bundle",
  "file:///etc/passwd",
  "bundle",
  "",
  7,
  undefined,
])("refuses to pull an update from %j", async (url) => {
  const refused = await client.post("/api/ota/pull", { url });
  expect([refused.status, refused.body]).toEqual([400, { error: expect.stringMatching(/^url: /) }]);
  expect((await client.get("/api/ota/status")).body).toMatchObject({ in_progress: false, mode: "idle" });
});

it.each([
  ["2000-01", 31],
  ["2099-12", 31],
  ["2028-02", 29],
])("returns the month %s with %i days", async (month, days) => {
  await client.post("/api/prayer/config", { lat: 21.4225, lng: 39.8262 });
  const { status, body } = await client.get(`/api/prayer/month?month=${month}`);
  expect([status, body.days.length]).toEqual([200, days]);
  expect(Object.keys(body.days[0]).toSorted()).toEqual(["date", "epochs", "hijri", "times"]);
});

it.each(["1999-12", "2100-01", "2026-00", "2026-13", "2026-1", "x", ""])("refuses the month '%s'", async (month) => {
  const refused = await client.get(`/api/prayer/month?month=${month}`);
  expect([refused.status, refused.body]).toEqual([400, { error: expect.stringMatching(/^month: /) }]);
});

it("refuses a body that is not an object, or an empty body, with 400", async () => {
  for (const path of ["/api/prayer/config", "/api/schedules", "/api/rfid/cards", "/api/settings", "/api/backup"])
    for (const text of ["", "[]", "7", '"x"', "{", "{}", "null"]) {
      const refused = await client.ask({ ...own("POST", path), text });
      expect([path, text, refused.status, Object.keys(refused.body)]).toEqual([path, text, 400, ["error"]]);
    }
});

it.each([
  [{}, /^body: /],
  [{ settings: { volume: 101 } }, /^settings\.volume: /],
  [{ settings: { volume: 1 }, schedules: [{ id: 1 }] }, /^schedules\.0/],
  [
    { settings: { volume: 1 }, cards: [{ ...CARD, uid: "04", on_repeat: "next", on_remove: "stop" }] },
    /^cards\.0\.uid: /,
  ],
  [{ settings: { volume: 1 }, prayer: { lat: 91, lng: 0 } }, /^prayer\.lat: /],
])("refuses the backup %j and saves none of it", async (backup, why) => {
  const before = (await client.ask(own("GET", "/api/backup"))).text;
  const refused = await client.post("/api/backup", backup);
  expect([refused.status, refused.body]).toEqual([400, { error: expect.stringMatching(why) }]);
  expect((await client.ask(own("GET", "/api/backup"))).text).toBe(before);
});

describe("the player with budgets", () => {
  // A request that is refused because of its token also counts, so these requests need no effect.
  it.each([
    [["/api/settings/wifi"], "POST", 3],
    [["/api/system/sleep"], "POST", 3],
    [["/api/reset"], "POST", 3],
    [["/api/ota/upload"], "POST", 2],
    [["/api/ota/pull"], "POST", 2],
    [["/api/debug/screenshot"], "GET", 10],
    [["/api/prayer/test-adhan"], "POST", 20],
    [["/api/schedules", "/api/rfid/cards", "/api/settings/brightness", "/api/prayer/config"], "POST", 30],
  ])("answers 429 to %j after %s number %i", async (paths, method, limit) => {
    const { client: guest } = await startPlayerForTest(await makeCard({ reciters: {} }), {
      PLAYER_DRIVERS: "simulated",
    });
    const statuses: number[] = [];
    for (let i = 0; i <= limit; i += 1)
      statuses.push((await guest.ask({ method, path: paths[i % paths.length] ?? "" })).status);
    expect(statuses).toEqual([...Array(limit).fill(401), 429]);
    const refused = await guest.ask({ method, path: paths[0] ?? "" });
    expect(refused.body).toEqual({ error: expect.stringMatching(/./) });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await guest.get("/api/prayer")).status).toBe(200);
  });
});
