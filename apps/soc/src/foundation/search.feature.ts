import type { Base } from "./base.ts";
import type { Registrations } from "./registrations.ts";
import { searchRoutes } from "./search/search.routes.ts";
import { createSearchService } from "./search/search.service.ts";

/** `GET /search` over the given features: each declares what can be found. */
export function createSearch({ clock, log }: Base, features: readonly Pick<Registrations, "finders">[]) {
  const finders = features.flatMap((feature) => feature.finders ?? []);
  return {
    services: {},
    registrations: { routes: [searchRoutes(createSearchService({ finders, clock, log }))] } satisfies Registrations,
  };
}
