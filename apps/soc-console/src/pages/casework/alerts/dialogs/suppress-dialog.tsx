import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { later, now } from "../../../../app/clock.ts";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { fill, isolated } from "../../../../app/language/phrases.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { isPreview } from "../../../../app/server/changed.ts";
import { errorWords } from "../../../../app/server/error-words.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Chip } from "../../../../design/chip.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "../../../../design/field.tsx";
import type { Alert, AlertsClient, SuppressionPreview } from "../alerts-client.ts";
import { dialogPhrases } from "./alert-dialogs-phrases.ts";
import "./dialogs.css";

export interface SuppressDialogProps {
  client: AlertsClient;
  alert: Alert;
  onClose: () => void;
}

type Criteria = Readonly<Record<string, string>>;

const WEEK_S = 7 * 24 * 3600;
const DAY_HOURS = 24;
/** A suppression always ends. */
const HOURS = ["4", "24", "72", "168", "720"] as const;
const MAX_NAME = 200;
const FIELDS = ["host", "user", "process", "src_ip", "dst_ip", "source", "site", "event_code"] as const;

function readCriteria({ host, user, group }: Alert): Criteria {
  if (group && Object.keys(group).length > 0) return group;
  return { ...(host && { host }), ...(user && { user }) };
}

/** Hides later matches with the same values, and says first what that would have hidden. */
export function SuppressDialog({ client, alert, onClose }: SuppressDialogProps) {
  const words = usePhrases(dialogPhrases);
  const { count } = useNumbers();
  const time = useTime();
  const { notify } = useNotices();
  const [criteria, setCriteria] = useState<Criteria>(() => readCriteria(alert));
  const [hours, setHours] = useState<(typeof HOURS)[number]>("168");
  const [reason, setReason] = useState("");
  const [isReasonAsked, setIsReasonAsked] = useState(false);
  const [isUnderstood, setIsUnderstood] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const ruleId = alert.rule_id ?? "";
  const hasCriteria = Object.keys(criteria).length > 0;
  const price = useQuery({
    queryKey: ["suppressions", "price", ruleId, criteria],
    queryFn: ({ signal }) =>
      client.previewSuppression(ruleId, { criteria, from: later(now(), -WEEK_S).toISOString() }, signal),
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
      const name = fill(words.name, { title: alert.title }).slice(0, MAX_NAME);
      const body = await client.suppress(ruleId, { name, reason, criteria, suppress_for_hours: Number(hours) });
      onClose();
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
      isOpen
      onClose={onClose}
      closeLabel={words.close}
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
      <div className="alerts-suppress">
        <p>{words.suppressText}</p>
        <CriteriaChips criteria={criteria} onChange={setCriteria} />
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
        <div className={confirmed > 0 ? "alerts-price alerts-price-red" : "alerts-price"} role="status">
          <p className="alerts-strong">{words.price}</p>
          {!hasCriteria && <p>{words.needsCriterion}</p>}
          {hasCriteria && price.data && <PriceWords price={price.data} />}
          {hasCriteria && !price.data && price.isFetching && <p>{words.pricing}</p>}
          {price.error instanceof ApiError && <p className="field-error">{errorWords(price.error)}</p>}
          {confirmed > 0 && (
            <>
              <p>{fill(words.danger, { count: confirmed })}</p>
              <Checkbox label={words.understand} checked={isUnderstood} onChange={setIsUnderstood} />
            </>
          )}
        </div>
        {problem && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function PriceWords({ price }: { price: SuppressionPreview }) {
  const words = usePhrases(dialogPhrases);
  return (
    <>
      <p>
        {fill(words.priceWords, {
          hidden: price.would_suppress,
          total: price.total,
          alerts: price.hidden_alerts,
          confirmed: price.hidden_true_positives,
        })}
      </p>
      {price.is_capped && <p className="alerts-note">{words.priceCapped}</p>}
    </>
  );
}

function CriteriaChips({ criteria, onChange }: { criteria: Criteria; onChange: (criteria: Criteria) => void }) {
  const words = usePhrases(dialogPhrases);
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
    <fieldset className="alerts-criteria">
      <legend className="field-label">{words.criteria}</legend>
      <div className="alerts-chips">
        {Object.entries(criteria).map(([each, text]) => (
          <Chip
            key={each}
            field={each}
            value={text}
            removeLabel={fill(words.removeCriterion, { name: each })}
            onRemove={() => onChange(Object.fromEntries(Object.entries(criteria).filter(([other]) => other !== each)))}
          />
        ))}
      </div>
      {name && (
        <div className="alerts-add">
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
