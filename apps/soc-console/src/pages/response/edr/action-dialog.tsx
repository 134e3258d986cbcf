import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUpRight } from "lucide-react";
import { type SubmitEvent, useId, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { later, now } from "../../../app/browser/clock.ts";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { SelectField, TextArea } from "../../../design/field.tsx";
import {
  EDR,
  type EdrActionResult,
  type Endpoint,
  type Order,
  readOpenCases,
  sendAction,
  type Verb,
} from "./edr-client.ts";
import { type EdrPhrases, edrPhrases } from "./edr-phrases.ts";

export interface AskedAction {
  verb: Verb;
  endpoint: Endpoint;
  /** Whether the EDR executes the action, or a person carries it out. */
  hasAdapter: boolean;
  /** Expiry of the active isolation. */
  release: string | null | undefined;
}

type Release = keyof EdrPhrases["releases"];

const RELEASES: readonly Release[] = ["60", "240", "720", "1440", "10080", "never"];
const DEFAULT_RELEASE: Release = "240";

/** The confirmation of an action: reason, case, expiry and effect. */
export function ActionDialog({ asked, onClose }: { asked: AskedAction | undefined; onClose: () => void }) {
  const words = usePhrases(edrPhrases);
  const form = useId();
  const mode = useMode();
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Dialog
      title={asked ? words.titles[asked.verb] : ""}
      isOpen={asked !== undefined}
      onClose={onClose}
      actions={
        asked && (
          <>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button kind={asked.verb === "isolate" ? "danger" : "primary"} type="submit" form={form} isBusy={isBusy}>
              {mode === "dry_run" ? words.previews[asked.verb] : words.verbs[asked.verb]}
              {asked.hasAdapter && " ↗"}
            </Button>
          </>
        )
      }
    >
      {asked && <ActionForm id={form} asked={asked} onBusy={setIsBusy} onClose={onClose} />}
    </Dialog>
  );
}

/** The effect of the action, shown before it is requested. */
function Effect({ asked, release }: { asked: AskedAction; release: Release }) {
  const words = usePhrases(edrPhrases);
  const time = useTime();
  const { verb, endpoint, hasAdapter, release: current } = asked;
  const host = isolated(safeText(endpoint.hostname));
  const ends =
    release === "never"
      ? words.effectEndless
      : fill(words.effectEnds, { time: isolated(time.dateTime(later(now(), Number(release) * 60))) });
  const isAgain = verb === "isolate" && endpoint.isolation.desired === "isolated" && typeof current === "string";
  return (
    <section className="edr-effect" aria-label={words.willHappen}>
      <h3 className="edr-effect-title">{words.willHappen}</h3>
      <p>
        {fill(words.effects[verb], { host })}
        {verb === "isolate" && ` ${ends}`}
      </p>
      {isAgain && <p>{fill(words.effectReplaces, { time: isolated(time.dateTime(current)) })}</p>}
      <p className="edr-effect-note">
        {hasAdapter && <ArrowUpRight size={14} aria-hidden="true" />}
        {hasAdapter ? words.leaves : words.byHand}
      </p>
      {verb !== "scan" && <p className="edr-effect-note">{words.fourEyes}</p>}
    </section>
  );
}

function useOpenCases() {
  const { server } = useApp();
  const mayRead = useMay("cases:read");
  const { data } = useQuery({
    queryKey: [EDR, "open-cases"],
    queryFn: ({ signal }) => readOpenCases(server, signal),
    enabled: mayRead,
  });
  return data?.items ?? [];
}

interface FormProps {
  id: string;
  asked: AskedAction;
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}

function useSend({ asked, onBusy, onClose }: FormProps) {
  const words = usePhrases(edrPhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const { go } = useAddress();
  const queries = useQueryClient();
  const report = (acted: EdrActionResult) => {
    if (acted.status === "pending_approval") {
      const { approval_id } = acted;
      const action = { label: words.openApproval, run: () => go(`/approvals/${approval_id}`) };
      notify({ tone: "waiting", text: words.waitsForApproval, action });
    } else {
      const tone = acted.status === "completed" ? "ok" : acted.status === "blocked" ? "failed" : "waiting";
      notify({ tone, text: words.done[acted.status] });
    }
  };
  return async (order: Order) => {
    onBusy(true);
    const { verb, endpoint } = asked;
    const acted = await send(() => sendAction(server, endpoint.id, verb, order)).finally(() => onBusy(false));
    onClose();
    if (!acted) return;
    report(acted);
    await queries.invalidateQueries({ queryKey: [EDR] });
  };
}

function ActionForm(props: FormProps) {
  const words = usePhrases(edrPhrases);
  const cases = useOpenCases();
  const { id, asked } = props;
  const [reason, setReason] = useState("");
  const [caseId, setCaseId] = useState("");
  const [release, setRelease] = useState<Release>(DEFAULT_RELEASE);
  const [isMissing, setIsMissing] = useState(false);
  const sendOrder = useSend(props);
  const isIsolation = asked.verb === "isolate";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = reason.trim();
    // A scan disturbs no user; isolating or releasing a host requires a reason.
    if (text === "" && asked.verb !== "scan") return setIsMissing(true);
    void sendOrder({
      ...(text !== "" && { reason: text }),
      ...(caseId !== "" && { case_id: caseId }),
      ...(isIsolation && { release_after_minutes: release === "never" ? null : Number(release) }),
    });
  };
  return (
    <form id={id} className="edr-form" onSubmit={submit}>
      <Effect asked={asked} release={release} />
      <TextArea
        label={words.reason}
        rows={2}
        maxLength={1000}
        hint={words.reasonHint}
        error={isMissing && reason.trim() === "" && words.reasonMissing}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className="edr-form-pair">
        {isIsolation && (
          <SelectField
            label={words.releaseAfter}
            value={release}
            onChange={setRelease}
            options={RELEASES.map((value) => ({ value, label: words.releases[value] }))}
          />
        )}
        {cases.length > 0 && (
          <SelectField
            label={words.caseLabel}
            value={caseId}
            onChange={setCaseId}
            options={[
              { value: "", label: words.noCase },
              ...cases.map(({ id: value, title }) => ({ value, label: safeText(title) })),
            ]}
          />
        )}
      </div>
    </form>
  );
}
