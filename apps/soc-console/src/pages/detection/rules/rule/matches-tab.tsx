import { useCallback, useMemo } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../../app/lists/record-list.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { SelectField } from "../../../../design/field.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { Facts } from "../../../../design/panel.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type Rule, type RuleMatch, useRulesClient } from "../rules-client.ts";
import { rulePhrases } from "./rule-phrases.ts";

const readKey = (item: RuleMatch) => item.id;
/** Ids start with their time, which the row shows already. */
const SHOWN_ID = 12;
const HIDDEN: Readonly<Record<string, boolean>> = { yes: true, no: false };

/** The logs that the rule matched. */
export function MatchesTab({ rule }: { rule: Rule }) {
  const words = usePhrases(rulePhrases);
  const time = useTime();
  const { number } = useNumbers();
  const { search, change } = useAddress();
  const client = useRulesClient();
  const pages = useRecordPages<RuleMatch>(
    `matches ${rule.id}`,
    { suppressed: HIDDEN[search.hidden ?? ""] },
    (query, signal) => client.matches(rule.id, query, signal),
  );
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "at", title: words.matched, width: "172px" },
      { key: "log", title: words.logs, width: "minmax(160px, 1fr)" },
      { key: "alert", title: words.raised, width: "minmax(100px, 1fr)" },
      { key: "hidden", title: words.hiddenBy, width: "132px" },
      { key: "version", title: words.version, width: "64px", align: "end" },
    ],
    [words],
  );
  const { bySuppression, byException } = words;
  const render = useCallback(
    (item: RuleMatch) => (
      <>
        <span className="list-mono">{time.dateTime(item.matched_at)}</span>
        <span className="list-title">
          <SafeText isMono>{item.log_id.slice(-SHOWN_ID)}</SafeText>
        </span>
        <span className="list-title">
          <SafeText isMono>{item.alert_id?.slice(-SHOWN_ID) ?? ""}</SafeText>
        </span>
        <span className="list-title soft">{findHiding(item, bySuppression, byException)}</span>
        <span>{number(item.rule_version)}</span>
      </>
    ),
    [time, number, bySuppression, byException],
  );
  return (
    <>
      <div className="rules-line">
        <SelectField
          label={words.which}
          isLabelHidden
          value={search.hidden ?? ""}
          onChange={(hidden) => change({ hidden })}
          options={[
            { value: "", label: words.openOnly },
            { value: "no", label: words.shownOnly },
            { value: "yes", label: words.hiddenOnly },
          ]}
        />
      </div>
      <RecordList
        label={words.tabs.matches}
        noun="matches"
        events="run."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(item) => item.log_id}
        renderPane={(item) => <MatchPane item={item} />}
        empty={<EmptyState title={words.noMatches} text={words.noMatchesText} />}
        onClearFilter={search.hidden ? () => change({ hidden: "" }) : undefined}
      />
    </>
  );
}

function findHiding(item: RuleMatch, bySuppression: string, byException: string): string {
  if (item.exception_id !== null) return byException;
  return item.suppression_id === null ? "" : bySuppression;
}

function MatchPane({ item }: { item: RuleMatch }) {
  const words = usePhrases(rulePhrases);
  const time = useTime();
  const { number } = useNumbers();
  const hiding = findHiding(item, words.bySuppression, words.byException);
  return (
    <Facts
      items={[
        { label: words.matched, value: <span className="mono">{time.dateTime(item.matched_at)}</span> },
        {
          label: words.logs,
          value: (
            <Link to={`/hunt/log/${item.log_id}`}>
              <SafeText isMono>{item.log_id}</SafeText>
            </Link>
          ),
        },
        {
          label: words.raised,
          value: item.alert_id && (
            <Link to={`/alerts/${item.alert_id}`}>
              <SafeText isMono>{item.alert_id}</SafeText>
            </Link>
          ),
        },
        { label: words.hiddenBy, value: hiding },
        {
          label: words.version,
          value: <Link to={`/detections/${item.rule_id}/versions`}>{number(item.rule_version)}</Link>,
        },
      ]}
    />
  );
}
