import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { type LedgerStatus, ledgerKeys, readStatus } from "./ledger-client.ts";
import { ledgerPhrases } from "./ledger-phrases.ts";

/** A checkpoint is signed every minute. */
const PERIOD_MS = 60_000;

export function LedgerState() {
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: ledgerKeys.status,
    queryFn: ({ signal }) => readStatus(server, signal),
    refetchInterval: PERIOD_MS,
  });
  if (error && !data) return <FailedPart error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={1} />;
  return data.alarm === null ? <Line status={data} /> : <Alarm status={data} alarm={data.alarm} />;
}

function Line({ status }: { status: LedgerStatus }) {
  const words = usePhrases(ledgerPhrases).state;
  const numbers = useNumbers();
  const time = useTime();
  const at = (sentence: string, instant: string) => (
    <span title={time.iso(instant)}>{fill(sentence, { time: time.dateTime(instant) })}</span>
  );
  return (
    <div className="ledger-state">
      <strong className="ledger-size">{numbers.count(status.tree_size, words.entries)}</strong>
      {status.waiting > 0 && <span className="ledger-waiting">{numbers.count(status.waiting, words.waiting)}</span>}
      {status.last_checkpoint_at ? (
        at(words.lastCheckpoint, status.last_checkpoint_at)
      ) : (
        <span>{words.noCheckpoint}</span>
      )}
      {status.alarm === null && (
        <span className="ledger-alarm tone-ok" title={words.noAlarmText}>
          <StatusDot shape="check" tone="ok" />
          {words.noAlarm}
        </span>
      )}
      {status.checked_at ? at(words.checked, status.checked_at) : <span>{words.never}</span>}
      {status.fully_checked_at && at(words.fullyChecked, status.fully_checked_at)}
    </div>
  );
}

function Alarm({ status, alarm }: { status: LedgerStatus; alarm: string }) {
  const words = usePhrases(ledgerPhrases).state;
  const numbers = useNumbers();
  return (
    <section className="ledger-danger" role="alert">
      <p className="ledger-alarm tone-failed">
        <StatusDot shape="cross" tone="failed" />
        {words.alarm}
      </p>
      <p>
        <SafeText>{alarm}</SafeText>
      </p>
      <p>{words.alarmText}</p>
      {status.faults.length > 0 && (
        <details>
          <summary>{numbers.count(status.faults.length, words.faults)}</summary>
          <ul className="ledger-steps">
            {status.faults.map((fault) => (
              <li key={fault}>
                <SafeText>{fault}</SafeText>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Line status={status} />
    </section>
  );
}
