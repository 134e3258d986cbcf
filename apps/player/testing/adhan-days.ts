import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import fc from "fast-check";
import type { CreateScheduleRequest } from "../src/schedules/schedules.schema.ts";
import { type AdhanWorld, AZAN, buildPrayerDay, createAdhanWorld } from "./adhan-world.ts";
import { createMortalEngine, type MortalEngine } from "./crashing-engine.ts";

const DAY_S = 86_400;
const FIRST_DAY = 20_500;
const MINUTE_S = 60;
/** The minutes around each prayer that are simulated; between them the device sleeps. */
const BEFORE_S = 4 * MINUTE_S;
const AFTER_S = 3 * MINUTE_S;
const STREAM = "http://radio.example/live";
const CARD = "/card";
const TONE = "/data/tone.wav";
const AZAN_MS = 75_000;
const TONE_MS = 3000;
const SURAH_MS = 10 * 60_000;

/** Events of the device: choices of people and of the clock, and failures of the environment. */
type Deed =
  | { deed: "play"; path: string }
  | { deed: "stream"; lookUpMs: number }
  | { deed: "pause" | "resume" | "stop" | "next" | "press" | "test" }
  | { deed: "tap"; path: string }
  | { deed: "seek"; positionMs: number }
  | { deed: "mode"; pause_s: number }
  | { deed: "volume"; volume: number }
  | { deed: "sleep_timer"; minutes: number }
  | { deed: "set_clock"; byS: number }
  | { deed: "pull" | "insert" }
  | { deed: "hang"; ms: number }
  | { deed: "die" | "vanish"; ms: number }
  | { deed: "network"; isUp: boolean };

/** How a person ends the playing adhan. */
const ENDING: readonly Deed["deed"][] = [
  "play",
  "stream",
  "pause",
  "stop",
  "next",
  "press",
  "tap",
  "test",
  "set_clock",
];

interface TimedDeed {
  /** Seconds after the prayer. */
  atS: number;
  deed: Deed;
}

interface Window {
  deeds: TimedDeed[];
  schedules: CreateScheduleRequest[];
}

const path = fc.constantFrom("Husary/001.wav", "Husary/002.wav", "Husary/018.wav", "Husary/114.wav");
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ deed: fc.constant("play" as const), path }),
  fc.record({ deed: fc.constant("tap" as const), path }),
  fc.record({ deed: fc.constant("stream" as const), lookUpMs: fc.constantFrom(0, 600, 5000) }),
  fc.record({ deed: fc.constantFrom("pause", "resume", "stop", "next", "press", "test" as const) }),
  fc.record({ deed: fc.constant("seek" as const), positionMs: fc.integer({ min: 0, max: 700_000 }) }),
  fc.record({ deed: fc.constant("mode" as const), pause_s: fc.integer({ min: 0, max: 600 }) }),
  fc.record({ deed: fc.constant("volume" as const), volume: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ deed: fc.constant("sleep_timer" as const), minutes: fc.integer({ min: 0, max: 5 }) }),
  fc.record({
    deed: fc.constant("set_clock" as const),
    byS: fc.constantFrom(-DAY_S, -3600, -300, -90, -2, 2, 90, 300, 3600, DAY_S),
  }),
  fc.record({ deed: fc.constantFrom("pull", "insert" as const) }),
  fc.record({ deed: fc.constant("hang" as const), ms: fc.constantFrom(500, 1900, 2100, 60_000) }),
  fc.record({ deed: fc.constantFrom("die", "vanish" as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
  fc.record({ deed: fc.constant("network" as const), isUp: fc.boolean() }),
);
/** Half of them fall on the seconds around the prayer, where races occur. */
const atS = fc.oneof(
  fc.integer({ min: -BEFORE_S * 1000, max: AFTER_S * 1000 }).map((ms) => ms / 1000),
  fc.integer({ min: -6000, max: 3000 }).map((ms) => ms / 1000),
);
const target = fc.oneof(
  fc.record({ type: fc.constant("file" as const), path }),
  fc.constant({ type: "stream" as const, url: STREAM }),
  fc.constant({ type: "surah" as const, reciter: "Husary", surah: 36 }),
  fc.constantFrom("stop", "pause", "toggle", "next").map((command) => ({ type: "command" as const, command })),
);
const schedule = fc.record({
  offset_min: fc.integer({ min: -3, max: 2 }),
  isAnchored: fc.boolean(),
  duration_min: fc.constantFrom(0, 0, 1, 2, 3, 4),
  fade_in_s: fc.constantFrom(0, 0, 30),
  target,
});

const prayerWindow = (prayer: number, timeS: number): fc.Arbitrary<Window> =>
  fc.record({
    deeds: fc.array(fc.record({ atS, deed }), { maxLength: 6 }),
    schedules: fc.array(
      schedule.map(({ offset_min, isAnchored, ...rest }) => {
        const minute = timeS / MINUTE_S + offset_min;
        const when = isAnchored
          ? { anchor: { prayer, offset_min } }
          : { hour: Math.floor(minute / 60), minute: minute % 60 };
        return { days: 127, once: true, ...rest, ...when };
      }),
      { maxLength: 3 },
    ),
  });

export interface DayReport {
  due: number;
  ended: number;
  /** Ended by a person, by a clock that was set, or by an engine that could not be restarted. */
  excused: number;
  /** Description of the error; empty when every adhan played correctly. */
  problems: string[];
}

/** One day of a device, chosen by its seed: the five prayers, each with what happens around it. */
export async function simulateDay(seed: number): Promise<DayReport> {
  const today = FIRST_DAY + (seed % 300);
  const { date, epochs } = buildPrayerDay(today);
  const device = createDevice(new Date(`${date}T00:00:00Z`));
  const { world, journal } = device;
  try {
    world.start();
    for (const [prayer, epoch] of epochs.entries()) {
      // Sunrise has no adhan.
      if (prayer === 1) continue;
      const window = fc.sample(prayerWindow(prayer, epoch - today * DAY_S), { numRuns: 1, seed: seed * 7 + prayer })[0];
      if (window) await live(device, epoch, window);
    }
    return journal.report();
  } finally {
    await world.close();
  }
}

interface Device {
  world: AdhanWorld;
  journal: Journal;
  clock: FakeClock;
  engine: MortalEngine;
  card: { isIn: boolean; hangsUntilMs: number };
}

function createDevice(start: Date): Device {
  const clock = createFakeClock(start);
  const card = { isIn: true, hangsUntilMs: 0 };
  const engine = createMortalEngine({
    clock,
    durationMs: (location) => {
      if (location === TONE) return TONE_MS;
      if (!card.isIn) return undefined;
      return location === `${CARD}/${AZAN}` ? AZAN_MS : SURAH_MS;
    },
  });
  const measureSound = () => ({ azan: engine.soundedMs(`${CARD}/${AZAN}`), tone: engine.soundedMs(TONE) });
  const world = createAdhanWorld({ clock, engine, cardFolder: CARD, tone: TONE, card, measureSound });
  return { world, clock, engine, card, journal: createJournal(world, clock) };
}

async function live(device: Device, epoch: number, { deeds, schedules }: Window): Promise<void> {
  const { world, journal, clock, card } = device;
  journal.setClock(epoch - BEFORE_S);
  for (const request of schedules) void world.schedules.add(request).catch(ignoreProblem);
  // On the monotonic clock: setting the clock does not move the actions of people.
  const prayerMs = clock.monotonicMs() + BEFORE_S * 1000;
  for (const { atS: at, deed: next } of deeds.toSorted((one, other) => one.atS - other.atS)) {
    await clock.advance(Math.max(0, prayerMs + at * 1000 - clock.monotonicMs()));
    journal.note(next);
    void perform(device, next);
    await clock.advance(0);
  }
  await clock.advance(Math.max(0, prayerMs + AFTER_S * 1000 - clock.monotonicMs()));
  // Processes of one prayer must not disturb the next.
  card.hangsUntilMs = 0;
  card.isIn = true;
  world.network.isUp = true;
  await clock.advance(60_000);
  for (const { id } of world.schedules.list()) world.schedules.remove(String(id));
  journal.note({ deed: "stop" });
  world.playback.stop();
  await clock.advance(0);
}

async function perform(device: Device, next: Deed): Promise<void> {
  try {
    await performNow(device, next);
  } catch (error) {
    ignoreProblem(error);
  }
}

function ignoreProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

async function performNow({ world, journal, clock, engine, card }: Device, next: Deed): Promise<void> {
  const { playback, targets, network } = world;
  switch (next.deed) {
    case "play":
      await playback.play({ path: next.path });
      break;
    case "stream":
      network.lookUpMs = next.lookUpMs;
      await playback.play({ url: STREAM });
      break;
    case "tap":
      if (playback.isInterrupted()) playback.endInterruption();
      else await targets.run({ type: "file", path: next.path }, { continues: true });
      break;
    case "pause":
      playback.pause();
      break;
    case "resume":
      playback.resume();
      break;
    case "stop":
      playback.stop();
      break;
    case "next":
      await playback.next();
      break;
    case "press":
      playback.endInterruption();
      break;
    case "test":
      await world.adhan.test();
      break;
    case "seek":
      playback.seek(next.positionMs);
      break;
    case "mode":
      playback.setMode({ mode: "hifz_repeat", pause_s: next.pause_s });
      break;
    case "volume":
      playback.setVolume(next.volume);
      break;
    case "sleep_timer":
      playback.setSleepTimer(next.minutes);
      break;
    case "set_clock":
      journal.setClock(world.now() / 1000 + next.byS);
      break;
    case "pull":
      world.pullCard();
      engine.breakFile(CARD);
      break;
    case "insert":
      card.isIn = true;
      break;
    case "hang":
      card.hangsUntilMs = clock.monotonicMs() + next.ms;
      break;
    case "die":
      engine.die(next.ms);
      break;
    case "vanish":
      engine.vanish(next.ms);
      break;
    case "network":
      network.isUp = next.isUp;
      engine.setNetwork(next.isUp);
      break;
    default:
      next satisfies never;
  }
}

interface Expected {
  prayer: string;
  /** By the monotonic clock. */
  atMs: number;
}

type Change = AdhanWorld["changes"][number];
type Journal = ReturnType<typeof createJournal>;

const MAX_CORRECTION_S = 120;
const LATEST_S = 60;
/** The card may need two seconds, and a dead engine some more. */
const MAX_CARD_MS = 2100;
const MAX_DELAY_MS = 62_000;
const NAMES = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"];

/** Tracks, independently of the service, which adhans are due and who ended them. */
function createJournal(world: AdhanWorld, clock: Pick<FakeClock, "monotonicMs">) {
  const { changes } = world;
  const notes: { deed: Deed["deed"]; atMs: number }[] = [];
  const expected: Expected[] = [];
  const calls = new Map<string, number>();
  let since = { wallS: world.now() / 1000, atMs: clock.monotonicMs() };

  /** The clock ran from the last setting to now. */
  function passTime(): void {
    const nowS = world.now() / 1000;
    const first = Math.floor(since.wallS / DAY_S) - 1;
    const days = Array.from({ length: Math.floor(nowS / DAY_S) + 2 - first }, (_, index) => first + index);
    const prayers = days.flatMap((day) =>
      buildPrayerDay(day).epochs.map((epoch, index) => ({ key: `${day} ${index}`, prayer: NAMES[index] ?? "", epoch })),
    );
    const shown = prayers
      .filter(({ prayer }) => prayer !== "sunrise")
      .filter(({ epoch }) => since.wallS <= epoch + LATEST_S && nowS >= epoch);
    for (const { key, prayer, epoch } of shown.toSorted((one, other) => one.epoch - other.epoch)) {
      if (calls.has(key)) continue;
      const wallS = Math.max(epoch, since.wallS);
      calls.set(key, Math.floor(wallS));
      expected.push({ prayer, atMs: Math.round(since.atMs + (wallS - since.wallS) * 1000) });
    }
  }

  function setClock(toS: number): void {
    passTime();
    for (const [key, wallS] of calls) if (wallS > toS + MAX_CORRECTION_S) calls.delete(key);
    since = { wallS: toS, atMs: clock.monotonicMs() };
    world.setClock(toS);
  }

  function isExcused(from: Change, to: Change): boolean {
    const during = (atMs: number) => atMs >= from.atMs && atMs <= to.atMs;
    const isReplaced = changes.some((each) => each !== from && each.phase === "started" && during(each.atMs));
    const isLost = notes.some(({ deed: noted, atMs }) => noted === "vanish" && during(atMs));
    return isReplaced || isLost || notes.some(({ deed: noted, atMs }) => ENDING.includes(noted) && during(atMs));
  }

  /** The clock was set, possibly past the prayer, while the adhan waited for its file or for the engine. */
  function isSetWhilePrepared({ prayer, atMs }: Expected): boolean {
    const first = changes.find((change) => change.prayer === prayer && change.atMs >= atMs);
    const isSkipped = first?.phase === "skipped" && first.atMs <= atMs + MAX_DELAY_MS;
    const readyMs = isSkipped ? first.atMs : atMs + MAX_CARD_MS;
    return notes.some(({ deed: noted, atMs: at }) => noted === "set_clock" && at >= atMs && at <= readyMs);
  }

  function judge({ prayer, atMs }: Expected, counts: DayReport): string | undefined {
    const name = `${prayer} at ${atMs / 1000} s`;
    const isMine = (change: Change) => change.prayer === prayer && change.atMs >= atMs;
    const started = changes.find((change) => isMine(change) && change.phase === "started");
    if (!started || started.atMs > atMs + MAX_DELAY_MS) return `${name} did not start`;
    const isSilentBefore = notes.some(({ deed: noted, atMs: at }) => isDeath(noted) && at >= atMs - 25_000);
    if (started.atMs > atMs + MAX_CARD_MS && !isSilentBefore) return `${name} started ${started.atMs - atMs} ms late`;
    const end = changes.slice(changes.indexOf(started) + 1).find(({ prayer: ended }) => ended === prayer);
    if (!end) return `${name} has no end`;
    if (end.phase === "ended") counts.ended += 1;
    else counts.excused += 1;
    return end.phase === "ended" ? judgeSound(name, started, end) : judgeStop(name, started, end);
  }

  function judgeStop(name: string, started: Change, end: Change): string | undefined {
    return isExcused(started, end) ? undefined : `${name} was ${end.phase} after ${end.atMs - started.atMs} ms`;
  }

  function judgeSound(name: string, started: Change, end: Change): string | undefined {
    // An engine that dies loses a moment, and may sound a moment twice.
    const azanMs = end.soundedMs.azan - started.soundedMs.azan;
    const toneMs = end.soundedMs.tone - started.soundedMs.tone;
    const isWhole = azanMs >= AZAN_MS - 2000 || toneMs >= TONE_MS - 500;
    return isWhole ? undefined : `${name} sounded for ${azanMs} ms, its tone for ${toneMs} ms`;
  }

  return {
    note: ({ deed: noted }: Deed) => notes.push({ deed: noted, atMs: clock.monotonicMs() }),
    setClock,

    report(): DayReport {
      passTime();
      const due = expected.filter((each) => !isSetWhilePrepared(each));
      const counts: DayReport = { due: due.length, ended: 0, excused: 0, problems: [] };
      for (const each of due) {
        const problem = judge(each, counts);
        if (problem !== undefined) counts.problems.push(problem);
      }
      const started = changes.filter(({ phase, prayer }) => phase === "started" && prayer !== "test").length;
      if (started < due.length) counts.problems.push(`${started} of ${due.length} started`);
      return counts;
    },
  };
}

function isDeath(noted: Deed["deed"]): boolean {
  return noted === "die" || noted === "vanish";
}
