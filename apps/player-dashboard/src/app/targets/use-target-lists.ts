import { useApp, useResource } from "../app.ts";
import { lastOf } from "../live/resource.ts";
import type { TargetLists } from "./target-words.ts";

/** The stations and favorites by which a target is put into words. */
export function useTargetLists(): TargetLists {
  const { live } = useApp();
  return { stations: lastOf(useResource(live.stations)), favorites: lastOf(useResource(live.favorites)) };
}
