import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type SubmitEvent, useEffect, useId, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { after } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { FailedPart } from "../../../../app/page/page.tsx";
import type { ApiError } from "../../../../app/server/api-error.ts";
import type { ListResponse } from "../../../../app/server/server.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "../../../../design/field.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { createInvestigationsClient, type InvestigateRequest, type Investigation } from "../investigations-client.ts";
import { investigationsPhrases } from "../investigations-phrases.ts";
import { startPhrases } from "../start-phrases.ts";
import "../investigations.css";

type Kind = "alert" | "question";
type Severity = Investigation["severity"];

interface FoundAlert {
  id: string;
  title: string;
  severity: Severity;
  last_seen: string;
}

const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
const MAX_FOUND = 8;
const TYPING_MS = 250;

/** Chooses the subject: an alert, or a description in words. */
export function StartDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = usePhrases(startPhrases);
  const mode = useMode();
  const form = useId();
  const mayReadAlerts = useMay("alerts:read");
  const [kind, setKind] = useState<Kind>(mayReadAlerts ? "alert" : "question");
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Dialog
      title={words.start}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {mode === "dry_run" ? words.previewStart : words.start}
          </Button>
        </>
      }
    >
      {mayReadAlerts && (
        <TabLinks
          label={words.what}
          items={(["alert", "question"] as const).map((one) => ({
            label: words.kinds[one],
            isCurrent: kind === one,
            onSelect: () => setKind(one),
          }))}
        />
      )}
      {isOpen && kind === "alert" && <AlertForm id={form} onBusy={setIsBusy} onClose={onClose} />}
      {isOpen && kind === "question" && <QuestionForm id={form} onBusy={setIsBusy} onClose={onClose} />}
      <p className="soft investigations-hint">{words.hint}</p>
    </Dialog>
  );
}

interface FormProps {
  id: string;
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}

/** Starts the investigation and opens its page; in dry_run it shows the preview. */
function useStart({ onBusy, onClose }: FormProps) {
  const { server } = useApp();
  const { go } = useAddress();
  const { send } = useChanges();
  const [refusal, setRefusal] = useState<ApiError>();
  const start = async (request: InvestigateRequest) => {
    setRefusal(undefined);
    onBusy(true);
    const onRefused = (error: ApiError) => {
      setRefusal(error);
      return true;
    };
    const begun = await send(() => createInvestigationsClient(server).start(request), { onRefused }).finally(() =>
      onBusy(false),
    );
    if (!begun) return;
    onClose();
    go(`/agents/investigations/${begun.investigation_id}`);
  };
  return { start, refusal };
}

function AlertForm(props: FormProps) {
  const words = { ...usePhrases(investigationsPhrases), ...usePhrases(startPhrases) };
  const { server } = useApp();
  const time = useTime();
  const { start, refusal } = useStart(props);
  const [typed, setTyped] = useState("");
  const [q, setQ] = useState("");
  const [chosen, setChosen] = useState<string>();
  useEffect(() => after(TYPING_MS, () => setQ(typed.trim())), [typed]);
  const { data, error, refetch } = useQuery({
    queryKey: ["alerts", "to-investigate", q],
    queryFn: ({ signal }) =>
      server.get<ListResponse<FoundAlert>>("/alerts", { query: { q: q || undefined, limit: MAX_FOUND }, signal }),
    placeholderData: (before) => before,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (chosen !== undefined) void start({ alert_context: { alert_id: chosen } });
  };
  return (
    <form id={props.id} className="investigations-form" onSubmit={submit}>
      <TextField
        label={words.searchAlerts}
        type="search"
        icon={<Search />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error && !data && <FailedPart error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="soft">{words.noAlerts}</p>}
      <fieldset className="investigations-choices">
        <legend className="screen-reader-only">{words.chooseAlert}</legend>
        {data?.items.map((alert) => (
          <label key={alert.id} className="investigations-choice">
            <input
              type="radio"
              name="alert"
              required
              checked={chosen === alert.id}
              onChange={() => setChosen(alert.id)}
            />
            <SeveritySign severity={alert.severity} label={words.severities[alert.severity]} />
            <span className="list-title">
              <SafeText>{alert.title}</SafeText>
            </span>
            <span className="mono soft">{time.relative(alert.last_seen)}</span>
          </label>
        ))}
      </fieldset>
      {refusal && <FailedPart error={refusal} title={words.refused} />}
    </form>
  );
}

function QuestionForm(props: FormProps) {
  const words = { ...usePhrases(investigationsPhrases), ...usePhrases(startPhrases) };
  const { start, refusal } = useStart(props);
  const [description, setDescription] = useState("");
  const [host, setHost] = useState("");
  const [user, setUser] = useState("");
  const [severity, setSeverity] = useState<Severity>("medium");
  const [hasDevices, setHasDevices] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (description.trim() === "") return;
    const named = { title: description.trim().slice(0, 200), host: host.trim(), user: user.trim() };
    const filled = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ""));
    void start({
      alert_context: { ...filled, description: description.trim() },
      severity,
      ...(hasDevices && { has_cps_assets: true }),
    });
  };
  return (
    <form id={props.id} className="investigations-form" onSubmit={submit}>
      <TextArea
        label={words.question}
        hint={words.questionHint}
        required
        rows={4}
        maxLength={20_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <div className="investigations-pair">
        <TextField
          label={words.host}
          dir="ltr"
          maxLength={255}
          value={host}
          onChange={(event) => setHost(event.currentTarget.value)}
        />
        <TextField
          label={words.user}
          dir="ltr"
          maxLength={255}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <SelectField
          label={words.severity}
          value={severity}
          onChange={setSeverity}
          options={SEVERITIES.map((value) => ({ value, label: words.severities[value] }))}
        />
      </div>
      <Checkbox label={words.hasDevices} checked={hasDevices} onChange={setHasDevices} />
      {refusal && <FailedPart error={refusal} title={words.refused} />}
    </form>
  );
}
