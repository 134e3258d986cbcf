import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import type { LedgerBundle } from "./ledger-client.ts";
import { ledgerPhrases } from "./ledger-phrases.ts";
import { proofFaultPhrases } from "./proof-phrases.ts";
import type { BundleVerdict } from "./verify-bundle.ts";

const KEY_LETTERS = 12;

/** The result of checking a chain, step by step. */
export function ChainVerdict({ bundle, verdict }: { bundle: LedgerBundle; verdict: BundleVerdict }) {
  const { chain: words } = usePhrases(ledgerPhrases);
  const faults = usePhrases(proofFaultPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { chain, checkpoint } = bundle;
  const { steps } = words;
  if (!verdict.isGenuine) {
    const { kind, sequence } = verdict.fault;
    return (
      <div role="alert" className="ledger-verdict">
        <p className="ledger-result tone-failed">
          <StatusDot shape="cross" tone="failed" />
          {words.refused}
        </p>
        <p>
          {faults[kind]} {sequence !== undefined && fill(words.entry, { sequence })}
        </p>
        <p className="soft">{words.refusedText}</p>
      </div>
    );
  }
  const waiting = chain.length - chain.covered;
  return (
    <div className="ledger-verdict">
      <p className="ledger-result tone-ok">
        <StatusDot shape="check" tone="ok" />
        {words.proven}
      </p>
      <p>{fill(words.provenText, { length: chain.length })}</p>
      <ul className="ledger-steps">
        <li>{fill(steps.signed, { key: chain.key_id.slice(0, KEY_LETTERS) })}</li>
        <li>{fill(steps.chain, { length: chain.length })}</li>
        <li>
          {checkpoint
            ? fill(steps.paths, { covered: chain.covered, size: chain.tree_size, time: time.dateTime(checkpoint.at) })
            : words.noTree}
        </li>
        {waiting > 0 && <li>{numbers.count(waiting, steps.waiting)}</li>}
      </ul>
    </div>
  );
}
