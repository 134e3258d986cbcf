import { pageInMemory } from "../../foundation/lists/order.ts";
import { isVisible, NEWEST_FIRST, type View } from "./view.ts";
import type { ViewsStore } from "./views.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    views: View[];
  }
}

export function createShowcaseViewsStore(views: readonly View[]): ViewsStore {
  return {
    async list(caller, { page, ...query }) {
      const found = views.filter((view) => isVisible(view, caller) && (page === undefined || view.page === page));
      return pageInMemory(found, NEWEST_FIRST, query);
    },

    find: async (caller, view_id) => views.find((view) => view.id === view_id && isVisible(view, caller)),
  };
}
