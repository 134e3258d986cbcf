import { useEffect, useState } from "preact/hooks";
import { type Place, readPlaces } from "./places.ts";

async function loadPlaces(): Promise<Place[]> {
  const { PLACES_TEXT } = await import("./places-data.ts");
  return readPlaces(PLACES_TEXT);
}

/** The built-in list of places; undefined until it is loaded. No request leaves the device. */
export function usePlaces(): readonly Place[] | undefined {
  const [places, setPlaces] = useState<readonly Place[]>();
  useEffect(() => void loadPlaces().then(setPlaces), []);
  return places;
}
