import type { TryWrite } from "../storage/try-write.ts";
import type { TimeService } from "../time/time.service.ts";
import type { AdhanName, AdhanStore } from "./adhan.store.ts";

export interface CalledAdhansServiceDeps {
  store: AdhanStore;
  time: Pick<TimeService, "now">;
  tryWrite: TryWrite;
}
export type CalledAdhansService = ReturnType<typeof createAdhanLogService>;

/** A correction of the clock by up to this much repeats nothing. */
const MAX_CORRECTION_S = 120;

/**
 * Which adhans were called. Each prayer of a date is called once, but a call that lies in the future does not count: the
 * clock has been set back since, so it was wrong at that moment.
 */
export function createAdhanLogService({ store, time, tryWrite }: CalledAdhansServiceDeps) {
  const calls = new Map<string, AdhanName & { fired_at: number }>();
  reload();

  function reload(): void {
    calls.clear();
    for (const call of store.list()) calls.set(keyOf(call), call);
  }

  function isInFuture(fired_at: number): boolean {
    return fired_at > time.now() / 1000 + MAX_CORRECTION_S;
  }

  return {
    has(adhan: AdhanName): boolean {
      const call = calls.get(keyOf(adhan));
      return call !== undefined && !isInFuture(call.fired_at);
    },

    /** When the last adhan was called; undefined before the first one. */
    lastEpoch(): number | undefined {
      const epochs = [...calls.values()].map(({ fired_at }) => fired_at).filter((fired_at) => !isInFuture(fired_at));
      // Earlier versions recorded 0.
      return Math.max(0, ...epochs) || undefined;
    },

    add({ date, prayer }: AdhanName): void {
      const call = { date, prayer, fired_at: Math.floor(time.now() / 1000) };
      calls.set(keyOf(call), call);
      tryWrite(() => store.add(call), `adhan ${keyOf(call)}`);
    },

    /** Call this after every change of a valid clock, before the time of a wrong call comes again. */
    forgetFuture(): void {
      for (const [key, call] of calls) {
        if (!isInFuture(call.fired_at)) continue;
        calls.delete(key);
        tryWrite(() => store.remove(call), `adhan ${key}`);
      }
    },

    /** The store was emptied by a reset. */
    reload,
  };
}

function keyOf({ date, prayer }: AdhanName): string {
  return `${date} ${prayer}`;
}
