import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Settings } from "../settings/settings.schema.ts";
import type { Advertiser } from "./advertiser.ts";

export interface AdvertisingServiceDeps {
  /** Undefined when there is none. */
  advertiser: Advertiser | undefined;
  settings: { get: () => Pick<Settings, "device_name">; onChange: (listener: () => void) => () => void };
  hostname: () => string;
  port: number;
  hasTls: boolean;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const ADVERTISE_INTERVAL_MS = 60_000;

/** Makes the device discoverable in the local network, by the name that its owner gave it. */
export function createAdvertisingService(deps: AdvertisingServiceDeps) {
  const { advertiser, settings, hostname, port, hasTls, clock, log } = deps;
  const next = createTimer(clock);
  let isOpen = false;
  let hasFailed = false;

  async function advertise(): Promise<void> {
    if (!advertiser) throw new Problem("failed", "advertiser: there is none");
    await advertiser.advertise({ name: `${settings.get().device_name} on ${hostname()}`, port, hasTls });
  }

  /** Repeats at an interval, because the advertising daemon may have been restarted. */
  function advertiseLater(ms: number): void {
    next.set(ms, () => {
      advertise()
        .then(() => {
          hasFailed = false;
        })
        .catch((error: unknown) => {
          if (!hasFailed) log.warn({ err: error }, "advertising failed");
          hasFailed = true;
        })
        .finally(() => {
          if (isOpen) advertiseLater(ADVERTISE_INTERVAL_MS);
        });
    });
  }

  const stopListening = settings.onChange(() => {
    if (isOpen) advertiseLater(0);
  });

  return {
    /** Rejects with a Problem when advertising fails; it is retried anyway. */
    async start(): Promise<void> {
      isOpen = true;
      if (advertiser) advertiseLater(ADVERTISE_INTERVAL_MS);
      await advertise();
    },

    async close(): Promise<void> {
      isOpen = false;
      stopListening();
      next.cancel();
      await advertiser?.close();
    },
  };
}
