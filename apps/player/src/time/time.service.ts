import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { ClockChip } from "./clock-chip.ts";
import type { SystemClock } from "./system-clock.ts";
import { parseZone, type Zone } from "./zone.ts";

/** The current time, its source, and the time zone. */
export interface TimeService {
  /** Epoch milliseconds. */
  now(): number;
  /** Whether scheduled actions may use this clock. */
  isValid(): boolean;
  source(): "none" | "rtc" | "sntp" | "manual";
  zone(): Zone;
  /** The local date, YYYY-MM-DD. */
  today(): string;
  /** Degrees Celsius, by a chip that measures it. */
  temperature(): number | undefined;
  /** After the clock was set, jumped or became valid, or the zone changed. Returns the function that stops listening. */
  onChange(listener: () => void): () => void;
  /** Sets the system clock and the chip, and disables time servers until the next start. */
  setTime(epochS: number): Promise<void>;
  setZone(rule: string): void;
}

export interface TimeKeeper extends TimeService {
  /** Reads the chip's time, lets time servers correct it, and starts to watch. */
  start(): Promise<void>;
  close(): void;
}

export interface TimeServiceDeps {
  system: SystemClock;
  /** Undefined when none is fitted. */
  chip: ClockChip | undefined;
  /** The setting of the same name. */
  timezone: { get(): string; set(rule: string): void };
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  log: Pick<Log, "warn">;
}

// No device is older than 2024, so a chip that shows less has lost its time; it cannot show more than 2099.
const EARLIEST_S = 1_704_067_200;
const LATEST_S = 4_102_444_799;
const TICK_MS = 1000;
const JUMP_MS = 2000;
const CHECK_INTERVAL_MS = 10_000;
const FALLBACK_RULE = "UTC0";

export function createTimeService({ system, chip, timezone, clock, log }: TimeServiceDeps): TimeKeeper {
  const listeners = new Set<() => void>();
  const ticks = createTimer(clock);
  const failures = new Set<string>();
  let source: ReturnType<TimeService["source"]> = "none";
  let temperature: number | undefined;
  let known = readZone(timezone.get());
  let notifiedRule = known.rule;
  let aheadMs = measureAhead();
  let nextCheckMs = 0;
  let isClosed = false;

  /** The difference between the wall clock and the monotonic clock. */
  function measureAhead(): number {
    return system.now() - clock.monotonicMs();
  }

  function readZone(rule: string): { rule: string; zone: Zone } {
    try {
      return { rule, zone: parseZone(rule) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      log.warn({ timezone: rule }, "stored time zone is invalid, using UTC");
      return { rule, zone: parseZone(FALLBACK_RULE) };
    }
  }

  function currentZone(): Zone {
    // A reset or a restored backup changes the setting, too.
    if (timezone.get() !== known.rule) known = readZone(timezone.get());
    return known.zone;
  }

  function notifyListeners(): void {
    aheadMs = measureAhead();
    notifiedRule = timezone.get();
    for (const listener of listeners) listener();
  }

  function tick(): void {
    ticks.set(TICK_MS, tick);
    const hasJumped = Math.abs(measureAhead() - aheadMs) > JUMP_MS;
    aheadMs = measureAhead();
    if (hasJumped || timezone.get() !== notifiedRule) notifyListeners();
    if (hasJumped || clock.monotonicMs() >= nextCheckMs) void checkSource();
  }

  /** The system does not notify when a time server has set its clock, so it is polled. */
  async function checkSource(): Promise<void> {
    nextCheckMs = clock.monotonicMs() + CHECK_INTERVAL_MS;
    temperature = (await chip?.read())?.temperature;
    const isSynchronised = mayBeCorrected() && (await tolerate(() => system.isSynchronised()));
    // A user may have set the time in the meantime.
    if (!isSynchronised || !mayBeCorrected()) return;
    source = "sntp";
    notifyListeners();
    await tolerate(async () => chip?.write(Math.round(system.now() / 1000)));
  }

  function mayBeCorrected(): boolean {
    return source === "none" || source === "rtc";
  }

  /**
   * Clock failures are not fatal: playback does not need a clock. Each failure is logged once, not every ten seconds.
   */
  async function tolerate<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!failures.has(error.message)) log.warn({ error: error.message }, "clock access failed");
      failures.add(error.message);
      return undefined;
    }
  }

  /** In a container the clock cannot be set. A person who sends the time that it already shows confirms it. */
  async function setSystem(epochS: number): Promise<void> {
    try {
      await system.allowServers(false);
      await system.set(epochS);
    } catch (error) {
      if (!(error instanceof Problem) || Math.abs(system.now() - epochS * 1000) > JUMP_MS) throw error;
      log.warn({ error: error.message }, "setting the clock failed, but it shows the right time");
    }
  }

  /** Sets the system clock from the chip, unless both show the same time. */
  async function trustChip(epochS: number): Promise<void> {
    if (Math.abs(system.now() - epochS * 1000) > JUMP_MS) {
      await system.allowServers(false);
      await system.set(epochS);
    }
    source = "rtc";
  }

  return {
    async start() {
      const reading = await chip?.read();
      const isSynchronised = await tolerate(() => system.isSynchronised());
      if (reading && isPlausible(reading.epochS) && !isSynchronised) await tolerate(() => trustChip(reading.epochS));
      // A time set by a user is valid until the next start; without a limit it would be minutes wrong after a year.
      await tolerate(() => system.allowServers(true));
      await checkSource();
      notifyListeners();
      if (!isClosed) ticks.set(TICK_MS, tick);
    },

    close() {
      isClosed = true;
      ticks.cancel();
    },

    now: () => system.now(),
    isValid: () => source !== "none",
    source: () => source,
    zone: currentZone,
    temperature: () => temperature,

    today() {
      const { year, month, day } = currentZone().localOf(system.now() / 1000);
      return [year, twoDigits(month), twoDigits(day)].join("-");
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async setTime(epochS) {
      if (!Number.isInteger(epochS) || !isPlausible(epochS)) {
        throw invalidField("epoch", `must be an integer from ${EARLIEST_S} to ${LATEST_S}`);
      }
      await setSystem(epochS);
      source = "manual";
      notifyListeners();
      await chip?.write(epochS);
    },

    setZone(rule) {
      parseZone(rule);
      timezone.set(rule);
      notifyListeners();
    },
  };
}

function isPlausible(epochS: number): boolean {
  return epochS >= EARLIEST_S && epochS <= LATEST_S;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
