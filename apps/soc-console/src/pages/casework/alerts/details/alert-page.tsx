import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useApp, useLive, useMay } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, isolated, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { Page } from "../../../../app/page/page.tsx";
import { ApiError, errorWords } from "../../../../app/server/api-error.ts";
import { copyText } from "../../../../app/text/copy.ts";
import { Markdown } from "../../../../app/text/markdown.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Histogram } from "../../../../design/charts/histogram.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../../design/states.tsx";
import {
  FoundInvestigations,
  useFoundInvestigations,
} from "../../../assistants/investigations/investigations-link.tsx";
import { useActionCommands, useRequestChange } from "../alert-commands.ts";
import { includeValue } from "../alert-filter.ts";
import type { AlertItem, DialogRequest } from "../alert-item.ts";
import { type AlertFull, type AlertsClient, alertKeys, createAlertsClient, type Log } from "../alerts-client.ts";
import { alertsPhrases } from "../alerts-phrases.ts";
import { AlertDialogs } from "../dialogs/lazy-dialogs.tsx";
import { useAlertActions } from "../use-alert-actions.ts";
import { AlertEvidence, LogText, useRuleTerms } from "./alert-evidence.tsx";
import { AlertButtons, AlertHead, AlertLine, PreviewCard, useAlertDetails, useLogSteps } from "./alert-pane.tsx";
import { AlertFacts, AlertHistory, AlertSuggestions, AlertSurroundings, PartialNote } from "./alert-parts.tsx";
import { alertPhrases } from "./alert-phrases.ts";
import "../alerts.css";
import "./alert.css";

const MAX_HISTORY = 50;
const HOUR_MS = 3_600_000;

export function AlertPage() {
  const { server } = useApp();
  const client = useMemo(() => createAlertsClient(server), [server]);
  const words = usePhrases(alertPhrases);
  const queries = useQueryClient();
  const { params } = useAddress();
  const id = params.alert_id ?? "";
  const { full, playbooks } = useAlertDetails(client, id, true);
  useFoundInvestigations({ alert_id: id });
  useLive({
    onEvents: (events) => {
      if (events.some(({ subject_id }) => subject_id === id))
        void queries.invalidateQueries({ queryKey: alertKeys.full(id) });
    },
    onReset: () => undefined,
  });
  const { error, data } = full;
  const back = <Link to="/alerts">{words.back}</Link>;
  if (data)
    return <AlertWork client={client} full={data} playbooks={playbooks} onReadAgain={() => void full.refetch()} />;
  if (error instanceof ApiError) {
    const isMissing = error.status === 404 || error.status === 400;
    return (
      <Page title={words.notFound} back={back}>
        {isMissing ? (
          <EmptyState title={words.notFound} text={words.notFoundText} />
        ) : (
          <ErrorState
            title={words.failed}
            text={errorWords(error)}
            requestId={error.requestId}
            retryLabel={words.retry}
            onRetry={() => void full.refetch()}
          />
        )}
      </Page>
    );
  }
  return (
    <Page title={words.back} back={back}>
      <Skeleton rows={12} />
    </Page>
  );
}

interface AlertWorkProps {
  client: AlertsClient;
  full: AlertFull;
  playbooks: Awaited<ReturnType<AlertsClient["listPlaybooks"]>>["items"];
  onReadAgain: () => void;
}

function AlertWork({ client, full, playbooks, onReadAgain }: AlertWorkProps) {
  const words = usePhrases(alertPhrases);
  const states = usePhrases(alertsPhrases);
  const queries = useQueryClient();
  const { go, goBack } = useAddress();
  const [dialog, setDialog] = useState<DialogRequest>();
  const { alert } = full;
  const { id } = alert;
  const patchRows = useCallback(
    (change: (item: AlertItem) => AlertItem) =>
      queries.setQueryData<AlertFull>(
        alertKeys.full(id),
        (before) =>
          before && { ...before, alert: change({ kind: "alert", key: id, alert: before.alert, level: 0 }).alert },
      ),
    [queries, id],
  );
  const nothing = useCallback(() => undefined, []);
  const actions = useAlertActions({
    client,
    patchRows,
    isChosen: useCallback(() => false, []),
    expectOwn: nothing,
    reload: onReadAgain,
  });
  const target = useMemo(() => ({ kind: "one", alert }) as const, [alert]);
  const deps = {
    client,
    actions,
    target,
    readTarget: useCallback(() => target, [target]),
    openDialog: setDialog,
    onDecided: nothing,
  };
  const request = useRequestChange(deps);
  useCommands([
    ...useActionCommands(deps),
    {
      id: "alert.back",
      label: words.back,
      group: states.commands.move,
      keys: ["u", "Escape"],
      isInStatusLine: true,
      run: () => goBack("/alerts"),
    },
  ]);
  const { at, move } = useLogSteps(id, full.logs?.length ?? 0);
  const { preview } = actions;
  return (
    <Page title={safeText(alert.title)} back={<Link to="/alerts">{words.back}</Link>}>
      <div className="alerts-columns">
        <div className="alerts-column">
          <AlertHead alert={alert} full={full} />
          <AlertLine alert={alert} />
          <AlertButtons />
          {preview && <PreviewCard preview={preview} onClose={actions.closePreview} />}
          {alert.description && (
            <Panel title={words.description}>
              <Markdown text={alert.description} />
            </Panel>
          )}
          <AlertEvidence full={full} at={at} onMove={move} />
          <Occurrences full={full} />
          <AllLogs full={full} />
          <RawAlert full={full} />
        </div>
        <div className="alerts-column">
          <Panel title={words.facts}>
            <AlertFacts alert={alert} full={full} isLong />
          </Panel>
          <AlertSuggestions playbooks={playbooks} alert={alert} />
          <FoundInvestigations alertId={id} />
          <AlertSurroundings full={full} />
          <RuleVersions client={client} full={full} />
          <AlertHistory full={full} max={MAX_HISTORY} />
          <PartialNote full={full}>
            <Button size="s" onClick={onReadAgain}>
              {words.retry}
            </Button>
          </PartialNote>
        </div>
      </div>
      <AlertDialogs
        open={dialog}
        {...{ client, actions, request }}
        onPivot={(field, value) => go("/alerts", { q: includeValue("", field, value) })}
        onBulkDone={nothing}
        onLinked={onReadAgain}
        onClose={() => setDialog(undefined)}
      />
    </Page>
  );
}

/** The logs of the alert over time, at most 60 bars. */
function countLogs(logs: readonly Log[], from: number, to: number) {
  const step = Math.max(60_000, Math.ceil((to - from) / 60 / 60_000) * 60_000);
  const first = Math.floor(from / step) * step;
  const length = Math.ceil((to - first) / step) + 1;
  const counts = Array.from({ length }, () => 0);
  for (const { timestamp } of logs) {
    const index = Math.floor((Date.parse(timestamp) - first) / step);
    if (counts[index] !== undefined) counts[index] += 1;
  }
  return {
    from: new Date(first).toISOString(),
    to: new Date(first + length * step).toISOString(),
    buckets: counts.map((value, index) => ({
      at: new Date(first + index * step).toISOString(),
      parts: [{ key: "logs", value, fill: "var(--fill-low)" }],
    })),
  };
}

function Occurrences({ full: { alert, logs } }: { full: AlertFull }) {
  const words = usePhrases(alertPhrases);
  const { count } = useNumbers();
  const time = useTime();
  const { buckets, from, to } = useMemo(() => {
    const times = (logs ?? []).map(({ timestamp }) => Date.parse(timestamp));
    const start = Math.min(Date.parse(alert.event_first_at ?? alert.first_seen), ...times);
    const end = Math.max(Date.parse(alert.event_last_at ?? alert.last_seen), start + HOUR_MS, ...times);
    return countLogs(logs ?? [], start, end);
  }, [alert, logs]);
  const values = {
    count: count(alert.occurrence_count, words.occurrences),
    first: isolated(time.dateTime(alert.first_seen)),
    last: isolated(time.dateTime(alert.last_seen)),
  };
  return (
    <Panel title={words.occurrencesTitle} aside={count(alert.occurrence_count, words.occurrences)}>
      <p className="alerts-soft">{fill(words.countedTimes, values)}</p>
      {alert.reopened_count > 0 && alert.reopened_at && (
        <p className="alerts-soft">
          {fill(words.reopened, { count: alert.reopened_count, at: isolated(time.dateTime(alert.reopened_at)) })}
        </p>
      )}
      {logs && logs.length > 0 && (
        <Histogram
          label={words.occurrencesTitle}
          {...{ buckets, from, to }}
          describe={({ at, parts }) => `${time.dateTime(at)}\n${parts[0]?.value ?? 0}`}
          ticks={[time.dateTime(from), time.dateTime(to)]}
        />
      )}
    </Panel>
  );
}

function AllLogs({ full }: { full: AlertFull }) {
  const words = usePhrases(alertPhrases);
  const terms = useRuleTerms(full);
  if (!full.logs || full.logs.length === 0) return null;
  return (
    <Panel title={words.allLogs} aside={fill(words.logOf, { at: full.logs.length, count: full.logs_total })}>
      {full.logs.map((log) => (
        <div key={log.id} className="alerts-page-log">
          <LogText log={log} terms={terms} />
        </div>
      ))}
    </Panel>
  );
}

function RawAlert({ full: { alert } }: { full: AlertFull }) {
  const words = usePhrases(alertPhrases);
  const { notify } = useNotices();
  const text = useMemo(() => JSON.stringify(alert, null, 2), [alert]);
  const copy = async () => {
    await copyText(text);
    notify({ tone: "ok", text: words.copied });
  };
  return (
    <Panel
      title={words.raw}
      aside={
        <Button size="s" onClick={() => void copy()}>
          {words.copyRaw}
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so keys must reach it. */}
      <section className="alerts-raw" aria-label={`${words.raw} JSON`} tabIndex={0}>
        <pre className="alerts-pre" dir="ltr">
          <SafeText isMono>{text}</SafeText>
        </pre>
      </section>
    </Panel>
  );
}

const COMPARED = ["name", "query", "type", "alert_severity", "alert_title_template", "enabled"] as const;

/** The rule version that raised the alert, compared with the current one. */
function RuleVersions({ client, full: { alert, rule } }: { client: AlertsClient; full: AlertFull }) {
  const words = usePhrases(alertPhrases);
  const mayRead = useMay("detections:read");
  const ruleId = alert.rule_id;
  const { data } = useQuery({
    queryKey: ["rules", "versions", ruleId],
    queryFn: ({ signal }) => client.listRuleVersions(ruleId ?? "", signal),
    enabled: ruleId !== null && mayRead && rule !== null,
  });
  if (ruleId === null || !mayRead) return null;
  const then = data?.items
    .filter(({ changed_at }) => Date.parse(changed_at) <= Date.parse(alert.first_seen))
    .toSorted((a, b) => b.version - a.version)[0];
  const differences = rule && then ? COMPARED.filter((field) => then.rule[field] !== rule[field]) : [];
  return (
    <Panel title={words.ruleThen} aside={rule && safeText(rule.name)}>
      {!rule && <p className="alerts-note">{words.ruleGone}</p>}
      {rule && then && (
        <p className="alerts-soft">
          {then.version === rule.version
            ? fill(words.ruleSame, { version: rule.version })
            : fill(words.ruleChanged, { before: then.version, now: rule.version })}
        </p>
      )}
      {rule && then && differences.length > 0 && (
        <table className="alerts-versions">
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              <th scope="col">{words.ruleThen}</th>
              <th scope="col">{words.ruleNow}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>
                  <SafeText isMono>{String(then.rule[field])}</SafeText>
                </td>
                <td>
                  <SafeText isMono>{String(rule[field])}</SafeText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
