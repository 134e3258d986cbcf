import { useEffect, useRef } from "react";
import { after } from "../../../../app/browser/clock.ts";
import { useLive } from "../../../../app/context/app-context.ts";
import { useRecordPages } from "../../../../app/lists/record-list.tsx";
import type { ReadListPages } from "../../../../design/list/use-list-pages.ts";
import { type RuleHealth, type RuleRow, useRulesClient } from "../rules-client.ts";
import { type RulesFilter, toQuery } from "./rules-filter.ts";

/** Scheduled runs end all the time: the bars are reloaded at most once in this time. */
const GATHER_MS = 10_000;
const MAX_PAGE = 100;

/** The pages of the list, each rule with its health. A run updates only the bar of its row. */
export function useRulePages(filter: RulesFilter): ReadListPages<RuleRow> {
  const client = useRulesClient();
  const pages = useRecordPages<RuleRow>("rules", toQuery(filter), async (query, signal) => {
    // Health loads separately: the list does not wait for it.
    const [page, health] = await Promise.all([
      client.list(query, signal),
      client.listHealth(query, signal).catch(() => undefined),
    ]);
    const byRule = indexHealth(health?.items ?? []);
    return { ...page, items: page.items.map((rule) => ({ ...rule, health: byRule.get(rule.id) })) };
  });
  const waiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => waiting.current?.(), []);
  useLive({
    onEvents: (events) => {
      if (waiting.current || !events.some(({ type }) => type.startsWith("run."))) return;
      waiting.current = after(GATHER_MS, () => {
        waiting.current = undefined;
        void client.listHealth({ ...toQuery(filter), limit: MAX_PAGE }).then(
          ({ items }) => {
            const byRule = indexHealth(items);
            pages.patch((rule) => ({ ...rule, health: byRule.get(rule.id) ?? rule.health }));
          },
          () => undefined,
        );
      });
    },
    onReset: () => undefined,
  });
  return pages;
}

function indexHealth(items: readonly RuleHealth[]): ReadonlyMap<string, RuleHealth> {
  return new Map(items.map((health) => [health.rule_id, health]));
}
