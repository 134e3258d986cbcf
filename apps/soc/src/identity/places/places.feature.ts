import type { Base } from "../../foundation/base.ts";
import { createPlacesService } from "./places.service.ts";

/** Where users have signed in before. */
export function createPlaces(base: Pick<Base, "db" | "runtime" | "audit" | "clock">) {
  return { places: createPlacesService(base) };
}
