import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Facts } from "../../../design/panel.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { Hash } from "./hash.tsx";
import { type Consistency, ledgerKeys, readConsistency } from "./ledger-client.ts";
import { ledgerPhrases } from "./ledger-phrases.ts";
import { proofFaultPhrases } from "./proof-phrases.ts";
import { type BundleVerdict, verifyConsistency } from "./verify-bundle.ts";

const KEY_LETTERS = 12;

export interface ConsistencyDialogProps {
  /** Sizes of the two trees, smaller first. */
  from: number;
  to: number;
  onClose: () => void;
}

/** Proves in the browser that the later of two checkpoints only appends to the earlier one. */
export function ConsistencyDialog({ from, to, onClose }: ConsistencyDialogProps) {
  const words = usePhrases(ledgerPhrases);
  const { server } = useApp();
  const canProve = globalThis.crypto?.subtle !== undefined;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ledgerKeys.consistency(from, to),
    queryFn: async ({ signal }) => {
      const proof = await readConsistency(server, from, to, signal);
      return { proof, verdict: await verifyConsistency(proof) };
    },
    enabled: canProve,
    retry: false,
    gcTime: 0,
  });
  return (
    <Dialog
      title={words.consistency.title}
      onClose={onClose}
      actions={
        <>
          {canProve && (
            <Button isBusy={isFetching} onClick={() => void refetch()}>
              {words.consistency.again}
            </Button>
          )}
          <Button onClick={onClose}>{words.close}</Button>
        </>
      }
    >
      <div className="ledger-verdict" aria-live="polite">
        {!canProve && <p>{words.chain.noCrypto}</p>}
        {isFetching && !data && <p>{words.consistency.checking}</p>}
        {error && !isFetching && <FailedPart error={error} onRetry={() => void refetch()} />}
        {data && !error && <Verdict {...data} />}
      </div>
    </Dialog>
  );
}

function Verdict({ proof: { from, to, proof }, verdict }: { proof: Consistency; verdict: BundleVerdict }) {
  const { consistency: words } = usePhrases(ledgerPhrases);
  const faults = usePhrases(proofFaultPhrases);
  const time = useTime();
  const { steps } = words;
  if (!verdict.isGenuine) {
    const { kind } = verdict.fault;
    return (
      <div role="alert">
        <p className="ledger-result tone-failed">
          <StatusDot shape="cross" tone="failed" />
          {words.refused}
        </p>
        <p>{kind === "path" ? words.path : faults[kind]}</p>
      </div>
    );
  }
  return (
    <>
      <p className="ledger-result tone-ok">
        <StatusDot shape="check" tone="ok" />
        {words.proven}
      </p>
      <p>{fill(words.provenText, { from: from.tree_size, added: to.tree_size - from.tree_size })}</p>
      <ul className="ledger-steps">
        <li>{fill(steps.hashes, { count: proof.length })}</li>
        <li>{fill(steps.earlier, { size: from.tree_size, time: time.dateTime(from.at) })}</li>
        <li>{fill(steps.later, { size: to.tree_size, time: time.dateTime(to.at) })}</li>
        <li>{fill(steps.signed, { key: from.key_id.slice(0, KEY_LETTERS) })}</li>
      </ul>
      <Facts
        items={[
          { label: words.earlierRoot, value: <Hash>{from.root_hash}</Hash> },
          { label: words.laterRoot, value: <Hash>{to.root_hash}</Hash> },
        ]}
      />
    </>
  );
}
