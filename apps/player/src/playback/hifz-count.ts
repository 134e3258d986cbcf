import type { TryWrite } from "../storage/try-write.ts";
import type { HifzDaysStore } from "./hifz-days.store.ts";

export interface HifzCountDeps {
  hifzDays: HifzDaysStore;
  tryWrite: TryWrite;
  /** The local date, as YYYY-MM-DD. */
  today: () => string;
}

/** The repetitions of today. Read from the store once a day, because the status is requested all the time. */
export function createHifzCount({ hifzDays, tryWrite, today }: HifzCountDeps) {
  let counted = { date: "", count: 0 };

  function get(): number {
    if (counted.date !== today()) counted = { date: today(), count: hifzDays.count(today()) };
    return counted.count;
  }

  return {
    get,

    add(): void {
      counted = { date: today(), count: get() + 1 };
      tryWrite(() => hifzDays.add(today()));
    },

    /** Reads the store again at the next request. */
    reload(): void {
      counted = { date: "", count: 0 };
    },
  };
}
