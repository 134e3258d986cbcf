import { parseZone, type Zone } from "@player/service/contract/zone";

/** The local time at the device. */
export interface WallTime {
  /** Days since 1970. */
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  /** HH:MM */
  time: string;
}

const DAY_S = 86_400;

/** The local time by a POSIX rule, which browsers cannot read themselves. UTC for an invalid rule. */
export function wallTimeAt(rule: string, epochS: number): WallTime {
  const zone = parseZoneOrUtc(rule);
  const wallS = epochS + zone.offsetAt(epochS);
  const { weekday, hour, minute } = zone.localOf(epochS);
  return { day: Math.floor(wallS / DAY_S), weekday, time: `${twoDigits(hour)}:${twoDigits(minute)}` };
}

function parseZoneOrUtc(rule: string): Zone {
  try {
    return parseZone(rule);
  } catch {
    return parseZone("UTC0");
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
