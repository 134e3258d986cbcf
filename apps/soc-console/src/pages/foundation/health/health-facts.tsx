import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../app/address/link.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Facts, Panel } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { readLedger, readLogStats, readTopology } from "./health-client.ts";
import { healthPhrases } from "./health-phrases.ts";

/** The numbers behind the states. Each part loads and fails separately. */
export function HealthFacts() {
  const mayReadLogs = useMay("siem:read");
  const mayReadLedger = useMay("cases:read");
  return (
    <div className="health-facts">
      <PlacePanel />
      {mayReadLedger && <LedgerPanel />}
      {mayReadLogs && <DiskPanel />}
    </div>
  );
}

function Waiting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error ? <FailedPart error={error} onRetry={onRetry} /> : <Skeleton rows={3} />;
}

function PlacePanel() {
  const words = usePhrases(healthPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: ["health", "topology"],
    queryFn: ({ signal }) => readTopology(server, signal),
  });
  return (
    <Panel title={words.place}>
      {data ? (
        <Facts
          items={[
            { label: words.host, value: <SafeText isMono>{data.hostname}</SafeText> },
            { label: words.platform, value: <SafeText isMono>{data.platform}</SafeText> },
            { label: words.deployment, value: words.deployments[data.deployment_mode] },
            {
              label: words.sites,
              value: <Link to="/settings/sites">{numbers.number(data.sites.length)}</Link>,
            },
          ]}
        />
      ) : (
        <Waiting error={error} onRetry={() => void refetch()} />
      )}
    </Panel>
  );
}

function LedgerPanel() {
  const words = usePhrases(healthPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: ["health", "ledger"],
    queryFn: ({ signal }) => readLedger(server, signal),
  });
  const show = (at: string | null) => (at === null ? words.never : time.dateTime(at));
  return (
    <Panel title={words.ledger}>
      {data ? (
        <>
          <Facts
            items={[
              { label: words.treeSize, value: numbers.number(data.tree_size) },
              { label: words.waiting, value: numbers.number(data.waiting) },
              { label: words.lastCheckpoint, value: show(data.last_checkpoint_at) },
              { label: words.checkedAt, value: show(data.checked_at) },
              { label: words.fullyChecked, value: show(data.fully_checked_at) },
            ]}
          />
          <p className={data.faults.length > 0 ? "health-alarm" : "soft"}>
            {numbers.count(data.faults.length, words.faults)}
          </p>
        </>
      ) : (
        <Waiting error={error} onRetry={() => void refetch()} />
      )}
    </Panel>
  );
}

function DiskPanel() {
  const words = usePhrases(healthPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: ["health", "logs"],
    queryFn: ({ signal }) => readLogStats(server, signal),
  });
  const cost = data && data.total_events > 0 ? data.storage_bytes / data.total_events : 0;
  return (
    <Panel title={words.disk}>
      {data ? (
        <>
          <Facts
            items={[
              { label: words.storage, value: numbers.bytes(data.storage_bytes) },
              { label: words.events, value: <Link to="/hunt">{numbers.number(data.total_events)}</Link> },
              { label: words.perDay, value: numbers.number(data.events_24h) },
              { label: words.perEvent, value: numbers.bytes(Math.round(cost)) },
              { label: words.growth, value: numbers.bytes(Math.round(cost * data.events_24h)) },
            ]}
          />
          <p className="soft">{words.diskHint}</p>
        </>
      ) : (
        <Waiting error={error} onRetry={() => void refetch()} />
      )}
    </Panel>
  );
}
