import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Chip } from "../../design/chip.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../design/field.tsx";
import { later, now } from "../browser/clock.ts";
import { useApp } from "../context/app-context.ts";
import { fill, isolated, useNumbers, usePhrases } from "../language/language-context.tsx";
import { useNotices } from "../notices/notices.tsx";
import { ApiError, errorWords } from "../server/api-error.ts";
import { isPreview } from "../server/server.ts";
import { useTime } from "../time/time-context.tsx";
import { hidePhrases } from "./hide-phrases.ts";
import { HidePrice } from "./hide-price.tsx";
import { createSuppressClient } from "./suppress-client.ts";
import "./hide.css";

export type Criteria = Readonly<Record<string, string | number | boolean>>;

export interface SuppressDialogProps {
  ruleId: string;
  /** Name of the new suppression. */
  name: string;
  /** Initial values. */
  criteria: Criteria;
  onClose: () => void;
  onSuppressed?: (() => void) | undefined;
}

const WEEK_S = 7 * 24 * 3600;
const DAY_HOURS = 24;
/** A suppression always expires. */
const HOURS = ["4", "24", "72", "168", "720"] as const;
const MAX_NAME = 200;
const FIELDS = ["host", "user", "process", "src_ip", "dst_ip", "source", "site", "event_code"] as const;

/** Hides later matches with the same values, and shows the impact first. */
export function SuppressDialog({ ruleId, name, criteria: given, onClose, onSuppressed }: SuppressDialogProps) {
  const { server } = useApp();
  const client = useMemo(() => createSuppressClient(server), [server]);
  const words = usePhrases(hidePhrases);
  const { count } = useNumbers();
  const time = useTime();
  const { notify } = useNotices();
  const [criteria, setCriteria] = useState<Criteria>(given);
  const [hours, setHours] = useState<(typeof HOURS)[number]>("168");
  const [reason, setReason] = useState("");
  const [isReasonAsked, setIsReasonAsked] = useState(false);
  const [isUnderstood, setIsUnderstood] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const hasCriteria = Object.keys(criteria).length > 0;
  const price = useQuery({
    queryKey: ["suppressions", "price", ruleId, criteria],
    queryFn: ({ signal }) => client.preview(ruleId, { criteria, from: later(now(), -WEEK_S).toISOString() }, signal),
    enabled: hasCriteria,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const confirmed = hasCriteria ? (price.data?.hidden_true_positives ?? 0) : 0;
  const isReady = hasCriteria && price.data !== undefined && !price.isFetching && (confirmed === 0 || isUnderstood);

  const suppress = async () => {
    if (reason.trim() === "") return setIsReasonAsked(true);
    setIsBusy(true);
    try {
      const request = { name: name.slice(0, MAX_NAME), reason, criteria, suppress_for_hours: Number(hours) };
      const body = await client.suppress(ruleId, request);
      onClose();
      if (!isPreview(body)) onSuppressed?.();
      const text = isPreview(body)
        ? words.previewed
        : fill(words.suppressed, { time: isolated(time.dateTime(body.expires_at)) });
      notify({ tone: isPreview(body) ? "waiting" : "ok", text });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIsBusy(false);
      setProblem(errorWords(error));
    }
  };
  const endWords = (value: string) =>
    Number(value) < DAY_HOURS * 2
      ? count(Number(value), words.endsIn.hours)
      : count(Number(value) / DAY_HOURS, words.endsIn.days);
  return (
    <Dialog
      title={words.suppressTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind={confirmed > 0 ? "danger" : "primary"}
            isBusy={isBusy}
            disabled={!isReady}
            onClick={() => void suppress()}
          >
            {words.suppress}
          </Button>
        </>
      }
    >
      <div className="hide-form">
        <p>{words.suppressText}</p>
        <CriteriaChips
          criteria={criteria}
          onChange={(next) => {
            setCriteria(next);
            // What was confirmed is the price of the criteria before.
            setIsUnderstood(false);
          }}
        />
        <SelectField
          label={words.ends}
          value={hours}
          onChange={setHours}
          options={HOURS.map((value) => ({ value, label: endWords(value) }))}
        />
        <TextArea
          label={words.reason}
          hint={words.reasonHint}
          error={isReasonAsked && reason.trim() === "" && words.reasonMissing}
          rows={2}
          maxLength={5000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <HidePrice
          missing={hasCriteria ? undefined : words.needsCriterion}
          price={hasCriteria && price.data ? { ...price.data, hidden: price.data.would_suppress } : undefined}
          error={price.error}
          isUnderstood={isUnderstood}
          onUnderstood={setIsUnderstood}
        />
        {problem && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function CriteriaChips({ criteria, onChange }: { criteria: Criteria; onChange: (criteria: Criteria) => void }) {
  const words = usePhrases(hidePhrases);
  const free = FIELDS.filter((name) => !(name in criteria));
  const [field, setField] = useState<string>();
  const [value, setValue] = useState("");
  const name = free.find((each) => each === field) ?? free[0];
  const add = () => {
    if (!name || value.trim() === "") return;
    onChange({ ...criteria, [name]: value.trim() });
    setValue("");
  };
  return (
    <fieldset className="hide-criteria">
      <legend className="field-label">{words.criteria}</legend>
      <div className="hide-chips">
        {Object.entries(criteria).map(([each, text]) => (
          <Chip
            key={each}
            field={each}
            value={String(text)}
            removeLabel={fill(words.removeCriterion, { name: each })}
            onRemove={() => onChange(Object.fromEntries(Object.entries(criteria).filter(([other]) => other !== each)))}
          />
        ))}
      </div>
      {name && (
        <div className="hide-add">
          <SelectField
            label={words.addCriterion}
            value={name}
            onChange={setField}
            options={free.map((each) => ({ value: each, label: each }))}
          />
          <TextField
            label={words.value}
            dir="ltr"
            maxLength={4096}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
          <Button onClick={add}>{words.add}</Button>
        </div>
      )}
    </fieldset>
  );
}
