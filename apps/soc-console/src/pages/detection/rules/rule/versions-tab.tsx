import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { TextDifference } from "../../../../app/changes/text-difference.tsx";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../../app/lists/record-list.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { EmptyState, Skeleton } from "../../../../design/states.tsx";
import { type Rule, type RuleVersion, ruleKeys, useRulesClient } from "../rules-client.ts";
import { rulePhrases } from "./rule-phrases.ts";
import { splitUnified } from "./split-unified.ts";

const readKey = (item: RuleVersion) => item.id;

/** Every version with its changes, and a button to restore it. */
export function VersionsTab({ rule }: { rule: Rule }) {
  const words = usePhrases(rulePhrases);
  const time = useTime();
  const { number } = useNumbers();
  const client = useRulesClient();
  const pages = useRecordPages<RuleVersion>(`versions ${rule.id} ${rule.version}`, {}, (query, signal) =>
    client.versions(rule.id, query, signal),
  );
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "version", title: words.version, width: "64px", align: "end" },
      { key: "at", title: words.changedAt, width: "172px" },
      { key: "by", title: words.by, width: "132px" },
      { key: "query", title: words.query, width: "minmax(140px, 1fr)" },
    ],
    [words],
  );
  const render = useCallback(
    (item: RuleVersion) => (
      <>
        <span>{number(item.version)}</span>
        <span className="list-mono">{time.dateTime(item.changed_at)}</span>
        <span className="list-title">
          <SafeText>{item.changed_by}</SafeText>
        </span>
        <span className="list-title soft">
          <SafeText isMono>{item.rule.query}</SafeText>
        </span>
      </>
    ),
    [time, number],
  );
  return (
    <RecordList
      label={words.tabs.versions}
      noun="versions"
      columns={columns}
      pages={pages}
      rowKey={readKey}
      renderRow={render}
      rowName={(item) => fill(words.versionName, { n: item.version })}
      renderPane={(item) => <VersionPane key={item.id} item={item} current={rule} />}
      empty={<EmptyState title={words.noVersions} />}
    />
  );
}

function VersionPane({ item, current }: { item: RuleVersion; current: Rule }) {
  const words = usePhrases(rulePhrases);
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const queries = useQueryClient();
  const client = useRulesClient();
  const isCurrent = item.version === current.version;
  const restore = async () => {
    const rule = await send(() => client.restore(current.id, item.version), { before: current });
    if (!rule) return;
    notify({ tone: "ok", text: fill(words.restored, { from: item.version, to: rule.version }) });
    await queries.invalidateQueries({ queryKey: ruleKeys.one(current.id) });
  };
  return (
    <>
      <h2 className="rules-pane-title">
        {fill(words.versionName, { n: item.version })} {isCurrent && <span className="soft">({words.current})</span>}
      </h2>
      {mayWrite && !isCurrent && (
        <div>
          <Button size="s" disabled={reason !== undefined} title={reason} onClick={() => void restore()}>
            {words.restore}
          </Button>
          <p className="soft">{words.restoreText}</p>
        </div>
      )}
      {item.version === 1 ? (
        <p className="soft">{words.first}</p>
      ) : (
        <Difference ruleId={current.id} from={item.version - 1} to={item.version} />
      )}
      {!isCurrent && item.version !== current.version - 1 && (
        <Difference ruleId={current.id} from={current.version} to={item.version} />
      )}
    </>
  );
}

function Difference({ ruleId, from, to }: { ruleId: string; from: number; to: number }) {
  const words = usePhrases(rulePhrases);
  const client = useRulesClient();
  const { data, error, refetch } = useQuery({
    queryKey: ruleKeys.part(ruleId, "diff", String(from), String(to)),
    queryFn: ({ signal }) => client.diff(ruleId, from, to, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section>
      <h3 className="rule-against">{fill(words.against, { n: from })}</h3>
      {data && <TextDifference {...splitUnified(data.unified)} />}
      {!data && (error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />)}
    </section>
  );
}
