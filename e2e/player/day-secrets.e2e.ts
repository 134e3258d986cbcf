import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { simulatedBundle } from "@player/service/testing/simulated-bundle";
import { expect, it } from "vitest";
import { makeCard } from "./card.ts";
import { type Answer, createPlayerClient } from "./client.ts";
import { askBytes, execute, startSimulatedForTest } from "./simulator.ts";

const clock = createClock();
const PASSWORDS = ["Zanzibar-Kettle-77", "Qf!7sho", "wrong-password", "Nightingale ".repeat(7)];

it("reveals neither a token nor a Wi-Fi password in an answer, an event or the log", async () => {
  const { service, client } = await startSimulatedForTest(await makeCard({ reciters: { Husary: [1, 2] } }));
  const { token, ask, get, post, del } = client;
  const shown: string[] = [];
  const keep = ({ headers, text }: Answer) => shown.push(JSON.stringify(headers), text);
  const getOwn = (path: string, sent = token) =>
    ask({ method: "GET", path, headers: { authorization: `Bearer ${sent}` } });
  const live = await client.socket();
  const surah = { type: "surah", reciter: "Husary", surah: 1 };
  // Holding the button opens the pairing screen, which shows the token to a person in front of the device.
  await execute(service, { button: "down" });
  await clock.sleep(2200);
  await execute(service, { button: "up" });
  const steps: (() => Promise<Answer>)[] = [
    ...PASSWORDS.map((password) => () => post("/api/settings/wifi", { ssid: "Home", password })),
    () => post("/api/settings/wifi", { ssid: "", password: PASSWORDS[0] }),
    () => post("/api/settings/wifi", { ssid: 7, password: PASSWORDS[0] }),
    () => post("/api/settings/wifi", { ssid: "x".repeat(33), password: PASSWORDS[0] }),
    () => post("/api/settings", { password: PASSWORDS[0], ssid: "Home" }),
    () =>
      ask({ method: "POST", path: "/api/settings/wifi", text: JSON.stringify({ ssid: "H", password: PASSWORDS[0] }) }),
    () =>
      ask({
        method: "POST",
        path: "/api/settings/wifi",
        text: `{"password":"${PASSWORDS[0]}",`,
        headers: { authorization: `Bearer ${token}` },
      }),
    () => get("/api/settings"),
    () => get("/api/pairing"),
    () => ask({ method: "POST", path: "/api/pairing", text: JSON.stringify({ code: "1" }) }),
    () => get("/api/prayer"),
    () => post("/api/prayer/config", { lat: 21.4, lng: 39.8 }),
    () => post("/api/prayer/config", { lat: 91, lng: 39.8 }),
    () => get("/api/prayer/month?month=2026-11"),
    () => post("/api/prayer/test-adhan"),
    () => post("/api/schedules", { hour: 1, minute: 1, days: 1, target: surah }),
    () => post("/api/schedules", { hour: 99 }),
    () => get("/api/schedules"),
    () => post("/api/schedules/1/enable", { enabled: false }),
    () => del("/api/schedules/1"),
    () => post("/api/rfid/cards", { uid: "04A1B2C3", name: "A", binding: surah }),
    () => getOwn("/api/rfid/cards"),
    () => getOwn("/api/rfid/scan"),
    () => del("/api/rfid/cards/04A1B2C3"),
    () => post("/api/settings/brightness", { brightness: 1 }),
    () => post("/api/settings/timezone", { timezone: "UTC0" }),
    () => post("/api/settings/time-format", { time_format_24h: true }),
    () => post("/api/settings/time", { epoch: 1_780_000_000 }),
    () => post("/api/settings/auto-resume", { enabled: true }),
    () => post("/api/settings/auto-off", { auto_off_minutes: 1 }),
    () => post("/api/settings/card-removal", { policy: "stop" }),
    () => get("/api/system"),
    () => get("/api/battery"),
    () => post("/api/system/sleep"),
    () => get("/api/ota/status"),
    () => post("/api/ota/pull", { url: `https://user:${token}@updates.invalid/x` }),
    () => post("/api/ota/pull", { url: `https://updates.invalid/${token}` }),
    () => getOwn("/api/backup"),
    () => post("/api/backup", { settings: { volume: 3 } }),
    () => post("/api/backup", { settings: { volume: 300 } }),
    () => getOwn("/api/rfid/cards", `${token.slice(0, 63)}x`),
    () => getOwn(`/api/rfid/cards?token=${token}`, ""),
  ];
  for (const step of steps) keep(await step());
  // The device joins the networks after it has answered.
  await clock.sleep(1500);
  const picture = await askBytes(service, { method: "GET", path: "/api/debug/screenshot", token });
  const update = await askBytes(service, { method: "POST", path: "/api/ota/upload", token, body: simulatedBundle() });
  for (const { headers, bytes } of [picture, update]) shown.push(JSON.stringify(headers), bytes.toString("latin1"));
  await live.next("ota", ({ status }) => status === "success", 20_000);
  keep(await post("/api/reset"));
  const renewed = (await readFile(join(service.dataFolder, "token"), "utf8")).trim();
  const owner = await createPlayerClient(service);
  for (const path of ["/api/settings", "/api/system", "/api/prayer"]) keep(await owner.get(path));
  const greeted = await owner.socket();
  keep(await owner.post("/api/settings/wifi", { ssid: "Home", password: PASSWORDS[0] }));
  await clock.sleep(1500);
  await greeted.close();
  await live.close();
  await service.stop();

  const events = [...live.events, ...greeted.events].map((event) => JSON.stringify(event));
  const log = service.output().split("\n");
  expect(live.events.length).toBeGreaterThan(30);
  expect(service.output()).toContain("joined a network");
  // Not even a part of a token, such as a wrong token in the log.
  const parts = [token, renewed].flatMap((secret) =>
    Array.from({ length: 14 }, (_, at) => secret.slice(at * 4, at * 4 + 12)),
  );
  const secrets = [...parts, ...PASSWORDS.map((password) => password.toLowerCase())];
  const leaks = [...shown, ...events, ...log].filter((text) =>
    secrets.some((secret) => text.toLowerCase().includes(secret)),
  );
  expect(leaks).toEqual([]);
});
