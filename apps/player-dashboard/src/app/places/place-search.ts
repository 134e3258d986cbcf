import { ALIASES } from "./aliases.ts";
import { fold } from "./fold.ts";
import type { Place } from "./places.ts";

/** Returns the matching places, best match first. */
export type PlaceSearch = (typed: string, most: number) => Place[];

interface Entry {
  place: Place;
  names: readonly string[];
  countries: readonly string[];
}

const NAME_BEGINS = 0;
const WORD_BEGINS = 1;
const NAME_HOLDS = 2;
const COUNTRY_BEGINS = 3;
/** Fewer letters would match too many names. */
const FEWEST_WITHIN = 3;

/** Searches names and countries in both languages, regardless of the page's language. */
export function createPlaceSearch(places: readonly Place[]): PlaceSearch {
  const regions = ["en", "ar"].map((language) => new Intl.DisplayNames([language], { type: "region" }));
  const entries = places.map((place): Entry => {
    const { name, nameAr, country } = place;
    const arabic = fold(nameAr);
    return {
      place,
      // Arabic names are typed with or without the article.
      names: [fold(name), arabic, arabic.replace(/^ال/, ""), ...(ALIASES[name] ?? []).map(fold)],
      countries: country ? regions.map((region) => fold(region.of(country) ?? "")) : [],
    };
  });
  return (typed, most) => {
    const wanted = fold(typed);
    if (!wanted) return [];
    return entries
      .flatMap((entry) => {
        const rank = rankPlace(entry, wanted);
        return rank === undefined ? [] : { place: entry.place, rank };
      })
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, most)
      .map(({ place }) => place);
  };
}

function rankPlace({ names, countries }: Entry, wanted: string): number | undefined {
  if (names.some((name) => name.startsWith(wanted))) return NAME_BEGINS;
  if (names.some((name) => name.includes(` ${wanted}`))) return WORD_BEGINS;
  if (wanted.length < FEWEST_WITHIN) return undefined;
  if (names.some((name) => name.includes(wanted))) return NAME_HOLDS;
  return countries.some((country) => country.startsWith(wanted)) ? COUNTRY_BEGINS : undefined;
}
