import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import type { LibraryService } from "../library/library.service.ts";
import type { Interruption, InterruptionEnd, Sound } from "../playback/interruption.ts";
import type { PlaybackService } from "../playback/playback.service.ts";
import type { TimeService } from "../time/time.service.ts";
import type { AdhanChange } from "./adhan.schema.ts";
import { type Adhan, type AdhanPlan, LATEST_S, type PrayerDay, planAdhans } from "./adhan.ts";
import type { CalledAdhansService } from "./adhan-log.service.ts";
import type { PrayerConfig } from "./prayer.schema.ts";

export interface AdhanServiceDeps {
  prayer: {
    days(): { yesterday: PrayerDay; today: PrayerDay; tomorrow: PrayerDay } | undefined;
    config(): Pick<PrayerConfig, "adhan">;
    onChange(listener: () => void): () => void;
  };
  time: Pick<TimeService, "now" | "isValid" | "onChange">;
  playback: Pick<PlaybackService, "interrupt" | "openEngine" | "reserveInterruption">;
  library: Pick<LibraryService, "resolve">;
  /** Returns the path of the built-in tone. */
  openTone: () => Promise<string>;
  afterAdhan: () => "resume" | "stay_paused";
  called: Pick<CalledAdhansService, "has" | "add" | "forgetFuture">;
  events: Pick<Events, "emit">;
  /** Called for every phase of every adhan. */
  changed: (change: AdhanChange) => void;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}
export type AdhanService = ReturnType<typeof createAdhanService>;

/** Timers stop while the device sleeps, so no timer is set for longer than this. */
const MAX_WAIT_MS = 30_000;
const ENGINE_RETRY_MS = 2000;

/** Plays the call to prayer at its time, if the clock is valid. */
export function createAdhanService(deps: AdhanServiceDeps) {
  const { prayer, time, playback, library, openTone, afterAdhan, called, events, changed, clock, log } = deps;
  const timer = createTimer(clock);
  /** The adhans that are playing; a second one replaces the first, which is reported as ended a moment later. */
  const playing: AdhanChange["prayer"][] = [];
  const counts = { started: 0, skipped: 0 };
  let stopListening: (() => void)[] = [];
  /** Epoch seconds of the last check; undefined while no adhan could be called. */
  let seenS: number | undefined;

  function plan(nowS: number): AdhanPlan | undefined {
    const days = prayer.days();
    const { enabled, prayer_mask } = prayer.config().adhan;
    if (!days || !enabled || !time.isValid()) return undefined;
    const { yesterday, today, tomorrow } = days;
    return planAdhans({
      days: [yesterday, today, tomorrow],
      prayer_mask,
      hasFired: called.has,
      seenS: seenS ?? nowS,
      nowS,
    });
  }

  function check(): void {
    const nowMs = time.now();
    if (time.isValid()) called.forgetFuture();
    const planned = plan(nowMs / 1000);
    seenS = planned && nowMs / 1000;
    const untilNextMs = planned?.next ? planned.next.epoch * 1000 - nowMs : MAX_WAIT_MS;
    timer.set(Math.min(untilNextMs, MAX_WAIT_MS), check);
    for (const missed of planned?.missed ?? []) skip(missed.prayer, "the clock went past it");
    for (const due of planned?.due ?? []) fire(due);
  }

  function fire(adhan: Adhan): void {
    // Record it first: if the device crashes during the adhan, it must not start it again.
    called.add(adhan);
    log.info({ prayer: adhan.prayer, date: adhan.date }, "adhan");
    // Before anything is awaited: a schedule of the same second must find the place taken.
    const giveUpPlace = playback.reserveInterruption();
    void skipOnProblem(adhan.prayer, () => call(adhan)).finally(giveUpPlace);
  }

  async function skipOnProblem(name: AdhanChange["prayer"], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      events.emit("error", { code: "adhan", message: error.message });
      skip(name, error.message);
    }
  }

  function skip(missed: AdhanChange["prayer"], why: string): void {
    log.warn({ prayer: missed, why }, "adhan skipped");
    if (missed !== "test") counts.skipped += 1;
    changed({ phase: "skipped", prayer: missed });
  }

  async function call(adhan: Adhan): Promise<void> {
    await playInTime(adhan, await soundFor(adhan.prayer), false);
  }

  /** Restarts when the engine was lost soon after the start. */
  async function playInTime(adhan: Adhan, sound: Interruption, isAgain: boolean): Promise<void> {
    await openEngineInTime(adhan);
    // The card and the engine may have taken long; a call to a prayer that began long ago misleads.
    if (isTooLate(adhan)) {
      if (!isAgain) skip(adhan.prayer, "the device was not ready in time");
      return;
    }
    const how = await playSound(adhan.prayer, sound);
    if (how === "lost" && !isTooLate(adhan)) await playInTime(adhan, sound, true);
  }

  function isTooLate({ epoch }: Adhan): boolean {
    return time.now() / 1000 - epoch > LATEST_S;
  }

  /** An engine that does not start now may start a moment later. */
  async function openEngineInTime(adhan: Adhan): Promise<void> {
    try {
      await playback.openEngine();
    } catch (error) {
      if (!(error instanceof Problem) || isTooLate(adhan)) throw error;
      await clock.sleep(ENGINE_RETRY_MS);
      if (stopListening.length === 0) throw error;
      await openEngineInTime(adhan);
    }
  }

  async function playSound(name: AdhanChange["prayer"], sound: Interruption): Promise<InterruptionEnd> {
    playing.push(name);
    if (name !== "test") counts.started += 1;
    changed({ phase: "started", prayer: name });
    const how = await playback.interrupt(sound).finally(() => playing.splice(playing.indexOf(name), 1));
    changed({ phase: how === "ended" ? "ended" : "stopped", prayer: name });
    return how;
  }

  async function soundFor(name: AdhanChange["prayer"]): Promise<Interruption> {
    const { volume, path, fajr_path } = prayer.config().adhan;
    const isOwn = name === "fajr" && fajr_path !== "";
    const file = await findFile(isOwn ? "adhan.fajr_path" : "adhan.path", isOwn ? fajr_path : path);
    const after = afterAdhan();
    if (!file) return { ...(await tone()), volume, after };
    return { ...file, volume, after, fallback: await spareTone() };
  }

  /** When no file is configured, or it is missing, the device uses its own tone. */
  async function findFile(field: string, path: string): Promise<Sound | undefined> {
    if (path === "") return undefined;
    try {
      const file = await library.resolve(path);
      return { path: file.absolute, name: file.path };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const message = `${field}: '${path}' cannot be played, so the built-in tone is`;
      log.warn({ err: error }, "playing the adhan file failed");
      events.emit("error", { code: "adhan", message });
      return undefined;
    }
  }

  async function tone(): Promise<Sound> {
    return { path: await openTone(), name: "" };
  }

  async function spareTone(): Promise<Sound | undefined> {
    try {
      return await tone();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      log.warn({ err: error }, "fallback tone unavailable");
      return undefined;
    }
  }

  return {
    start(): void {
      if (stopListening.length > 0) return;
      stopListening = [time.onChange(check), prayer.onChange(check)];
      check();
    },

    close(): void {
      timer.cancel();
      for (const stop of stopListening) stop();
      stopListening = [];
    },

    /** Plays the configured adhan now, even if adhans are disabled. Returns as soon as it begins. */
    async test(): Promise<{ track: string }> {
      const sound = await soundFor("test");
      await playback.openEngine();
      void skipOnProblem("test", async () => void (await playSound("test", sound)));
      return { track: sound.name };
    },

    /** The adhan that is playing now. */
    current: (): AdhanChange["prayer"] | undefined => playing.at(-1),

    /** The adhans that began and that were skipped since the start of the service, without tests. */
    counts: (): Readonly<typeof counts> => ({ ...counts }),

    /** The next adhan, in epoch seconds. */
    nextEpoch: (): number | undefined => plan(time.now() / 1000)?.next?.epoch,
  };
}
