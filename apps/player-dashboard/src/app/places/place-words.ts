import type { Language } from "../language/language.ts";
import { formatDigits } from "../language/times.ts";
import { fill } from "../language/translations.ts";
import { countryName, distanceKm, nearestPlace, type Place, type Position, placeName } from "./places.ts";
import { placesPhrases } from "./places-phrases.ts";

/** The radius of a city: prayer times differ by less than a minute within it. */
const WITHIN_KM = 15;
const NEAR_KM = 150;

/** `Amman, Jordan`. */
function fullName(place: Place, language: Language): string {
  const { inCountry } = placesPhrases[language];
  const country = countryName(place.country, language);
  const name = placeName(place, language);
  return country ? fill(inCountry, { name, country }) : name;
}

/** What a position is called: a city, near a city, or its coordinates. */
export function positionWords(position: Position, places: readonly Place[], language: Language): string {
  const nearest = nearestPlace(places, position);
  const distance = nearest ? distanceKm(nearest, position) : Number.POSITIVE_INFINITY;
  if (!nearest || distance > NEAR_KM) return coordinatesWords(position, language);
  const name = fullName(nearest, language);
  return distance > WITHIN_KM ? fill(placesPhrases[language].near, { name }) : name;
}

/** `31.95° N, 35.93° E`. */
export function coordinatesWords({ lat, lng }: Position, language: Language): string {
  const { north, south, east, west, coordinates } = placesPhrases[language];
  return fill(coordinates, {
    lat: fill(lat < 0 ? south : north, { degrees: decimalWords(Math.abs(lat), language) }),
    lng: fill(lng < 0 ? west : east, { degrees: decimalWords(Math.abs(lng), language) }),
  });
}

function decimalWords(value: number, language: Language): string {
  const digits = formatDigits(value.toFixed(2), language);
  return language === "ar" ? digits.replace(".", "٫") : digits;
}
