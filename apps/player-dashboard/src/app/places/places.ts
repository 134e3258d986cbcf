import type { Language } from "../language/language.ts";

export interface Position {
  lat: number;
  lng: number;
}

export interface Place extends Position {
  name: string;
  /** Empty when unknown. */
  nameAr: string;
  /** ISO 3166, two letters; empty where it is disputed. */
  country: string;
  /** Such as Asia/Riyadh. */
  zone: string;
}

/** Parses `places-data.ts`, which is loaded on demand. */
export function readPlaces(text: string): Place[] {
  return text.split("\n").flatMap((line) => {
    const [country = "", ...entries] = line.split(";");
    let formerZone = "";
    return entries.map((entry) => {
      const [name = "", nameAr = "", lat, lng, ownZone] = entry.split(",");
      formerZone = ownZone || formerZone;
      return {
        name: name || formatCity(formerZone),
        nameAr,
        country,
        lat: Number(lat),
        lng: Number(lng),
        zone: formerZone,
      };
    });
  });
}

function formatCity(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

export function placeName({ name, nameAr }: Pick<Place, "name" | "nameAr">, language: Language): string {
  return language === "ar" && nameAr ? nameAr : name;
}

/** Empty where the place has none. */
export function countryName(country: string, language: Language): string {
  return country ? (new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country) : "";
}

const EARTH_KM = 6371;

export function distanceKm(one: Position, other: Position): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const chord =
    half(other.lat - one.lat) + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(other.lng - one.lng);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

export function nearestPlace(places: readonly Place[], position: Position): Place | undefined {
  const distances = places.map((place) => distanceKm(place, position));
  return places[distances.indexOf(Math.min(...distances))];
}

/** Within this distance a city most likely has the same time zone. */
const SAME_ZONE_KM = 300;

/** The time zone of typed coordinates. */
export function zoneNear(places: readonly Place[], position: Position, otherwise: string): string {
  const nearest = nearestPlace(places, position);
  return nearest && distanceKm(nearest, position) <= SAME_ZONE_KM ? nearest.zone : otherwise;
}

/** The places of a time zone, the one it is named after first. */
export function placesInZone(places: readonly Place[], isInZone: (zone: string) => boolean): Place[] {
  const zones = new Set(places.map(({ zone }) => zone));
  const wanted = new Set([...zones].filter(isInZone));
  const own = places.filter(({ zone }) => wanted.has(zone));
  return [...own.filter(isNamesake), ...own.filter((place) => !isNamesake(place))];
}

function isNamesake({ name, zone }: Place): boolean {
  return name === formatCity(zone);
}
