import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { SuppressDialog } from "../../../../app/hide/suppress-dialog.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { SelectField } from "../../../../design/field.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { Skeleton, Stale } from "../../../../design/states.tsx";
import type { Rule, RulePreview } from "../rules-client.ts";
import { editorPhrases } from "./editor-phrases.ts";
import { Timelines } from "./timelines.tsx";
import { type Backtest, type RuleBacktest, SPANS, type Span } from "./use-backtest.ts";

const MAX_TITLES = 5;
const MAX_TOP = 6;
const MAX_LOGS = 20;
const MAX_MESSAGE = 300;

export interface BacktestPanelProps {
  test: RuleBacktest;
  stored: Rule | undefined;
  span: Span;
  onSpan: (span: Span) => void;
  onRefresh: () => void;
}

/** The alerts that the edited rule would have raised. */
export function BacktestPanel({ test, stored, span, onSpan, onRefresh }: BacktestPanelProps) {
  const words = usePhrases(editorPhrases);
  const maySearch = useMay("siem:search");
  const { isBusy, isEarlier, found, error } = test;
  return (
    <Panel
      title={words.backtest}
      aside={
        <span className="rule-editor-spans">
          <span role="status">{isBusy ? words.testing : found ? words.spans[found.span] : words.asYouType}</span>
          <SelectField
            label={words.span}
            isLabelHidden
            value={span}
            onChange={onSpan}
            options={SPANS.map((value) => ({ value, label: words.spans[value] }))}
          />
          <IconButton label={words.refresh} icon={<RefreshCw />} size="s" onClick={onRefresh} />
        </span>
      }
    >
      {!maySearch && <p className="soft">{words.needsSearch}</p>}
      {maySearch && !found && !error && !isBusy && <p className="soft">{words.needsQuery}</p>}
      {maySearch && !found && isBusy && <Skeleton rows={6} />}
      {error !== undefined && <FailedPart title={words.untestable} error={error} onRetry={onRefresh} />}
      {found && (
        <Stale isStale={isEarlier}>
          <div className="rule-editor-found">
            <Counts backtest={found.result} stored={stored} />
            <Timelines preview={found.result.preview} draft={found.result.draft} />
            <Titles preview={found.result.preview} />
            <TopValues preview={found.result.preview} stored={stored} onSuppressed={onRefresh} />
            <Samples preview={found.result.preview} />
          </div>
        </Stale>
      )}
    </Panel>
  );
}

function Counts({ backtest, stored }: { backtest: Backtest; stored: Rule | undefined }) {
  const words = usePhrases(editorPhrases);
  const { count, number } = useNumbers();
  const { duration } = useTime();
  const { preview, difference, draft } = backtest;
  const { known, scanned, scanned_is_capped, took_ms, suppressed_count, excepted_count } = preview;
  const matches = `${preview.is_capped ? "≥ " : ""}${count(preview.total, words.matches)}`;
  const search = { q: draft.query.trim(), from: preview.window_from, to: preview.window_to };
  return (
    <div>
      <p className="rule-editor-total">
        {draft.type === "query" && draft.query.trim() !== "" ? (
          <Link to="/hunt" search={search}>
            {matches}
          </Link>
        ) : (
          matches
        )}
        {" → "}
        {count(preview.alert_count, words.alerts)}
      </p>
      <p>{fill(words.known, { good: known.true_positive, bad: known.false_positive })}</p>
      {difference && stored && (
        <p>
          {!difference.isExact && `${words.atLeast} `}
          <bdi dir="ltr" className="mono">
            +{number(difference.added)} / −{number(difference.removed)}
          </bdi>{" "}
          {fill(words.against, { n: stored.version })}
        </p>
      )}
      {preview.is_capped && <p className="rules-red">{words.capped}</p>}
      {suppressed_count + excepted_count > 0 && (
        <p className="soft">{fill(words.hidden, { suppressed: suppressed_count, excepted: excepted_count })}</p>
      )}
      <p className="soft">
        {fill(words.scanned, {
          logs: `${scanned_is_capped ? "≥ " : ""}${number(scanned)}`,
          time: duration(took_ms),
        })}
      </p>
    </div>
  );
}

function Titles({ preview }: { preview: RulePreview }) {
  const words = usePhrases(editorPhrases);
  const { count } = useNumbers();
  if (preview.alerts.length === 0) return null;
  return (
    <div>
      <h3>{words.titles}</h3>
      <ul className="rule-editor-list">
        {preview.alerts.slice(0, MAX_TITLES).map(({ title, matches }) => (
          <li key={title}>
            <span className="rule-editor-cut">
              <SafeText>{title}</SafeText>
            </span>
            <span className="soft">{count(matches, words.matches)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The noisiest values, each with a button to suppress it. */
function TopValues(props: { preview: RulePreview; stored: Rule | undefined; onSuppressed: () => void }) {
  const { preview, stored, onSuppressed } = props;
  const words = usePhrases(editorPhrases);
  const { number } = useNumbers();
  const maySuppress = useMay("detections:write", "siem:search");
  const [criteria, setCriteria] = useState<Readonly<Record<string, string>>>();
  const top = preview.groups.toSorted((one, other) => other.count - one.count).slice(0, MAX_TOP);
  if (top.length === 0) return null;
  return (
    <div>
      <h3>{words.top}</h3>
      <ul className="rule-editor-list">
        {top.map(({ field, value, count }) => (
          <li key={`${field} ${value}`}>
            <Link
              to="/hunt"
              search={{ q: `${field}:${JSON.stringify(value)}`, from: "-24h" }}
              className="rule-editor-cut"
            >
              <SafeText isMono>{`${field}:${value}`}</SafeText>
            </Link>
            <span className="soft">{number(count)}</span>
            {stored && maySuppress && (
              <Button
                size="s"
                kind="ghost"
                title={fill(words.suppress, { value })}
                onClick={() => setCriteria({ [field]: value })}
              >
                {fill(words.suppress, { value: "" }).trim()}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {stored && criteria && (
        <SuppressDialog
          ruleId={stored.id}
          name={stored.name}
          criteria={criteria}
          onClose={() => setCriteria(undefined)}
          onSuppressed={onSuppressed}
        />
      )}
    </div>
  );
}

function Samples({ preview }: { preview: RulePreview }) {
  const words = usePhrases(editorPhrases);
  const { dateTime } = useTime();
  return (
    <div>
      <h3>{words.samples}</h3>
      {preview.logs.length === 0 && <p className="soft">{words.noSamples}</p>}
      <ul className="rule-editor-list">
        {preview.logs.slice(0, MAX_LOGS).map((log) => (
          <li key={log.id}>
            <Link to={`/hunt/log/${log.id}`} className="rule-editor-log">
              <span className="mono">{dateTime(log.timestamp)}</span>
              <SafeText isMono>{`${log.host ?? ""} ${(log.message ?? "").slice(0, MAX_MESSAGE)}`}</SafeText>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
