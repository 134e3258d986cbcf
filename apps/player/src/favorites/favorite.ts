import { invalidField } from "@kit/problem";
import { describeExpectation } from "@kit/problem/expectation";
import type { Static, TObject, TProperties } from "typebox";
import Value from "typebox/value";
import { type FavoriteRequest, StreamFavorite, SurahFavorite } from "./favorites.schema.ts";

export type Favorite = Static<typeof SurahFavorite> | Static<typeof StreamFavorite>;

/** The identity of a favorite; also identifies a counted play. */
export type FavoriteKey = { reciter: string; surah: number } | { url: string };

/** Reads the fields that the type of the request requires, and names the one that is wrong. */
export function parseFavorite(request: FavoriteRequest): Favorite {
  return request.type === "surah" ? readFields(SurahFavorite, request) : readFields(StreamFavorite, request);
}

function readFields<T extends TProperties>(schema: TObject<T>, request: FavoriteRequest): Static<TObject<T>> {
  const given = new Map<string, unknown>(Object.entries(request));
  const fields = Object.entries(schema.properties).map(([name, expected]) => {
    const value = given.get(name);
    if (value === undefined) throw invalidField(name, "is required");
    if (!Value.Check(expected, value)) throw invalidField(name, `must be ${describeExpectation(expected)}`);
    if (typeof value === "string" && CONTROL_CHARACTER.test(value)) {
      throw invalidField(name, "must not contain control characters", { code: "characters_forbidden" });
    }
    return [name, value] as const;
  });
  return Value.Parse(schema, Object.fromEntries(fields));
}

const CONTROL_CHARACTER = /\p{Cc}/u;
