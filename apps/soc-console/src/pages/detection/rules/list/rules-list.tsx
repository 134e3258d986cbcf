import { useCallback, useMemo } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList } from "../../../../app/lists/record-list.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import type { ListColumn } from "../../../../design/list/column.ts";
import { EmptyState } from "../../../../design/states.tsx";
import { type RuleRow, useRulesClient } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { RulePane } from "./rule-pane.tsx";
import { RuleCells } from "./rule-row.tsx";
import { falseShare, isFiltered, nextSort, parseFilter } from "./rules-filter.ts";
import { RulesFilterBar } from "./rules-filter-bar.tsx";
import { useRulePages } from "./use-rule-pages.ts";

const readKey = (item: RuleRow) => item.id;

function useColumns(): ListColumn[] {
  const words = usePhrases(rulesPhrases);
  return useMemo(
    () => [
      { key: "state", title: words.state, width: "14px", isTitleHidden: true },
      { key: "severity", title: words.severity, width: "16px", isTitleHidden: true },
      { key: "name", title: words.name, width: "minmax(180px, 1fr)" },
      { key: "type", title: words.type, width: "88px" },
      { key: "matches", title: words.matchesDay, width: "64px", align: "end" },
      { key: "false", title: words.falsePositives, width: "64px", align: "end" },
      { key: "time", title: words.time, width: "120px" },
      { key: "technique", title: words.technique, width: "minmax(0, 150px)" },
    ],
    [words],
  );
}

export function RulesList() {
  const words = usePhrases(rulesPhrases);
  const { number, percent } = useNumbers();
  const { search, change, go } = useAddress();
  const filter = parseFilter(search);
  const pages = useRulePages(filter);
  const columns = useColumns();
  const { mayWrite } = useChanges();
  const clearFilter = () =>
    change({ q: "", tag: "", source: "", technique: "", severity: "", type: "", origin: "", enabled: "" });
  const open = useCallback((key: string) => go(`/detections/${key}`), [go]);
  const { severities, types } = words;
  const [on, off] = [words.enabled, words.disabled];
  const render = useCallback(
    (rule: RuleRow) => {
      const share = rule.health && falseShare(rule.health);
      return RuleCells(rule, {
        state: rule.enabled ? on : off,
        severity: severities[rule.alert_severity],
        type: types[rule.type],
        matches: rule.health ? number(rule.health.matches_24h) : "",
        falseShare: share === undefined ? "" : percent(share),
      });
    },
    [on, off, severities, types, number, percent],
  );
  useCommands([
    {
      id: "rules.sort",
      label: words.sort,
      group: words.detections,
      keys: ["s"],
      run: () => change({ sort: nextSort(filter.sort) }),
    },
  ]);
  return (
    <>
      <RulesFilterBar />
      <RecordList
        label={words.rules}
        noun="rules"
        events="rule."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(item) => safeText(item.name)}
        onOpen={open}
        renderPane={(item) => <RulePane rule={item} onChanged={pages.reload} />}
        renderActions={
          mayWrite
            ? (ids, clear) => (
                <BulkActions
                  ids={ids}
                  onDone={() => {
                    clear();
                    pages.reload();
                  }}
                />
              )
            : undefined
        }
        empty={<EmptyState title={words.noRules} text={words.noRulesText} />}
        onClearFilter={isFiltered(filter) ? clearFilter : undefined}
      />
    </>
  );
}

/** Enables or disables the selected rules. */
function BulkActions({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const words = usePhrases(rulesPhrases);
  const client = useRulesClient();
  const { notify } = useNotices();
  const { reason, send } = useChanges();
  const set = async (enabled: boolean) => {
    const done = await send(() => client.bulk({ ids: [...ids], enabled }), { before: { enabled: !enabled } });
    if (!done) return;
    const text = fill(enabled ? words.bulkEnabled : words.bulkDisabled, { changed: done.changed, total: done.total });
    notify({ tone: "ok", text });
    onDone();
  };
  const common = { group: words.detections, isEnabled: reason === undefined, reason };
  const enable: Command = {
    ...{ id: "rules.enable", label: words.enable, keys: ["⇧E"], ...common },
    run: () => set(true),
  };
  const disable: Command = {
    ...{ id: "rules.disable", label: words.disable, keys: ["⇧D"], ...common },
    run: () => set(false),
  };
  useCommands([enable, disable]);
  return [enable, disable].map((command) => <CommandButton key={command.id} size="s" command={command} />);
}
