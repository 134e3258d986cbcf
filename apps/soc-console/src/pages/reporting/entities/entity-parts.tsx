import { useMemo } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Histogram } from "../../../design/charts/histogram.tsx";
import { Panel } from "../../../design/panel.tsx";
import { SeveritySign } from "../../../design/severity.tsx";
import { type EntityPageData, toEntityKind } from "./entities-client.ts";
import { entitiesPhrases } from "./entities-phrases.ts";
import { EntityLink } from "./entity-link.tsx";

export function EntityAlerts({ alerts }: { alerts: EntityPageData["alerts"] }) {
  const words = usePhrases(entitiesPhrases);
  const { number } = useNumbers();
  const { dateTime } = useTime();
  return (
    <Panel title={words.alerts} aside={number(alerts.total)}>
      {alerts.items.length === 0 && <p className="entities-soft">{words.noAlerts}</p>}
      <ul className="entities-rows">
        {alerts.items.map(({ id, title, severity, last_seen }) => (
          <li key={id}>
            <SeveritySign severity={severity} label={words.levels[severity]} />
            <span className="entities-cut" dir="auto">
              <Link to={`/alerts/${id}`}>
                <SafeText>{title}</SafeText>
              </Link>
            </span>
            <time className="entities-soft" dateTime={last_seen}>
              {dateTime(last_seen)}
            </time>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Null: the user may not read cases. */
export function EntityCases({ cases }: { cases: EntityPageData["cases"] }) {
  const words = usePhrases(entitiesPhrases);
  if (cases === null) return null;
  return (
    <Panel title={words.cases} aside={cases.length}>
      {cases.length === 0 && <p className="entities-soft">{words.noCases}</p>}
      <ul className="entities-rows">
        {cases.map(({ id, title, severity, status }) => (
          <li key={id}>
            <SeveritySign severity={severity} label={words.levels[severity]} />
            <span className="entities-cut" dir="auto">
              <Link to={`/cases/${id}`}>
                <SafeText>{title}</SafeText>
              </Link>
            </span>
            <span className="entities-soft">
              <SafeText>{status}</SafeText>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const DAY_MS = 86_400_000;

export function EntityLogs({ logs }: { logs: EntityPageData["logs"] }) {
  const words = usePhrases(entitiesPhrases);
  const { number } = useNumbers();
  const { dateTime } = useTime();
  const span = useMemo(() => {
    const last = logs?.histogram.at(-1)?.at;
    const to = last === undefined ? undefined : new Date(Date.parse(last) + DAY_MS / 24);
    return to && { from: new Date(to.getTime() - DAY_MS).toISOString(), to: to.toISOString() };
  }, [logs]);
  if (logs === null) return null;
  return (
    <Panel title={words.logs} aside={number(logs.total)}>
      {span ? (
        <Histogram
          label={words.logs}
          buckets={logs.histogram.map(({ at, count }) => ({
            at,
            parts: [{ key: "logs", value: count, fill: "var(--accent)" }],
          }))}
          {...span}
          describe={({ at, parts }) => `${dateTime(at)} · ${number(parts[0]?.value ?? 0)}`}
        />
      ) : (
        <p className="entities-soft">{words.noLogs}</p>
      )}
      {logs.is_sampled && <p className="entities-soft">{words.sampled}</p>}
      <Tops title={words.topSources} values={logs.top_sources} />
      <Tops title={words.topActions} values={logs.top_actions} />
    </Panel>
  );
}

function Tops({ title, values }: { title: string; values: readonly { value: string; count: number }[] }) {
  const { number } = useNumbers();
  if (values.length === 0) return null;
  return (
    <p className="entities-tops">
      <span className="entities-soft">{title}</span>
      {values.map(({ value, count }) => (
        <span key={value}>
          <SafeText isMono>{value}</SafeText> {number(count)}
        </span>
      ))}
    </p>
  );
}

/** Other entities of the same alerts. */
export function EntityRelated({ related }: { related: EntityPageData["related"] }) {
  const words = usePhrases(entitiesPhrases);
  const { number } = useNumbers();
  return (
    <Panel title={words.related} aside={related.length}>
      {related.length === 0 && <p className="entities-soft">{words.noRelated}</p>}
      <ul className="entities-rows">
        {related.map(({ type, value, count }) => (
          <li key={`${type} ${value}`}>
            <span className="entities-soft">{words.kinds[toEntityKind(type)]}</span>
            <span className="entities-cut" dir="ltr">
              <EntityLink kind={toEntityKind(type)} value={value}>
                <SafeText isMono>{value}</SafeText>
              </EntityLink>
            </span>
            <span>{number(count)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
