import { Problem } from "@kit/problem";
import { listShownMetrics, readDocumentedMetrics } from "@kit/testing/metrics-document";
import { findMetricsFaults, hasPromtool } from "@kit/testing/promtool";
import { expect, it } from "vitest";
import { createTestPlayer, TOKEN } from "../../testing/test-player.ts";
import { createAdhanLogService } from "../prayer/adhan-log.service.ts";

const OWNER = { authorization: `Bearer ${TOKEN}` };

it("needs the device's token", async () => {
  const { app } = await createTestPlayer();
  expect((await app.inject("/metrics")).statusCode).toBe(401);
  const answered = await app.inject({ url: "/metrics", headers: OWNER });
  expect(answered.statusCode).toBe(200);
  expect(answered.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
});

it("shows playback, storage, parts, failures, the clock and adhans, and no name", async () => {
  const cardFolder = `${import.meta.dirname}/no-such-card`;
  const player = await createTestPlayer({ cardFolder });
  const { app, engine, clock } = player;
  engine.refuseStart(new Problem("failed", "audio: mpv is not installed"));
  await player.start();
  await clock.advance(1000);
  const lines = (await app.inject({ url: "/metrics", headers: OWNER })).body.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'manara_player_build_info{version="1.2.3"} 1',
      'manara_player_playback_state{state="playing"} 0',
      'manara_player_playback_state{state="stopped"} 1',
      expect.stringMatching(/^manara_player_storage_free_bytes\{storage="data"\} \d+$/),
      'manara_player_part_fitted{part="battery"} 1',
      'manara_player_component_failed{component="audio"} 1',
      "manara_player_clock_valid 1",
      'manara_player_adhans_total{phase="skipped"} 0',
      "manara_player_clients 0",
      "manara_player_measures_failed 0",
    ]),
  );
  const found = lines.filter((line) => /^manara_player_(last_adhan|storage_free_bytes\{storage="card")/.test(line));
  expect(found).toEqual([]);
  await player.close();
});

it("knows the last adhan, but none that a wrong clock has put into the future", () => {
  let nowMs = 1_800_000_000_000;
  const calls = [
    { date: "2026-01-01", prayer: "dhuhr" as const, fired_at: 0 },
    { date: "2027-01-15", prayer: "fajr" as const, fired_at: 1_799_990_000 },
  ];
  const store = { list: () => calls, add: () => undefined, remove: () => undefined };
  const called = createAdhanLogService({ store, time: { now: () => nowMs }, tryWrite: (write) => write() });
  expect(called.lastEpoch()).toBe(1_799_990_000);
  called.add({ date: "2027-01-15", prayer: "dhuhr" });
  expect(called.lastEpoch()).toBe(1_800_000_000);
  nowMs -= 5_000_000;
  expect(called.lastEpoch()).toBe(1_799_990_000);
  nowMs -= 50_000_000;
  expect(called.lastEpoch()).toBeUndefined();
});

it("shows what the document lists, and nothing else", async () => {
  const player = await createTestPlayer();
  await player.start();
  const { body } = await player.app.inject({ url: "/metrics", headers: OWNER });
  expect(listShownMetrics(body)).toEqual(await readDocumentedMetrics("player"));
  await player.close();
});

it.runIf(hasPromtool())("passes Prometheus' own check", async () => {
  const player = await createTestPlayer();
  await player.start();
  await player.app.inject("/api/system");
  const { body } = await player.app.inject({ url: "/metrics", headers: OWNER });
  expect(await findMetricsFaults(body)).toBe("");
  await player.close();
});
