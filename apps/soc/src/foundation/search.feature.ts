import type { Base, Registrations } from "./base.ts";
import { searchRoutes } from "./search/search.routes.ts";
import { createSearchService } from "./search/search.service.ts";

/** Registers `GET /search` over the given features. Each feature declares what can be found. */
export function createSearch({ clock, log }: Base, features: readonly Pick<Registrations, "finders">[]) {
  const finders = features.flatMap((feature) => feature.finders ?? []);
  return {
    services: {},
    registrations: { routes: [searchRoutes(createSearchService({ finders, clock, log }))] } satisfies Registrations,
  };
}
