import { readFileSync, writeFileSync } from "node:fs";
import { CITIES } from "./places/cities.ts";
import { ARABIC_NAMES, ENGLISH_NAMES } from "./places/zone-names.ts";

interface Place {
  country: string;
  name: string;
  nameAr: string;
  lat: number;
  lng: number;
  zone: string;
}

const ZONEINFO = process.argv[2] ?? "/usr/share/zoneinfo";
const DASHBOARD = new URL("../../apps/player-dashboard/src/app/places/", import.meta.url);
const COORDINATES = /^([+-]\d{2})(\d{2})(\d{2})?([+-]\d{3})(\d{2})(\d{2})?$/;
/** Antarctic stations, and names that browsers do not use. */
const LEFT_OUT = /^(?:Antarctica|US|Canada|Brazil|Chile|Mexico|Etc\/(?!UTC|GMT)\w+|Etc\/GMT[+-]?\d+)(?:\/|$)/;
const WITHOUT_CONTINENT = new Set(["UTC", "GMT"]);
/** Zones of counties, hamlets and outposts: they stay zones but are not listed as places. */
const NOT_LISTED =
  /\/(?:Indiana\/(?!Indianapolis)|North_Dakota|Kentucky\/Monticello|Argentina\/(?!Buenos|Cordoba|Mendoza|Salta))|(?:_Bay|_Inlet|_Current|_Creek|_Nelson|Sablon|Atikokan|Resolute|Creston|Metlakatla|Yakutat|Menominee|Midway|Wake|Kerguelen|Macquarie|Lindeman|Eucla|Busingen|Danmarkshavn)$/;
/** The list takes no position on the country of these cities. */
const WITHOUT_COUNTRY = new Set(["Asia/Jerusalem"]);

/** Writes the dashboard's cities and time zones, from the time zone database (public domain) and our own list of cities. */
function main(): void {
  const zonePlaces = readTable();
  const listed = new Set(zonePlaces.map(({ zone }) => zone));
  const version = readFileSync(`${ZONEINFO}/tzdata.zi`, "utf8").split("\n", 1)[0]?.replace("# version ", "") ?? "";
  const about = `// Written by tools/src/places.ts from the time zone database ${version}, which is in the public domain.\n`;
  write("places-data.ts", `${about}\n${placesText([...zonePlaces, ...readCities()])}`);
  write("zones-data.ts", `${about}\n${zonesText(listed)}`);
}

function readTable(): Place[] {
  const arabic = new Map(splitLines(ARABIC_NAMES).map((line) => splitOnce(line, " ")));
  return splitLines(readFileSync(`${ZONEINFO}/zone.tab`, "utf8"))
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => {
      const [country = "", coordinates = "", zone = ""] = line.split("\t");
      if (LEFT_OUT.test(zone)) return [];
      const name = ENGLISH_NAMES[zone] ?? formatCity(zone);
      const owner = WITHOUT_COUNTRY.has(zone) ? "" : country;
      return { country: owner, name, nameAr: arabic.get(zone) ?? "", ...parsePosition(coordinates), zone };
    });
}

function readCities(): Place[] {
  let country = "";
  let usualZone = "";
  return splitLines(CITIES).flatMap((line) => {
    const [name = "", nameAr = "", lat, lng, zone = usualZone] = line.split(";");
    if (nameAr) return { country, name, nameAr, lat: Number(lat), lng: Number(lng), zone };
    [country, usualZone] = splitOnce(line, " ");
    return [];
  });
}

/** `+2438+04643` is 24.63° north, 46.72° east. */
function parsePosition(coordinates: string): { lat: number; lng: number } {
  const [, latDegrees, latMinutes, latSeconds, lngDegrees, lngMinutes, lngSeconds] =
    COORDINATES.exec(coordinates) ?? [];
  return { lat: toDecimal(latDegrees, latMinutes, latSeconds), lng: toDecimal(lngDegrees, lngMinutes, lngSeconds) };
}

function toDecimal(degrees = "", minutes = "", seconds = "0"): number {
  const size = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const rounded = Math.round(size * 100) / 100;
  return degrees.startsWith("-") ? -rounded : rounded;
}

function formatCity(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** A line per country. What follows from the rest is left out: a name that the zone has, and a zone as just before. */
function placesText(places: readonly Place[]): string {
  const listed = places.filter(({ zone }) => !NOT_LISTED.test(zone));
  const countries = [...new Set(listed.map(({ country }) => country))].toSorted();
  const lines = countries.map((country) => {
    const own = listed.filter((place) => place.country === country).toSorted(inOrder);
    const entries = own.map(({ name, nameAr, lat, lng, zone }, index) =>
      [name === formatCity(zone) ? "" : name, nameAr, lat, lng, zone === own[index - 1]?.zone ? "" : zone].join(","),
    );
    return [country, ...entries].join(";");
  });
  return `/**
 * A line per country: its code, then each place with English and Arabic name, latitude, longitude and time zone. An empty
 * name is the zone's, an empty zone that of the place before.
 */
export const PLACES_TEXT = \`${lines.join("\n")}\`;\n`;
}

function inOrder(one: Place, other: Place): number {
  if (one.zone !== other.zone) return one.zone < other.zone ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}

/** A line per rule: the zones that people choose from, then the other names of zones with that rule. */
function zonesText(listed: ReadonlySet<string>): string {
  const names = readZoneNames();
  const rules = new Map<string, string[]>();
  for (const name of names) rules.set(readRule(name), [...(rules.get(readRule(name)) ?? []), name]);
  const lines = [...rules]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([rule, own]) => {
      const chosen = own.filter((name) => listed.has(name) || name === "UTC");
      const others = own.filter((name) => !chosen.includes(name));
      return `${rule} ${chosen.join(" ")}|${others.join(" ")}`;
    });
  return `/** A line per POSIX rule: the zones that go by it and, behind the bar, former and other names of such zones. */
export const ZONES_TEXT = \`${lines.join("\n")}\`;\n`;
}

/** \`Z\` lines begin a zone, \`L\` lines are other names for one. */
function readZoneNames(): string[] {
  return splitLines(readFileSync(`${ZONEINFO}/tzdata.zi`, "utf8"))
    .flatMap((line) => {
      const [kind, first, second] = line.split(" ");
      const name = kind === "Z" ? first : kind === "L" ? second : undefined;
      return name !== undefined && isWanted(name) ? name : [];
    })
    .toSorted();
}

function isWanted(zone: string): boolean {
  return (zone.includes("/") && !LEFT_OUT.test(zone)) || WITHOUT_CONTINENT.has(zone);
}

/** The last line of a zone's file is the rule for all years to come (RFC 8536, section 3.3). */
function readRule(zone: string): string {
  return splitLines(readFileSync(`${ZONEINFO}/${zone}`, "latin1")).at(-1) ?? "";
}

function splitLines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function splitOnce(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return [line.slice(0, at), line.slice(at + 1)];
}

function write(name: string, text: string): void {
  writeFileSync(new URL(name, DASHBOARD), text);
  console.log(`${name}: ${text.length} characters`);
}

main();
