import type { Place } from "./places.ts";

/** The numbers of the API document. */
const METHODS = { worldLeague: 0, northAmerica: 1, egyptian: 2, ummAlQura: 3, karachi: 4 } as const;

const LEVANT = new Set(["IQ", "JO", "LB", "PS", "SY"]);
/** Their calendars have Fajr at 20° and Isha at 18°; the Egyptian angles come nearest. */
const SOUTH_EAST_ASIA = new Set(["BN", "ID", "MY", "SG"]);
/** Their calendars have Fajr at 18°, which is the World League's. */
const MAGHREB = new Set(["DZ", "TN"]);
const SUBCONTINENT = new Set(["AF", "BD", "IN", "PK"]);

/** The method that mosques in a country usually follow. */
export function suggestMethod({ country, zone }: Pick<Place, "country" | "zone">): number {
  if (country === "SA") return METHODS.ummAlQura;
  if (country === "US" || country === "CA") return METHODS.northAmerica;
  if (SUBCONTINENT.has(country)) return METHODS.karachi;
  if (LEVANT.has(country) || SOUTH_EAST_ASIA.has(country) || zone === "Asia/Jerusalem") return METHODS.egyptian;
  return zone.startsWith("Africa/") && !MAGHREB.has(country) ? METHODS.egyptian : METHODS.worldLeague;
}

/** Whether Asr is usually the later one, of the Hanafi school. Turkey's calendar has the earlier one. */
export function suggestHanafi({ country }: Pick<Place, "country">): boolean {
  return SUBCONTINENT.has(country);
}
