import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { NEWEST_FIRST } from "./backtest.ts";
import type { BacktestsStore } from "./backtests.store.ts";

export function createShowcaseBacktestsStore({ detections }: Pick<Showcase, "detections">): BacktestsStore {
  const { backtests } = detections;
  return {
    list: async (_caller, { status, rule_id, ...query }) =>
      pageInMemory(
        backtests,
        NEWEST_FIRST,
        query,
        (each) =>
          (status === undefined || status.includes(each.status)) &&
          (rule_id === undefined || (each.rule_id !== null && rule_id.includes(each.rule_id))),
      ),
    async find(_caller, id) {
      const found = backtests.find((each) => each.id === id);
      if (!found) return undefined;
      const { histogram, groups, known, ...backtest } = found;
      return { ...backtest, result: { histogram, groups, known } };
    },
    summarise: async () => ({ histogram: [], groups: [] }),
  };
}
