import type { ReactNode } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { defang } from "../../../../app/text/defang.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { type Fact, Facts, Panel } from "../../../../design/panel.tsx";
import { AlertLink } from "../alert-link.tsx";
import type { Alert, AlertFull, AlertsClient } from "../alerts-client.ts";
import { alertsPhrases } from "../alerts-phrases.ts";
import { alertPhrases } from "./alert-phrases.ts";

const MAX_SHOWN = 5;

function Values({ values }: { values: readonly string[] }) {
  return (
    <span className="alerts-values">
      {values.slice(0, MAX_SHOWN).map((value) => (
        <SafeText key={value} isMono>
          {value}
        </SafeText>
      ))}
      {values.length > MAX_SHOWN && <span>+{values.length - MAX_SHOWN}</span>}
    </span>
  );
}

function EndpointWords({ endpoint }: { endpoint: NonNullable<AlertFull["endpoints"]>[number] }) {
  const words = usePhrases(alertPhrases);
  const { desired, reported } = endpoint.isolation;
  const isolation =
    desired === "isolated" && reported !== "isolated"
      ? fill(words.isolationPending, { reported })
      : reported === "isolated"
        ? words.isolated
        : words.notIsolated;
  return (
    <>
      {endpoint.status === "online" ? words.online : words.offline} · {isolation}
    </>
  );
}

/** The facts of the alert; more when the details have loaded. */
export function AlertFacts({
  alert,
  full,
  isLong = false,
}: {
  alert: Alert;
  full: AlertFull | undefined;
  isLong?: boolean;
}) {
  const words = usePhrases(alertPhrases);
  const states = usePhrases(alertsPhrases);
  const { count } = useNumbers();
  const maySeeCases = useMay("cases:read");
  const [endpoint] = full?.endpoints ?? [];
  const iocs = full?.iocs ?? [];
  const facts: (Fact | false | "" | null | undefined)[] = [
    alert.mitre_techniques.length > 0 && { label: words.technique, value: <Values values={alert.mitre_techniques} /> },
    endpoint && { label: words.endpoint, value: <EndpointWords endpoint={endpoint} /> },
    iocs.length > 0
      ? {
          label: words.indicators,
          value: iocs.slice(0, MAX_SHOWN).map(({ id, value, hits }) => (
            <div key={id}>
              <SafeText isMono>{defang(value)}</SafeText> · {count(hits, words.hits)}
            </div>
          )),
        }
      : alert.iocs.length > 0 && { label: words.indicators, value: <Values values={alert.iocs.map(defang)} /> },
    alert.case_id && {
      label: words.case,
      value: maySeeCases ? (
        <Link to={`/cases/${alert.case_id}/timeline`}>
          <SafeText>{full?.case?.title ?? alert.case_id}</SafeText>
        </Link>
      ) : (
        <SafeText isMono>{alert.case_id}</SafeText>
      ),
    },
    alert.verdict && { label: words.verdict, value: states.verdicts[alert.verdict] },
    alert.resolution && { label: words.resolution, value: <SafeText>{alert.resolution}</SafeText> },
    alert.risk_score !== null && { label: words.risk, value: String(Math.round(alert.risk_score)) },
    isLong && { label: words.source, value: <SafeText isMono>{alert.source}</SafeText> },
    isLong && alert.site && { label: words.site, value: <SafeText isMono>{alert.site}</SafeText> },
    alert.tags.length > 0 && { label: words.tags, value: <Values values={alert.tags} /> },
  ];
  return <Facts items={facts.filter((fact): fact is Fact => Boolean(fact))} />;
}

function AlertLines({ title, total, alerts }: { title: string; total: number; alerts: readonly Alert[] }) {
  const words = usePhrases(alertPhrases);
  const { count } = useNumbers();
  if (alerts.length === 0) return null;
  return (
    <Panel title={title} aside={count(total, words.alerts)}>
      <ul className="alerts-lines">
        {alerts.map((alert) => (
          <li key={alert.id}>
            <AlertLink alert={alert} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Other alerts within a day with the same host, user, indicator or rule. */
export function AlertSurroundings({ full: { related } }: { full: AlertFull }) {
  const words = usePhrases(alertPhrases);
  if (!related) return null;
  const { same_host, same_user, same_ioc, same_rule } = related;
  return (
    <>
      <AlertLines title={words.aroundHost} total={same_host.total} alerts={same_host.items} />
      <AlertLines title={words.aroundUser} total={same_user.total} alerts={same_user.items} />
      <AlertLines title={words.aroundIoc} total={same_ioc.total} alerts={same_ioc.items} />
      <AlertLines title={words.sameRule} total={same_rule.total} alerts={same_rule.items} />
    </>
  );
}

const SHOWN_DETAILS = ["status", "severity", "assignee", "verdict", "resolution", "case_id"];

function describeDetails(details: object): string {
  const values = new Map<string, unknown>(Object.entries(details));
  return SHOWN_DETAILS.flatMap((name) => {
    const [value, before] = [values.get(name), values.get(`previous_${name}`)];
    if (typeof value !== "string") return [];
    return typeof before === "string" && before !== value ? [`${name}: ${before} → ${value}`] : [`${name}: ${value}`];
  }).join(" · ");
}

/** The history of the alert, newest first. */
export function AlertHistory({ full: { history }, max }: { full: AlertFull; max: number }) {
  const words = usePhrases(alertPhrases);
  const time = useTime();
  if (!history) return null;
  return (
    <Panel title={words.history}>
      {history.length === 0 && <p className="alerts-note">{words.noHistory}</p>}
      <ul className="alerts-lines">
        {history.slice(0, max).map(({ id, at, actor, action, details }) => (
          <li key={id} className="alerts-past">
            <bdi dir="ltr" className="alerts-link-time" title={time.dateTime(at)}>
              {time.time(at)}
            </bdi>
            <span>
              <SafeText>{actor || words.unknownActor}</SafeText> {words.actions[action] ?? action}
              <span className="alerts-details" dir="ltr">
                <SafeText isMono>{describeDetails(details)}</SafeText>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type PlaybookSuggestions = Awaited<ReturnType<AlertsClient["listPlaybooks"]>>["items"];

/** Playbooks whose inputs this alert can fill. */
export function AlertSuggestions({ playbooks, alert }: { playbooks: PlaybookSuggestions; alert: Alert }) {
  const words = usePhrases(alertPhrases);
  if (playbooks.length === 0) return null;
  return (
    <Panel title={words.suggested} aside={words.fromRule}>
      <ol className="alerts-lines">
        {playbooks.map(({ id, name, critical }, index) => (
          <li key={id} className="alerts-past">
            <span className="alerts-link-time">{index + 1}</span>
            <Link to={`/playbooks/${id}/view`} search={{ alert: alert.id }} className="alerts-plain-link">
              <SafeText>{name}</SafeText>
              {critical && <span className="alerts-details">{words.critical}</span>}
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Names the parts of the details that timed out, with a retry button. */
export function PartialNote({ full, children }: { full: AlertFull; children: ReactNode }) {
  const words = usePhrases(alertPhrases);
  if (!full.is_partial) return null;
  return (
    <p className="alerts-note">
      {fill(words.late, { parts: full.partial.join(", ") })} {children}
    </p>
  );
}
