import type { Base } from "../../foundation/base.ts";
import type { Registrations } from "../../foundation/registrations.ts";
import { createPlacesService } from "./places.service.ts";

/** Where users have signed in before. */
export function createPlaces(base: Pick<Base, "db" | "runtime" | "audit" | "clock">) {
  return { services: { places: createPlacesService(base) }, registrations: {} satisfies Registrations };
}
