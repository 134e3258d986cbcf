import type { Base, Registrations } from "../../foundation/base.ts";
import { createPlacesService } from "./sign-in-locations.service.ts";

/** The places from which users have signed in. */
export function createPlaces(base: Pick<Base, "db" | "runtime" | "audit" | "clock">) {
  return { services: { places: createPlacesService(base) }, registrations: {} satisfies Registrations };
}
