import { pageInMemory } from "../../foundation/lists/order.ts";
import type { DeliveriesStore } from "./deliveries.store.ts";
import { type Delivery, NEWEST_FIRST } from "./delivery.ts";

export function createShowcaseDeliveriesStore(deliveries: readonly Delivery[]): DeliveriesStore {
  return {
    list: async (query) => {
      const { channel_id, status } = query;
      const found = deliveries.filter(
        (each) =>
          (channel_id === undefined || each.channel_id === channel_id) &&
          (status === undefined || each.status === status),
      );
      return pageInMemory(found, NEWEST_FIRST, query);
    },
  };
}
