import type { PrayerConfigRequest } from "@player/service/contract/prayer";
import type { Place } from "./places.ts";

/** The numbers of the API document. */
const METHODS = { worldLeague: 0, northAmerica: 1, egyptian: 2, ummAlQura: 3, karachi: 4 } as const;
type Method = (typeof METHODS)[keyof typeof METHODS];

export interface Suggestion extends Required<Pick<PrayerConfigRequest, "asr_hanafi" | "offsets_min">> {
  method: Method;
  /** Whether these are the country's own angles and offsets, not only the closest ones. */
  isOwn: boolean;
}

interface Calendar {
  method: Method;
  /** In the order of the prayers, sunrise included. */
  offsets_min?: readonly number[];
}

/** Fajr and Isha at 18°, Maghrib five minutes after sunset: islamic-network/prayer-times, method 23 (JORDAN). */
const JORDAN: Calendar = { method: METHODS.karachi, offsets_min: [0, 0, 0, 0, 5, 0] };

/** Calendars that a method of the API document computes to the minute. */
const OWN: Readonly<Record<string, Calendar>> = {
  AF: { method: METHODS.karachi },
  BD: { method: METHODS.karachi },
  CA: { method: METHODS.northAmerica },
  // Fajr 18°, Isha 17°: islamic-network/prayer-times, method 19 (ALGERIA).
  DZ: { method: METHODS.worldLeague },
  EG: { method: METHODS.egyptian },
  IN: { method: METHODS.karachi },
  JO: JORDAN,
  PK: { method: METHODS.karachi },
  SA: { method: METHODS.ummAlQura },
  // Fajr and Isha 18°: islamic-network/prayer-times, method 18 (TUNISIA).
  TN: { method: METHODS.karachi },
  // Fajr 18°, Isha 17°, with the minutes of the Diyanet: batoulapps/adhan-js, Turkey(). One of Dhuhr's is the method's.
  TR: { method: METHODS.worldLeague, offsets_min: [0, -7, 4, 4, 7, 0] },
  US: { method: METHODS.northAmerica },
};

/** The nearest method of the API document, if it is not the Muslim World League's. */
const CLOSEST: Readonly<Record<string, Calendar>> = {
  // Fajr and Isha 18.2°, with three minutes of caution: batoulapps/adhan-js, Dubai(). One of Dhuhr's is the method's.
  AE: { method: METHODS.karachi, offsets_min: [0, -3, 2, 3, 3, 0] },
  // Fajr 20°, Isha 18°: islamic-network/prayer-times, methods 11 (SINGAPORE), 17 (JAKIM) and 20 (KEMENAG).
  BN: { method: METHODS.egyptian },
  ID: { method: METHODS.egyptian },
  IQ: { method: METHODS.egyptian },
  LB: { method: METHODS.egyptian },
  MY: { method: METHODS.egyptian },
  PS: { method: METHODS.egyptian },
  // Fajr 18°, Isha 90 minutes after Maghrib: batoulapps/adhan-js, Qatar().
  QA: { method: METHODS.ummAlQura },
  SG: { method: METHODS.egyptian },
  SY: { method: METHODS.egyptian },
};

/** Turkey's calendar uses the earlier Asr. */
const HANAFI: ReadonlySet<string> = new Set(["AF", "BD", "IN", "PK"]);
const JERUSALEM = "Asia/Jerusalem";
const NO_OFFSETS: readonly number[] = [0, 0, 0, 0, 0, 0];

/** No country is named for Jerusalem, whose mosques follow the Jordanian ministry. */
function ownCalendar({ country, zone }: Pick<Place, "country" | "zone">): Calendar | undefined {
  return country === "" && zone === JERUSALEM ? JORDAN : OWN[country];
}

/** The calculation of a country's mosques, as far as the methods of the API document cover it. */
export function suggestCalculation(place: Pick<Place, "country" | "zone">): Suggestion {
  const { country, zone } = place;
  const own = ownCalendar(place);
  const elsewhere: Calendar = {
    method: zone.startsWith("Africa/") || zone === JERUSALEM ? METHODS.egyptian : METHODS.worldLeague,
  };
  const { method, offsets_min = NO_OFFSETS } = own ?? CLOSEST[country] ?? elsewhere;
  return { method, offsets_min: [...offsets_min], asr_hanafi: HANAFI.has(country), isOwn: own !== undefined };
}
