import type { Base } from "../base.ts";
import type { Feature } from "../feature.ts";
import { searchRoutes } from "./search.routes.ts";
import { createSearchService } from "./search.service.ts";

/** `GET /search` over the given features: each declares what can be found. */
export function createSearch({ clock, log }: Base, features: readonly Pick<Feature, "finders">[]) {
  const finders = features.flatMap((feature) => feature.finders ?? []);
  return { routes: [searchRoutes(createSearchService({ finders, clock, log }))] };
}
