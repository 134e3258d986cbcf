import { pageInMemory } from "../../foundation/lists/order.ts";
import { type Hunt, isVisible, NEWEST_FIRST } from "./hunt.ts";
import type { HuntsStore } from "./hunts.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    hunts: Hunt[];
  }
}

export function createShowcaseHuntsStore(hunts: readonly Hunt[]): HuntsStore {
  return {
    list: async (caller, query) => pageInMemory(hunts, NEWEST_FIRST, query, (hunt) => isVisible(hunt, caller)),

    find: async (caller, hunt_id) => hunts.find((hunt) => hunt.id === hunt_id && isVisible(hunt, caller)),
  };
}
