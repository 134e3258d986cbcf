import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import type { Events } from "../events.ts";
import { type BatteryGauge, NO_BATTERY } from "./battery-gauge.ts";
import type { BatteryBody } from "./power.schema.ts";

export interface BatteryServiceDeps {
  /** Undefined when none is fitted. */
  gauge: BatteryGauge | undefined;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}
export type BatteryService = ReturnType<typeof createBatteryService>;

const POLL_INTERVAL_MS = 10_000;
const LOW_PERCENTAGE = 20;

/** The charge of the battery. Every change is emitted to clients. */
export function createBatteryService({ gauge, events, clock, log }: BatteryServiceDeps) {
  const pollTimer = createTimer(clock);
  let known: BatteryBody = NO_BATTERY;

  async function read(): Promise<BatteryBody> {
    const reading = gauge ? await gauge.read() : NO_BATTERY;
    if (isSame(reading, known)) return known;
    known = reading;
    events.emit("battery", known);
    return known;
  }

  async function poll(): Promise<void> {
    try {
      await read();
      isFailing = false;
    } catch (error) {
      // An I2C gauge misses a reading now and then: report it once, not every ten seconds.
      if (!isFailing) log.warn({ err: error }, "reading the battery failed");
      isFailing = true;
    }
    if (isOpen) pollTimer.set(POLL_INTERVAL_MS, () => void poll());
  }

  let isOpen = false;
  let isFailing = false;

  return {
    /** Rejects with a Problem when the gauge does not answer; polling continues anyway. */
    async start(): Promise<void> {
      isOpen = true;
      pollTimer.set(POLL_INTERVAL_MS, () => void poll());
      await read();
    },

    close(): void {
      isOpen = false;
      pollTimer.cancel();
    },

    read,

    /** The last reading. */
    current: (): BatteryBody => known,

    /** A warning for the owner; undefined when there is none. */
    warning(): string | undefined {
      const isLow = known.present && !known.charging && known.percentage < LOW_PERCENTAGE;
      return isLow ? `battery: ${known.percentage} % left` : undefined;
    },
  };
}

function isSame(one: BatteryBody, other: BatteryBody): boolean {
  return (
    one.present === other.present &&
    one.voltage === other.voltage &&
    one.percentage === other.percentage &&
    one.charging === other.charging
  );
}
