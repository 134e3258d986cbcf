import { X } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { TextField } from "../../../../design/field.tsx";
import { Facts } from "../../../../design/panel.tsx";
import { type CasePage, type Evidence, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { evidencePhrases } from "./evidence-phrases.ts";
import { ProofCard, type useProof } from "./proof-card.tsx";

export interface EvidencePaneProps {
  caseId: string;
  evidence: Evidence;
  file: NonNullable<CasePage["files"]>[number] | undefined;
  proof: ReturnType<typeof useProof>;
  mayWrite: boolean;
  onChanged: () => void;
  onClose: () => void;
}

/** One piece of evidence: facts, ledger proof, chain of custody. */
export function EvidencePane({ caseId, evidence, file, proof, mayWrite, onChanged, onClose }: EvidencePaneProps) {
  const words = usePhrases(evidencePhrases);
  const numbers = useNumbers();
  const time = useTime();
  return (
    <div className="cases-pane">
      <div className="cases-pane-head">
        <h2 className="cases-pane-title">
          <SafeText>{evidence.name}</SafeText>
        </h2>
        <IconButton label={words.close} icon={<X />} size="s" onClick={onClose} />
      </div>
      <Facts
        items={[
          { label: words.type, value: <SafeText>{evidence.evidence_type}</SafeText> },
          ...(file ? [{ label: words.size, value: numbers.bytes(file.size_bytes) }] : []),
          ...(evidence.location ? [{ label: words.location, value: <SafeText>{evidence.location}</SafeText> }] : []),
          { label: words.registered, value: <span className="mono">{time.dateTime(evidence.created_at)}</span> },
          {
            label: words.hash,
            value: (
              <bdi className="mono case-hash" dir="ltr">
                {evidence.sha256 ?? words.notHashed}
              </bdi>
            ),
          },
        ]}
      />
      {file && (
        <p>
          <a className="button button-plain" href={`/api/v1/cases/${caseId}/files/${file.id}`} download={file.name}>
            {words.download}
          </a>
        </p>
      )}
      <ProofCard caseId={caseId} evidence={evidence} proof={proof} />
      <h3>{words.custody}</h3>
      <ol className="case-custody">
        {evidence.custody_entries.map((entry) => (
          <li key={`${entry.recorded_at} ${entry.action}`}>
            <span className="mono soft">{time.dateTime(entry.recorded_at)}</span>{" "}
            <strong>
              <SafeText>{entry.recorded_by}</SafeText>
            </strong>{" "}
            <SafeText>{entry.action}</SafeText>
            {entry.location && (
              <span className="soft">
                {" · "}
                <SafeText>{entry.location}</SafeText>
              </span>
            )}
            {entry.notes && (
              <p className="soft">
                <SafeText>{entry.notes}</SafeText>
              </p>
            )}
          </li>
        ))}
      </ol>
      {mayWrite && <AddCustody caseId={caseId} evidence={evidence} onChanged={onChanged} />}
    </div>
  );
}

function AddCustody({ caseId, evidence, onChanged }: Pick<EvidencePaneProps, "caseId" | "evidence" | "onChanged">) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(evidencePhrases) };
  const client = useCasesClient();
  const { send, reason } = useChanges();
  const [action, setAction] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (action.trim() === "") return;
    if (!(await send(() => client.recordCustody(caseId, evidence.id, { action: action.trim() })))) return;
    setAction("");
    onChanged();
  };
  return (
    <form className="case-inline-form" onSubmit={(event) => void submit(event)}>
      <TextField
        label={words.addCustody}
        isLabelHidden
        maxLength={500}
        placeholder={words.custodyAction}
        disabled={reason !== undefined}
        title={reason}
        value={action}
        onChange={(event) => setAction(event.currentTarget.value)}
      />
      <Button type="submit" disabled={reason !== undefined || action.trim() === ""}>
        {words.addCustody}
      </Button>
    </form>
  );
}
