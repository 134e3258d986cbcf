import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import { isPreview, type Server } from "../../../app/server/server.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Checkbox, SelectField } from "../../../design/field.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { PreviewCard, useRefusal, useVerb } from "./change-notice.tsx";
import { listRuleNames, ruleChoiceKeys } from "./rule-choice-client.ts";
import { type PromoteResult, promoteLog } from "./search-client.ts";
import { searchPhrases } from "./search-phrases.ts";

/** Each is a request: more would exhaust the caller's rate limit. */
const MAX_PROMOTED = 20;

type Outcome =
  | { id: string; kind: "done" | "preview"; promoted: PromoteResult }
  /** For example, an active suppression that matches the log. */
  | { id: string; kind: "refused"; error: ApiError };

export interface PromoteDialogProps {
  ids: readonly string[];
  onClose: () => void;
}

/** Promotes logs sequentially. Each has its own result. */
function usePromotion(ids: readonly string[]) {
  const { server } = useApp();
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async ({ isWithCase, ruleId }: { isWithCase: boolean; ruleId: string | undefined }) => {
      for (const id of ids) {
        const outcome = await promote(server, id, isWithCase, ruleId);
        setOutcomes((before) => [...before, outcome]);
      }
      await queries.invalidateQueries({ queryKey: ["alerts"] });
    },
  });
  return { outcomes, mutate, isPending, isSuccess };
}

async function promote(server: Server, id: string, isWithCase: boolean, ruleId: string | undefined): Promise<Outcome> {
  try {
    const answer = await promoteLog(server, id, isWithCase, ruleId);
    return isPreview(answer)
      ? { id, kind: "preview", promoted: answer.preview }
      : { id, kind: "done", promoted: answer };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { id, kind: "refused", error };
  }
}

/** Creates alerts from logs. */
export function PromoteDialog({ ids, onClose }: PromoteDialogProps) {
  const words = usePhrases(searchPhrases);
  const { count } = useNumbers();
  const mayOpenCase = useMay("cases:write");
  const [isWithCase, setIsWithCase] = useState(false);
  const [ruleId, setRuleId] = useState("");
  const refusal = useRefusal();
  const verb = useVerb(words.promoteVerb);
  // The selection at the time when the dialog opened, even if the rows change.
  const [chosen] = useState(() => ids.slice(0, MAX_PROMOTED));
  const { outcomes, mutate, isPending, isSuccess } = usePromotion(chosen);
  const start = () => mutate({ isWithCase, ruleId: ruleId === "" ? undefined : ruleId });
  return (
    <Dialog
      onClose={onClose}
      title={count(chosen.length, words.promoteTitle)}
      actions={
        isSuccess ? (
          <Button onClick={onClose}>{words.done}</Button>
        ) : (
          <Button kind="primary" isBusy={isPending} disabled={refusal !== undefined} onClick={start}>
            {verb}
          </Button>
        )
      }
    >
      {!isPending && !isSuccess && (
        <div className="search-form">
          <p>{words.promoteText}</p>
          {ids.length > MAX_PROMOTED && (
            <p className="search-partial">{fill(words.promoteLimit, { limit: MAX_PROMOTED })}</p>
          )}
          <RuleChoice ruleId={ruleId} onRule={setRuleId} />
          {mayOpenCase && <Checkbox label={words.withCase} checked={isWithCase} onChange={setIsWithCase} />}
          {refusal !== undefined && <p className="search-partial">{refusal}</p>}
        </div>
      )}
      <ul className="search-outcomes" aria-live="polite">
        {outcomes.map((outcome) => (
          <OutcomeLine key={outcome.id} outcome={outcome} />
        ))}
      </ul>
    </Dialog>
  );
}

function RuleChoice({ ruleId, onRule }: { ruleId: string; onRule: (id: string) => void }) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const mayRead = useMay("detections:read");
  const { data } = useQuery({
    queryKey: ruleChoiceKeys.names,
    queryFn: ({ signal }) => listRuleNames(server, signal),
    enabled: mayRead,
  });
  if (!mayRead || !data || data.length === 0) return null;
  const options = [
    { value: "", label: words.noRule },
    ...data.map(({ id, name }) => ({ value: id, label: safeText(name) })),
  ];
  return (
    <SelectField label={words.asMatch} hint={words.asMatchHint} options={options} value={ruleId} onChange={onRule} />
  );
}

function OutcomeLine({ outcome }: { outcome: Outcome }) {
  const words = usePhrases(searchPhrases);
  if (outcome.kind === "refused") {
    return (
      <li>
        <StatusDot shape="cross" tone="failed" />
        <span>
          {words.notPromoted} <bdi>{errorWords(outcome.error)}</bdi>
        </span>
      </li>
    );
  }
  const { alert, case: opened } = outcome.promoted;
  if (outcome.kind === "preview") {
    return (
      <li>
        <PreviewCard>
          {words.wouldPromote} <SafeText>{alert.title}</SafeText>
        </PreviewCard>
      </li>
    );
  }
  return (
    <li>
      <StatusDot shape="check" tone="ok" />
      <span>
        <Link to={`/alerts/${alert.id}`}>
          <SafeText>{alert.title}</SafeText>
        </Link>
        {opened && (
          <>
            {" · "}
            <Link to={`/cases/${opened.id}`}>
              <SafeText>{opened.title}</SafeText>
            </Link>
          </>
        )}
      </span>
    </li>
  );
}
