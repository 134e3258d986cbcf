import { PRAYERS, type Prayer } from "./prayer.schema.ts";

/** The six times of one local date, Fajr to Isha, as epoch seconds. Isha may fall into the next date. */
export interface PrayerDay {
  date: string;
  epochs: readonly number[];
}

export type CalledPrayer = Exclude<Prayer, "sunrise">;

export interface Adhan {
  prayer: CalledPrayer;
  /** The date it was computed for. */
  date: string;
  epoch: number;
}

export interface AdhanOutlook {
  days: readonly PrayerDay[];
  prayer_mask: number;
  hasFired: (adhan: Adhan) => boolean;
  /** The last check and now: epoch seconds, with fractions. */
  seenS: number;
  nowS: number;
}

export interface AdhanPlan {
  /** To be called now. */
  due: Adhan[];
  /** Not called since the last check, and too late now. */
  missed: Adhan[];
  next: Adhan | undefined;
}

/** After sleep or a clock jump, an adhan may be late by this much. */
export const LATEST_S = 60;

/** Which adhans to call, depending only on the clock and on what was called before. */
export function planAdhans({ days, prayer_mask, hasFired, seenS, nowS }: AdhanOutlook): AdhanPlan {
  const open = days.flatMap((day) => listAdhans(day, prayer_mask)).filter((adhan) => !hasFired(adhan));
  open.sort((one, other) => one.epoch - other.epoch);
  return {
    due: open.filter(({ epoch }) => epoch <= nowS && nowS - epoch <= LATEST_S),
    missed: open.filter(({ epoch }) => epoch > seenS && nowS - epoch > LATEST_S),
    next: open.find(({ epoch }) => epoch > nowS),
  };
}

function listAdhans({ date, epochs }: PrayerDay, prayer_mask: number): Adhan[] {
  return PRAYERS.flatMap((prayer, index) => {
    const epoch = epochs[index];
    const isWanted = (prayer_mask & (1 << index)) !== 0;
    // Sunrise has a bit, but it is not a prayer with an adhan.
    if (prayer === "sunrise" || !isWanted || epoch === undefined) return [];
    return [{ prayer, date, epoch }];
  });
}
