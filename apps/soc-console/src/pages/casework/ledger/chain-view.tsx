import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { Button } from "../../../design/button.tsx";
import { SelectField, TextField } from "../../../design/field.tsx";
import { EmptyState, Skeleton } from "../../../design/states.tsx";
import { ChainEntries } from "./chain-entries.tsx";
import { ChainVerdict } from "./chain-verdict.tsx";
import { ledgerKeys, listRecentCases, saveBundle } from "./ledger-client.ts";
import { ledgerPhrases } from "./ledger-phrases.ts";
import { type ChainCheck, useChain } from "./use-chain.ts";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const OTHER = "other";

/** Verifies the whole chain of a case in the browser. The case is in the address. */
export function ChainView() {
  const { search } = useAddress();
  const { check, start } = useChain();
  const id = search.case ?? "";
  useEffect(() => {
    if (ID.test(id)) void start(id);
  }, [id, start]);
  return (
    <div className="ledger-chain">
      <ChainForm key={id} id={id} isBusy={check.state === "reading" || check.state === "checking"} onStart={start} />
      {ID.test(id) && <ChainResult id={id} check={check} onRetry={() => void start(id)} />}
    </div>
  );
}

interface ChainFormProps {
  id: string;
  isBusy: boolean;
  onStart: (id: string) => Promise<void>;
}

function ChainForm({ id, isBusy, onStart }: ChainFormProps) {
  const { chain: words } = usePhrases(ledgerPhrases);
  const { server } = useApp();
  const { change } = useAddress();
  const { data } = useQuery({
    queryKey: ledgerKeys.cases,
    queryFn: ({ signal }) => listRecentCases(server, signal),
  });
  const cases = data?.items ?? [];
  const [typed, setTyped] = useState(id);
  const [wantsOther, setWantsOther] = useState(false);
  const [isWrong, setIsWrong] = useState(false);
  const isListed = cases.some((record) => record.id === id);
  const isOther = wantsOther || (id !== "" && data !== undefined && !isListed);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = (isOther ? typed : id).trim().toLowerCase();
    setIsWrong(!ID.test(wanted));
    if (!ID.test(wanted)) return;
    if (wanted === id) void onStart(wanted);
    else change({ case: wanted });
  };
  return (
    <form className="ledger-form" onSubmit={submit}>
      <p className="soft">{words.intro}</p>
      <div className="ledger-fields">
        <SelectField
          label={words.chooseCase}
          value={isOther ? OTHER : id}
          onChange={(value) => {
            setWantsOther(value === OTHER);
            if (value !== OTHER) change({ case: value });
          }}
          options={[
            ...(id === "" || !isListed ? [{ value: "", label: words.choose }] : []),
            ...cases.map((record) => ({ value: record.id, label: safeText(record.title) })),
            { value: OTHER, label: words.otherId },
          ]}
        />
        {isOther && (
          <TextField
            label={words.id}
            hint={words.idHint}
            error={isWrong && words.notAnId}
            dir="ltr"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setIsWrong(false);
            }}
          />
        )}
        {(isOther || id !== "") && (
          <Button type="submit" kind={id === "" ? "primary" : "plain"} isBusy={isBusy}>
            {id === "" ? words.start : words.again}
          </Button>
        )}
      </div>
    </form>
  );
}

function ChainResult({ id, check, onRetry }: { id: string; check: ChainCheck; onRetry: () => void }) {
  const { chain: words } = usePhrases(ledgerPhrases);
  const isMissing = check.state === "failed" && check.error instanceof ApiError && check.error.status === 404;
  if (isMissing) return <EmptyState title={words.empty} text={words.emptyText} />;
  if (check.state === "failed") return <FailedPart error={check.error} onRetry={onRetry} />;
  if (check.state === "idle" || check.state === "reading") return <Skeleton rows={4} />;
  const { bundle } = check;
  return (
    <>
      <div aria-live="polite">
        {check.state === "checking" ? (
          <label className="ledger-progress">
            {fill(words.progress, { done: check.done, total: check.total })}
            <progress value={check.done} max={check.total} />
          </label>
        ) : (
          <ChainVerdict bundle={bundle} verdict={check.verdict} />
        )}
      </div>
      <div className="ledger-bar">
        <Button onClick={() => saveBundle(bundle)}>{words.bundle}</Button>
        <Link to={`/cases/${id}`}>{words.openCase}</Link>
      </div>
      <ChainEntries bundle={bundle} isProven={check.state === "done" && check.verdict.isGenuine} />
    </>
  );
}
