import { useApp, useResource } from "../app.ts";
import { lastOf } from "../live/resource.ts";
import type { TargetLists } from "./target-words.ts";

/** The stations and favorites that a target's description needs. */
export function useTargetLists(): TargetLists {
  const { live } = useApp();
  return { stations: lastOf(useResource(live.stations)), favorites: lastOf(useResource(live.favorites)) };
}
