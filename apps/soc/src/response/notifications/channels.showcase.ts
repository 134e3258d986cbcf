import { pageInMemory } from "../../foundation/lists/order.ts";
import { type Channel, NEWEST_FIRST } from "./channel.ts";
import type { ChannelsStore } from "./channels.store.ts";
import type { Delivery } from "./delivery.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    notifications: { channels: Channel[]; deliveries: Delivery[] };
  }
}

export function createShowcaseChannelsStore(channels: readonly Channel[]): ChannelsStore {
  return {
    list: async (query) => pageInMemory(channels, NEWEST_FIRST, query),
    find: async (id) => channels.find((channel) => channel.id === id),
    findNamed: async (name) => channels.find((channel) => channel.name === name || channel.id === name),
    enabled: async () => channels.filter(({ enabled }) => enabled),
  };
}
