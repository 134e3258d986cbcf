import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../storage/database.ts";
import { createHifzDaysStore } from "./hifz-days.store.ts";
import { createResumePositionStore } from "./resume-position.store.ts";

async function openTemporary() {
  const folder = await mkdtemp(join(tmpdir(), "resume-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return openDatabase(folder, createFakeClock()).database;
}

const POSITION = {
  path: "Husary/002.mp3",
  reciter: "Husary",
  surah: 2,
  position_ms: 61_234,
  was_running: true,
  saved_at: 1_767_225_600,
};

it("keeps one position for each file, the newest last, until it is removed", async () => {
  const database = await openTemporary();
  const store = createResumePositionStore(database);
  const other = { ...POSITION, path: "Husary/005.mp3", surah: 5 };
  expect(store.list()).toEqual([]);
  store.save(POSITION);
  store.save(other);
  store.save({ ...POSITION, position_ms: 70_000, was_running: false });
  expect(createResumePositionStore(database).list()).toEqual([
    other,
    { ...POSITION, position_ms: 70_000, was_running: false },
  ]);
  store.remove(POSITION.path);
  store.remove(POSITION.path);
  expect(store.list()).toEqual([other]);
});

it("forgets the position that was saved first when there are more than 200", async () => {
  const store = createResumePositionStore(await openTemporary());
  for (let file = 0; file <= 200; file += 1) store.save({ ...POSITION, path: `Husary/${file}.mp3` });
  expect(store.list()).toHaveLength(200);
  expect(store.list()[0]?.path).toBe("Husary/1.mp3");
});

it.each(["path = ''", "surah = 115", "surah = -1", "position_ms = -1"])("ignores a position with %s", async (wrong) => {
  const database = await openTemporary();
  const store = createResumePositionStore(database);
  store.save(POSITION);
  database.command(`UPDATE resume_places SET ${wrong}`)();
  expect(store.list()).toEqual([]);
});

it("counts play-throughs per date, and removes the oldest of more than 400 dates", async () => {
  const database = await openTemporary();
  const days = createHifzDaysStore(database);
  days.add("2026-01-01");
  days.add("2026-01-02");
  days.add("2026-01-02");
  expect(days.count("2026-01-01")).toBe(1);
  expect(days.count("2026-01-02")).toBe(2);
  expect(days.count("2026-01-03")).toBe(0);
  const fillUp = database.command("INSERT INTO hifz_days (date, count) VALUES (date('2026-02-01', ?), 1)");
  for (let i = 0; i < 398; i += 1) fillUp(`${i} days`);
  days.add("2026-01-02");
  expect(days.count("2026-01-01")).toBe(1);
  days.add("2028-01-01");
  expect(days.count("2026-01-01")).toBe(0);
  expect(days.count("2026-01-02")).toBe(3);
});
