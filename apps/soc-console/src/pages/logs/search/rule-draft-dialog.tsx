import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useApp } from "../../../app/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { fill } from "../../../app/language/phrases.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { isPreview } from "../../../app/server/changed.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Histogram } from "../../../design/charts/histogram.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../../design/field.tsx";
import { Skeleton, Stale } from "../../../design/states.tsx";
import { PreviewCard, useRefusal, useVerb } from "./change-notice.tsx";
import { PartFailed } from "./part-failed.tsx";
import { createRule, previewRule, type RulePreview, type RuleSeverity, ruleDraftKeys } from "./rule-draft-client.ts";
import type { LogSearch } from "./search-client.ts";
import { searchPhrases } from "./search-phrases.ts";

const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;

export interface RuleDraftDialogProps {
  search: LogSearch;
  onClose: () => void;
}

/** A hunt becomes a rule that is not enabled: what it would have raised is shown first. */
export function RuleDraftDialog({ search, onClose }: RuleDraftDialogProps) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const [name, setName] = useState("");
  const [query, setQuery] = useState(search.query);
  const [tried, setTried] = useState(search.query);
  const [severity, setSeverity] = useState<RuleSeverity>("medium");
  const refusal = useRefusal();
  const verb = useVerb(words.createRule);
  const formId = useId();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => createRule(server, { name: name.trim(), query, severity }),
    onSuccess: (answer) => {
      if (isPreview(answer)) return;
      notify({ text: words.ruleCreated, tone: "ok" });
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      closeLabel={words.close}
      title={words.ruleTitle}
      width="l"
      actions={
        <Button kind="primary" type="submit" form={formId} isBusy={isPending} disabled={refusal !== undefined}>
          {verb}
        </Button>
      }
    >
      <form
        id={formId}
        className="search-form"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <TextField
          label={words.ruleName}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={words.severity}
          options={SEVERITIES.map((value) => ({ value, label: words.severities[value] }))}
          value={severity}
          onChange={setSeverity}
        />
        <TextArea
          label={words.query}
          required
          dir="ltr"
          spellCheck={false}
          rows={3}
          className="search-mono"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onBlur={() => setTried(query)}
        />
      </form>
      <div className="search-form search-form-more">
        <DraftPreview search={{ ...search, query: tried }} />
        <p className="search-hint">{words.ruleDisabled}</p>
        {refusal !== undefined && <p className="search-partial">{refusal}</p>}
        {error instanceof ApiError && <PartFailed title={words.ruleNotCreated} error={error} />}
        {data && isPreview(data) && <PreviewCard>{words.wouldCreateRule}</PreviewCard>}
      </div>
    </Dialog>
  );
}

function DraftPreview({ search }: { search: LogSearch }) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ruleDraftKeys.preview(search.query, search.from, search.to),
    queryFn: ({ signal }) => previewRule(server, search, signal),
    placeholderData: (before) => before,
    enabled: search.query.trim() !== "",
  });
  if (search.query.trim() === "") return <p className="search-hint">{words.ruleNeedsQuery}</p>;
  if (error instanceof ApiError) {
    return <PartFailed title={words.previewFailed} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton rows={3} />;
  return (
    <Stale isStale={isPlaceholderData}>
      <PreviewBody preview={data} />
    </Stale>
  );
}

function PreviewBody({ preview }: { preview: RulePreview }) {
  const words = usePhrases(searchPhrases);
  const { number } = useNumbers();
  const { dateTime, duration } = useTime();
  const { total, alert_count, suppressed_count, known, scanned, scanned_is_capped, is_capped, took_ms } = preview;
  const counted = `${is_capped ? "≥ " : ""}${number(total)}`;
  const read = `${scanned_is_capped ? "≥ " : ""}${number(scanned)}`;
  return (
    <section className="search-backtest" aria-label={words.backtest}>
      <p>
        <strong>{fill(words.wouldRaise, { matches: counted, alerts: number(alert_count) })}</strong>{" "}
        <span className="soft">{fill(words.scanned, { logs: read, time: duration(took_ms) })}</span>
      </p>
      <Histogram
        label={words.backtest}
        buckets={preview.histogram.map(({ at, count }) => ({
          at,
          parts: [{ key: "matches", value: count, fill: "var(--accent)" }],
        }))}
        from={preview.window_from}
        to={preview.window_to}
        describe={({ at, parts }) => `${dateTime(at)} · ${number(parts[0]?.value ?? 0)}`}
      />
      <p className="search-hint">
        {fill(words.knownVerdicts, {
          good: known.true_positive,
          bad: known.false_positive,
          suppressed: suppressed_count,
        })}
      </p>
    </section>
  );
}
