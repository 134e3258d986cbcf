import { notFound, Problem } from "@kit/problem";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { type Order, pageInMemory } from "../../foundation/lists/order.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SoarRule } from "./soar-rules.schema.ts";

export interface SoarRulesServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  /** The rules of the showcase. */
  rules: readonly SoarRule[];
}
export type SoarRulesService = ReturnType<typeof createSoarRulesService>;

const BY_ID: Order<SoarRule> = { name: "id", direction: "asc", columns: [{ name: "id", kind: "id" }] };

/** Serves the rules in dummy mode only. In the other modes, automations start playbooks. */
export function createSoarRulesService({ runtime, rules }: SoarRulesServiceDeps) {
  const isShown = async () => (await runtime.truth()).mode === "dummy";

  return {
    async list(query: PageQuery): Promise<Page<SoarRule>> {
      // Throws while no data source is available, so that an outage does not look like an empty list.
      await runtime.choose({ database: undefined, showcase: undefined });
      return pageInMemory((await isShown()) ? rules : [], BY_ID, query);
    },

    /** Returns the rule as toggled, without storing the change. */
    async toggle(id: string): Promise<SoarRule & { persisted: boolean }> {
      if (!(await isShown())) {
        throw new Problem("unavailable", "SOAR rules are available only in mode 'dummy'; see /soar/automations");
      }
      const rule = rules.find((each) => each.id === id);
      if (!rule) throw notFound("rule", id);
      return { ...rule, enabled: !rule.enabled, persisted: false };
    },
  };
}
