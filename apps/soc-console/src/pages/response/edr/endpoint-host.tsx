import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../app/address/link.tsx";
import { now } from "../../../app/browser/clock.ts";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Histogram } from "../../../design/charts/histogram.tsx";
import { Panel } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { AlertLink } from "../../casework/alerts/alert-link.tsx";
import { CaseLink } from "../../casework/cases/case-link.tsx";
import { EntityLink } from "../../reporting/entities/entity-link.tsx";
import { EDR, type HostRecords, readHost } from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";

const DAY_MS = 86_400_000;

/** Alerts, cases and logs of the host. */
export function HostParts({ hostname }: { hostname: string }) {
  const words = usePhrases(edrPhrases);
  const { server } = useApp();
  const { number } = useNumbers();
  const mayRead = useMay("alerts:read");
  const { data, error, refetch } = useQuery({
    queryKey: [EDR, "host", hostname],
    queryFn: ({ signal }) => readHost(server, hostname, signal),
    enabled: mayRead,
  });
  if (!mayRead) return null;
  if (!data) {
    return (
      <Panel title={words.alerts}>
        {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />}
      </Panel>
    );
  }
  const { alerts, cases, partial } = data;
  return (
    <>
      <Panel
        title={words.alerts}
        aside={
          <Link to="/alerts" search={{ q: `host:${quote(hostname)}`, from: "-30d" }}>
            {number(alerts.total)}
          </Link>
        }
      >
        {alerts.items.length === 0 && <p className="soft">{words.noAlerts}</p>}
        {alerts.items.map((alert) => (
          <AlertLink key={alert.id} alert={alert} />
        ))}
      </Panel>
      {cases !== null && (
        <Panel title={words.cases} aside={number(cases.length)}>
          {cases.length === 0 && <p className="soft">{words.noCases}</p>}
          <ul className="edr-cases">
            {cases.map((record) => (
              <li key={record.id}>
                <CaseLink record={record} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {cases === null && partial.includes("cases") && (
        <Panel title={words.cases}>
          <p className="soft">{words.notRead}</p>
        </Panel>
      )}
      <LogsPart hostname={hostname} logs={data.logs} />
    </>
  );
}

function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, (sign) => `\\${sign}`)}"`;
}

function LogsPart({ hostname, logs }: { hostname: string; logs: HostRecords["logs"] }) {
  const words = usePhrases(edrPhrases);
  const { number } = useNumbers();
  const time = useTime();
  const mayHunt = useMay("siem:search");
  if (logs === null) return null;
  const last = logs.histogram.at(-1)?.at ?? now().toISOString();
  const to = new Date(Date.parse(last) + DAY_MS / 24);
  return (
    <Panel title={words.logs} aside={number(logs.total)}>
      {logs.total === 0 ? (
        <p className="soft">{words.noLogs}</p>
      ) : (
        <Histogram
          label={words.logs}
          buckets={logs.histogram.map(({ at, count }) => ({
            at,
            parts: [{ key: "logs", value: count, fill: "var(--accent)" }],
          }))}
          from={new Date(to.getTime() - DAY_MS).toISOString()}
          to={to.toISOString()}
          describe={({ at, parts }) => `${time.dateTime(at)} · ${number(parts[0]?.value ?? 0)}`}
        />
      )}
      <p className="edr-links">
        {mayHunt && (
          <Link to="/hunt" search={{ q: `host:${quote(hostname)}` }}>
            {words.huntLogs}
          </Link>
        )}
        <EntityLink kind="host" value={hostname}>
          {words.everything}
        </EntityLink>
      </p>
    </Panel>
  );
}
