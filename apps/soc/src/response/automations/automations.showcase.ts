import { pageInMemory } from "../../foundation/lists/order.ts";
import { type Automation, type Firing, NEWEST_AUTOMATION_FIRST, NEWEST_FIRING_FIRST } from "./automation.ts";
import type { AutomationsStore } from "./automations.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    automations: Automation[];
  }
}

export function createShowcaseAutomationsStore(automations: readonly Automation[]): AutomationsStore {
  return {
    list: async (query) => pageInMemory(automations, NEWEST_AUTOMATION_FIRST, query),
    find: async (id) => automations.find((automation) => automation.id === id),
    listFirings: async (_, query) => pageInMemory<Firing>([], NEWEST_FIRING_FIRST, query),
  };
}
