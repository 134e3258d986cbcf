import { type Adhan, type PrayerDay, planAdhans } from "../src/prayer/adhan.ts";
import { PRAYERS } from "../src/prayer/prayer.schema.ts";

/** A period in which the clock runs continuously, in epoch seconds. Between two periods it was set. */
export interface Stretch {
  fromS: number;
  toS: number;
}

const EVERY_PRAYER = 0b111111;
const LATE_S = 60;
const CHECK_INTERVAL_S = 6 * 3600;

/**
 * Runs a clock through the periods. Returns which adhans were called, as "date prayer", and, computed independently,
 * which should have been: every prayer of the given days whose first minute the clock has shown.
 */
export function simulateAdhans(
  stretches: readonly Stretch[],
  daysAt: (nowS: number) => readonly PrayerDay[],
  allDays: readonly PrayerDay[],
): { called: string[]; shown: string[] } {
  const called: string[] = [];
  const fired = new Set<string>();
  let seenS = stretches[0]?.fromS ?? 0;

  function check(nowS: number): number {
    const days = daysAt(nowS);
    const hasFired = (adhan: Adhan) => fired.has(keyOf(adhan));
    const { due, next } = planAdhans({ days, prayer_mask: EVERY_PRAYER, hasFired, seenS, nowS });
    for (const adhan of due) {
      called.push(keyOf(adhan));
      fired.add(keyOf(adhan));
    }
    seenS = nowS;
    return Math.min(next?.epoch ?? Number.POSITIVE_INFINITY, nowS + CHECK_INTERVAL_S);
  }

  for (const { fromS, toS } of stretches) {
    for (let nowS = fromS; nowS <= toS; ) nowS = check(nowS);
    check(toS);
  }
  return { called, shown: allDays.flatMap((day) => listShown(day, stretches)) };
}

function keyOf({ date, prayer }: Pick<Adhan, "date" | "prayer">): string {
  return `${date} ${prayer}`;
}

function listShown({ date, epochs }: PrayerDay, stretches: readonly Stretch[]): string[] {
  return PRAYERS.flatMap((prayer, index) => {
    const epoch = epochs[index];
    if (prayer === "sunrise" || epoch === undefined) return [];
    const isShown = stretches.some(({ fromS, toS }) => fromS <= epoch + LATE_S && toS >= epoch);
    return isShown ? [keyOf({ date, prayer })] : [];
  });
}
