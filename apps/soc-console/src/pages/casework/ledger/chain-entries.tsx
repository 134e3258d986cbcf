import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Facts } from "../../../design/panel.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { Hash } from "./hash.tsx";
import type { LedgerBundle } from "./ledger-client.ts";
import { ledgerPhrases } from "./ledger-phrases.ts";

const MAX_SHOWN = 200;

type ProvenEntry = LedgerBundle["entries"][number];

/** The entries of a chain, newest first. Each expands to its record and its path to the root. */
export function ChainEntries({ bundle, isProven }: { bundle: LedgerBundle; isProven: boolean }) {
  const { chain: words } = usePhrases(ledgerPhrases);
  const numbers = useNumbers();
  const shown = bundle.entries.slice(-MAX_SHOWN).toReversed();
  return (
    <section aria-label={words.entries}>
      <h2 className="ledger-entries-title">
        {words.entries} <span className="soft">{numbers.number(bundle.entries.length)}</span>
        {shown.length < bundle.entries.length && (
          <span className="soft"> · {numbers.count(shown.length, words.newest)}</span>
        )}
      </h2>
      <div className="ledger-entries">
        {shown.map((proven) => (
          <ChainEntry key={proven.entry.sequence} proven={proven} bundle={bundle} isProven={isProven} />
        ))}
      </div>
    </section>
  );
}

function ChainEntry({ proven, bundle, isProven }: { proven: ProvenEntry; bundle: LedgerBundle; isProven: boolean }) {
  const { chain: words } = usePhrases(ledgerPhrases);
  const time = useTime();
  const { entry, leaf_index, audit_path } = proven;
  const isCovered = audit_path !== null;
  const { fields } = words;
  return (
    <details className="ledger-entry">
      <summary>
        <span className="ledger-sequence">{entry.sequence}</span>
        <SafeText isMono>{entry.kind}</SafeText>
        <SafeText>{entry.actor}</SafeText>
        <span className="mono soft">{time.dateTime(entry.at)}</span>
        {isProven && (
          <span className={`ledger-alarm tone-${isCovered ? "ok" : "waiting"}`}>
            <StatusDot shape={isCovered ? "check" : "half"} tone={isCovered ? "ok" : "waiting"} />
            {isCovered ? words.covered : words.waits}
          </span>
        )}
      </summary>
      <Facts
        items={[
          {
            label: fields.body,
            value: (
              <pre className="ledger-body" dir="ltr">
                <SafeText isMono>{JSON.stringify(entry.body, null, 2)}</SafeText>
              </pre>
            ),
          },
          { label: fields.hash, value: <Hash>{entry.entry_hash}</Hash> },
          { label: fields.previous, value: <Hash>{entry.previous_hash}</Hash> },
          ...(leaf_index === null
            ? []
            : [
                {
                  label: fields.leaf,
                  value: fill(words.leafText, { leaf: leaf_index + 1, size: bundle.chain.tree_size }),
                },
              ]),
          ...(audit_path === null
            ? []
            : [
                {
                  label: fields.path,
                  value: (
                    <ol className="ledger-path">
                      {audit_path.map((hash) => (
                        <li key={hash}>
                          <Hash>{hash}</Hash>
                        </li>
                      ))}
                    </ol>
                  ),
                },
                { label: fields.root, value: <Hash>{bundle.checkpoint?.root_hash ?? ""}</Hash> },
              ]),
        ]}
      />
    </details>
  );
}
