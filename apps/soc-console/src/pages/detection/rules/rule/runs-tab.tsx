import { useCallback, useMemo } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../../app/lists/record-list.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import type { Tone } from "../../../../design/chip.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { Facts } from "../../../../design/panel.tsx";
import { type DotShape, StatusDot } from "../../../../design/severity.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type Rule, type RuleRun, useRulesClient } from "../rules-client.ts";
import { rulePhrases } from "./rule-phrases.ts";

const readKey = (item: RuleRun) => item.id;
const SIGNS: Readonly<Record<RuleRun["status"], { shape: DotShape; tone: Tone }>> = {
  completed: { shape: "check", tone: "ok" },
  capped: { shape: "half", tone: "waiting" },
  failed: { shape: "cross", tone: "failed" },
  preview: { shape: "ring", tone: "plain" },
};

/** Every run of the rule. */
export function RunsTab({ rule }: { rule: Rule }) {
  const words = usePhrases(rulePhrases);
  const time = useTime();
  const { number } = useNumbers();
  const client = useRulesClient();
  const pages = useRecordPages<RuleRun>(`runs ${rule.id}`, {}, (query, signal) => client.runs(rule.id, query, signal));
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "started", title: words.started, width: "172px" },
      { key: "status", title: words.status, width: "132px" },
      { key: "trigger", title: words.trigger, width: "112px" },
      { key: "matches", title: words.matchCount, width: "80px", align: "end" },
      { key: "new", title: words.newCount, width: "64px", align: "end" },
      { key: "alerts", title: words.raised, width: "64px", align: "end" },
      { key: "error", title: words.error, width: "minmax(100px, 1fr)" },
    ],
    [words],
  );
  const { statuses, triggers, backfill } = words;
  const render = useCallback(
    (run: RuleRun) => (
      <>
        <span className="list-mono">{time.dateTime(run.started_at)}</span>
        <span className="rules-line">
          <StatusDot {...SIGNS[run.status]} />
          {statuses[run.status]}
        </span>
        <span className="soft">{run.is_backfill ? backfill : triggers[run.trigger_mode]}</span>
        <span>{number(run.match_count)}</span>
        <span>{number(run.new_match_count)}</span>
        <span>{number(run.alert_ids.length)}</span>
        <span className="list-title rules-red">
          <SafeText>{run.error ?? ""}</SafeText>
        </span>
      </>
    ),
    [time, number, statuses, triggers, backfill],
  );
  return (
    <RecordList
      label={words.tabs.runs}
      noun="rule-runs"
      events="run."
      columns={columns}
      pages={pages}
      rowKey={readKey}
      renderRow={render}
      rowName={(run) => time.dateTime(run.started_at)}
      renderPane={(run) => <RunPane run={run} />}
      empty={<EmptyState title={words.noRuns} text={words.noRunsText} />}
    />
  );
}

function RunPane({ run }: { run: RuleRun }) {
  const words = usePhrases(rulePhrases);
  const time = useTime();
  const { number } = useNumbers();
  const tookMs = Date.parse(run.finished_at) - Date.parse(run.started_at);
  return (
    <Facts
      items={[
        { label: words.started, value: <span className="mono">{time.dateTime(run.started_at)}</span> },
        { label: words.took, value: time.duration(tookMs) },
        { label: words.status, value: words.statuses[run.status] },
        {
          label: words.window,
          value: (
            <span className="mono">
              <bdi>{time.dateTime(run.window_from)}</bdi> – <bdi>{time.dateTime(run.window_to)}</bdi>
            </span>
          ),
        },
        { label: words.version, value: number(run.rule_version) },
        {
          label: words.matchCount,
          value: <Link to={`/detections/${run.rule_id}/matches`}>{number(run.match_count)}</Link>,
        },
        { label: words.suppressedCount, value: number(run.suppressed_count) },
        { label: words.exceptedCount, value: number(run.excepted_count) },
        {
          label: words.raised,
          value: run.alert_ids.map((id) => (
            <Link key={id} to={`/alerts/${id}`} className="rules-tag">
              {fill(words.alert, { id: id.slice(-6) })}
            </Link>
          )),
        },
        {
          label: words.logs,
          value: run.sample_log_ids.map((id) => (
            <Link key={id} to={`/hunt/log/${id}`} className="rules-tag">
              {fill(words.log, { id: id.slice(-6) })}
            </Link>
          )),
        },
        {
          label: words.error,
          value: run.error && (
            <span className="rules-red">
              <SafeText>{run.error}</SafeText>
            </span>
          ),
        },
      ]}
    />
  );
}
