import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { StatusDot } from "../../../../design/severity.tsx";
import { checkEvidence, type EvidenceProof, ledgerKeys, readBundle, saveBundle } from "../../ledger/ledger-client.ts";
import { ProofFaultRow } from "../../ledger/proof-fault-row.tsx";
import type { Evidence } from "../cases-client.ts";
import { evidencePhrases } from "./evidence-phrases.ts";

const KEY_LETTERS = 12;

/** Proofs are created on demand and kept until the user leaves the page. */
export function useProof(caseId: string, evidence: Evidence | undefined) {
  const { server } = useApp();
  const queries = useQueryClient();
  const chain = evidence?.registered_in ?? caseId;
  const key = ledgerKeys.proof(chain, evidence?.id ?? "");
  const query = useQuery<EvidenceProof>({
    queryKey: key,
    queryFn: ({ signal }) => {
      if (!evidence) throw new Error("a proof needs evidence");
      return checkEvidence(server, chain, evidence, signal);
    },
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    ...query,
    canProve: globalThis.crypto?.subtle !== undefined,
    prove: () => {
      queries.removeQueries({ queryKey: key, exact: true });
      void query.refetch();
    },
  };
}

export interface ProofCardProps {
  caseId: string;
  evidence: Evidence;
  proof: ReturnType<typeof useProof>;
}

export function ProofCard({ caseId, evidence, proof }: ProofCardProps) {
  const words = usePhrases(evidencePhrases);
  const { data, isFetching, error, prove, canProve } = proof;
  return (
    <section className="case-proof" aria-live="polite">
      {isFetching && <p>{words.proving}</p>}
      {!isFetching && error && <FailedPart error={error} onRetry={prove} />}
      {!isFetching && data && <Verdict proof={data} />}
      <div className="cases-bar">
        {canProve && (
          <Button keys={["P"]} isBusy={isFetching} onClick={prove}>
            {data ? words.proveAgain : words.prove}
          </Button>
        )}
        <SaveBundle caseId={evidence.registered_in ?? caseId} />
      </div>
      <p className="soft">{canProve ? words.bundleText : words.noCrypto}</p>
    </section>
  );
}

function SaveBundle({ caseId }: { caseId: string }) {
  const words = usePhrases(evidencePhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const save = async () => {
    try {
      saveBundle(await readBundle(server, caseId));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify({ tone: "failed", text: error.message });
    }
  };
  return <Button onClick={() => void save()}>{words.bundle}</Button>;
}

function Verdict({ proof }: { proof: EvidenceProof }) {
  const words = usePhrases(evidencePhrases);
  const time = useTime();
  if (proof.state === "waiting") {
    return (
      <>
        <p className="case-verdict tone-waiting">
          <StatusDot shape="half" tone="waiting" />
          {words.waiting}
        </p>
        <p>{fill(words.waitingText, { sequence: String(proof.sequence) })}</p>
      </>
    );
  }
  if (proof.state === "refused") {
    const { kind, sequence } = proof.fault;
    return (
      <div role="alert">
        <p className="case-verdict tone-failed">
          <StatusDot shape="cross" tone="failed" />
          {words.refused}
        </p>
        <p>
          {kind === "missing" || kind === "other_evidence" ? words.faults[kind] : <ProofFaultRow kind={kind} />}{" "}
          {sequence !== undefined && fill(words.faultEntry, { sequence: String(sequence) })}
        </p>
      </div>
    );
  }
  const { sequence, length, pathLength, treeSize, checkpointAt, keyId } = proof;
  const { steps } = words;
  return (
    <>
      <p className="case-verdict tone-ok">
        <StatusDot shape="check" tone="ok" />
        {words.proven}
      </p>
      <p>{fill(words.provenText, { sequence: String(sequence), length: String(length) })}</p>
      <ul className="case-steps">
        <li>{steps.entry}</li>
        <li>{fill(steps.chain, { length })}</li>
        <li>{fill(steps.path, { count: pathLength, size: treeSize })}</li>
        <li>{fill(steps.signature, { time: time.dateTime(checkpointAt), key: keyId.slice(0, KEY_LETTERS) })}</li>
      </ul>
    </>
  );
}
