import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { after, later, now } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { HidePrice } from "../../../../app/hide/hide-price.tsx";
import { fill, isolated, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { QueryEditor } from "../../../../app/query-editor/query-editor.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../../../design/field.tsx";
import { type ExceptionScope, useExceptionsClient } from "./exceptions-client.ts";
import { exceptionsPhrases } from "./exceptions-phrases.ts";

const TYPING_MS = 400;
const DAY_S = 86_400;
const PRICE_DAYS = 7;
/** An exception always expires, within a year. */
const DAYS = ["1", "7", "30", "90", "364"] as const;
const SCOPES = ["rule", "tag", "all"] as const;

export interface ExceptionDialogProps {
  /** Without a rule, the exception applies to rules with a tag, or to all. */
  ruleId: string | undefined;
  onClose: () => void;
  onCreated: () => void;
}

/** A debounced text. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => after(TYPING_MS, () => setPaused(text)), [text]);
  return paused;
}

interface ExceptionSelection {
  scope: ExceptionScope;
  rule_id?: string;
  tag?: string;
  query: string;
}

/** What the exception would have hidden in the last days. */
function usePrice(selecting: ExceptionSelection, isWanted: boolean) {
  const client = useExceptionsClient();
  return useQuery({
    queryKey: ["exceptions", "price", selecting],
    queryFn: ({ signal }) =>
      client.preview({ ...selecting, from: later(now(), -PRICE_DAYS * DAY_S).toISOString() }, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function findWanted(
  scope: ExceptionScope,
  query: string,
  tag: string,
  words: { needsQuery: string; needsTag: string },
) {
  if (query.trim() === "") return words.needsQuery;
  return scope === "tag" && tag.trim() === "" ? words.needsTag : undefined;
}

/** Excludes known logs from rules, and shows the impact first. */
export function ExceptionDialog({ ruleId, onClose, onCreated }: ExceptionDialogProps) {
  const words = usePhrases(exceptionsPhrases);
  const { count } = useNumbers();
  const time = useTime();
  const { notify } = useNotices();
  const { send } = useChanges();
  const client = useExceptionsClient();
  const [scope, setScope] = useState<ExceptionScope>(ruleId === undefined ? "tag" : "rule");
  const [tag, setTag] = useState("");
  const [query, setQuery] = useState("");
  const [days, setDays] = useState<(typeof DAYS)[number]>("30");
  const [reason, setReason] = useState("");
  const [isReasonAsked, setIsReasonAsked] = useState(false);
  const [isUnderstood, setIsUnderstood] = useState(false);
  const typed = usePaused(JSON.stringify([query.trim(), tag.trim()]));
  const missing = findWanted(scope, query, tag, words);
  const isPaused = typed === JSON.stringify([query.trim(), tag.trim()]);
  const selecting: ExceptionSelection = {
    ...{ scope, query: query.trim() },
    ...(scope === "rule" && ruleId !== undefined && { rule_id: ruleId }),
    ...(scope === "tag" && { tag: tag.trim() }),
  };
  const price = usePrice(selecting, missing === undefined && isPaused);
  const confirmed = price.data?.hidden_true_positives ?? 0;
  const isPriced = missing === undefined && isPaused && price.data !== undefined && !price.isFetching && !price.error;
  const isReady = isPriced && (confirmed === 0 || isUnderstood);

  const create = async () => {
    if (reason.trim() === "") return setIsReasonAsked(true);
    const expires_at = later(now(), Number(days) * DAY_S).toISOString();
    const made = await send(() => client.create({ ...selecting, reason: reason.trim(), expires_at }));
    if (!made) return;
    onClose();
    const created = fill(words.createdNotice, { time: isolated(time.dateTime(made.expires_at)) });
    notify({ tone: "ok", text: made.approval_id ? words.waits : created });
    onCreated();
  };
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind={confirmed > 0 ? "danger" : "primary"} disabled={!isReady} onClick={() => void create()}>
            {words.create}
          </Button>
        </>
      }
    >
      <div className="rules-form">
        <p>{words.text}</p>
        <div className="rule-pair">
          <SelectField
            label={words.scope}
            value={scope}
            onChange={setScope}
            options={SCOPES.filter((value) => value !== "rule" || ruleId !== undefined).map((value) => ({
              value,
              label: words.scopes[value],
            }))}
          />
          {scope === "tag" && (
            <TextField label={words.tag} value={tag} onChange={(event) => setTag(event.target.value)} />
          )}
        </div>
        <div className="field">
          <span className="field-label">{words.query}</span>
          <QueryEditor label={words.query} value={query} onChange={setQuery} onRun={setQuery} />
        </div>
        <SelectField
          label={words.length}
          value={days}
          onChange={setDays}
          options={DAYS.map((value) => ({ value, label: count(Number(value), words.days) }))}
        />
        <TextArea
          label={words.reason}
          error={isReasonAsked && reason.trim() === "" && words.reasonMissing}
          rows={2}
          maxLength={5000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <HidePrice
          missing={missing}
          price={missing === undefined && price.data ? { ...price.data, hidden: price.data.would_hide } : undefined}
          error={price.error ?? undefined}
          isUnderstood={isUnderstood}
          onUnderstood={setIsUnderstood}
        />
      </div>
    </Dialog>
  );
}
