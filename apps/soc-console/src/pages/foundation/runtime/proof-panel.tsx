import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../../../app/address/use-address.ts";
import { now } from "../../../app/browser/clock.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { saveFile } from "../../../app/files/save-file.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { readRange, resolveRange, type TimeRange } from "../../../app/time/range.ts";
import { RangePicker } from "../../../app/time/range-picker.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import type { Tone } from "../../../design/chip.tsx";
import { Facts, Panel } from "../../../design/panel.tsx";
import { Notice, Skeleton } from "../../../design/states.tsx";
import { type ModeProof, readProof } from "./proof-client.ts";
import { proofPhrases } from "./proof-phrases.ts";
import { judgeProof, listSent, type ProofVerdict, type SentEntry } from "./proof-verdict.ts";

const DAY: TimeRange = { from: "-24h" };
const RANGE_ID = "proof-range";
const MAX_SHOWN = 50;

const TONES: Readonly<Record<ProofVerdict, Tone>> = {
  nothing: "ok",
  questions: "ok",
  effects: "waiting",
  incomplete: "failed",
};

/** The outbound activity of a time range, as a signed statement. */
export function ProofPanel() {
  const words = usePhrases(proofPhrases);
  const { server } = useApp();
  const { search, change } = useAddress();
  const range = readRange(search, now()) ?? DAY;
  const { data, error, refetch } = useQuery({
    queryKey: ["runtime", "proof", range.from, range.to],
    queryFn: ({ signal }) => {
      const { from, to } = resolveRange(range, now());
      return readProof(server, from, to, signal);
    },
  });
  useCommands([
    {
      id: "runtime.proof-range",
      label: words.range,
      group: words.title,
      keys: ["t"],
      run: () => document.getElementById(RANGE_ID)?.click(),
    },
  ]);
  return (
    <Panel
      title={words.title}
      aside={
        <RangePicker
          id={RANGE_ID}
          keys={["T"]}
          range={range}
          onChange={({ from, to }) => change({ from, to }, { isStep: true })}
        />
      }
    >
      <div className="runtime-proof">
        <p className="soft">{words.hint}</p>
        {!data && (error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />)}
        {data && <Proof proof={data} />}
      </div>
    </Panel>
  );
}

function Proof({ proof }: { proof: ModeProof }) {
  const words = usePhrases(proofPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const verdict = judgeProof(proof);
  const { totals } = proof;
  const save = () => {
    const name = `mode-proof-${proof.from.slice(0, 10)}-${proof.to.slice(0, 10)}.json`;
    saveFile(name, new Blob([JSON.stringify(proof)], { type: "application/json" }));
  };
  return (
    <>
      <Notice tone={TONES[verdict]}>
        {fill(words.verdicts[verdict], { from: time.dateTime(proof.from), to: time.dateTime(proof.to) })}
      </Notice>
      <p>
        {numbers.count(totals.sent, words.sent)} · {numbers.count(totals.recorded, words.recorded)} ·{" "}
        {numbers.count(totals.refused, words.refused)}
      </p>
      <SentTable sent={listSent(proof)} />
      <Facts
        items={[
          {
            label: words.starts,
            value: (
              <ul className="runtime-starts">
                {proof.starts.map(({ id, mode, at }) => (
                  <li key={id}>{fill(words.start, { mode: words.modes[mode], time: time.dateTime(at) })}</li>
                ))}
              </ul>
            ),
          },
          { label: words.key, value: <SafeText isMono>{proof.key_id}</SafeText> },
        ]}
      />
      <div className="runtime-save">
        <Button onClick={save}>{words.save}</Button>
        <span className="soft">{words.verify}</span>
      </div>
    </>
  );
}

function SentTable({ sent }: { sent: readonly SentEntry[] }) {
  const words = usePhrases(proofPhrases);
  const numbers = useNumbers();
  if (sent.length === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by keys, too. */}
      <section className="runtime-table" tabIndex={0} aria-label={words.entries}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.time}</th>
              <th scope="col">{words.purpose}</th>
              <th scope="col">{words.destination}</th>
              <th scope="col">{words.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {sent.slice(0, MAX_SHOWN).map((each) => (
              <SentRow key={each.entry.id} {...each} />
            ))}
          </tbody>
        </table>
      </section>
      {sent.length > MAX_SHOWN && <p className="soft">{numbers.count(sent.length - MAX_SHOWN, words.more)}</p>}
    </>
  );
}

function SentRow({ entry, end }: SentEntry) {
  const words = usePhrases(proofPhrases);
  const time = useTime();
  const outcome = end ? (end.outcome === "answered" ? words.answered : words.failed) : words.unknown;
  return (
    <tr>
      <td>{time.dateTime(entry.at)}</td>
      <td>
        <SafeText>{entry.purpose}</SafeText> <span className="soft">{words[entry.kind]}</span>
      </td>
      <td>
        <SafeText isMono>{`${entry.method} ${entry.host}`}</SafeText>
      </td>
      <td>
        {outcome}
        {end?.status !== undefined && end.status !== null && ` (${end.status})`}
      </td>
    </tr>
  );
}
