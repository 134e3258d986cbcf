import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Maximize2, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { after } from "../../../../app/browser/clock.ts";
import { useMay } from "../../../../app/context/app-context.ts";
import { commandKeys } from "../../../../app/keys/chord-caps.tsx";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import { useCommandList, useCommands, useRunCommand } from "../../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { ApiError, errorWords } from "../../../../app/server/api-error.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { Menu } from "../../../../design/menu.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../../design/states.tsx";
import { AlertStatus } from "../alert-row.tsx";
import { type Alert, type AlertFull, type AlertsClient, alertKeys } from "../alerts-client.ts";
import { alertsPhrases } from "../alerts-phrases.ts";
import type { Preview } from "../use-alert-actions.ts";
import { AlertEvidence } from "./alert-evidence.tsx";
import { AlertFacts, AlertHistory, AlertSuggestions, AlertSurroundings, PartialNote } from "./alert-parts.tsx";
import { alertPhrases } from "./alert-phrases.ts";
import "./alert.css";

/** Load details when the cursor rests: scrolling through the list sends no requests. */
const REST_MS = 120;
const SUGGEST_MS = 700;
const FULL_STALE_MS = 15_000;
const AGAIN_MS = 2000;
const MAX_HISTORY = 8;

/** True when the value has not changed for this long. */
function useRested(value: string | undefined, ms: number): boolean {
  const [rested, setRested] = useState<string>();
  useEffect(() => after(ms, () => setRested(value)), [value, ms]);
  return rested === value;
}

/** Loads the details of an alert. A page, unlike a pane, loads them at once and in one request. */
export function useAlertDetails(client: AlertsClient, id: string | undefined, isPage = false) {
  const queries = useQueryClient();
  const maySuggest = useMay("soar:read");
  const isCached = id !== undefined && queries.getQueryData(alertKeys.full(id)) !== undefined;
  const isRested = useRested(id, REST_MS) || isCached || isPage;
  const isSettled = useRested(id, SUGGEST_MS) || isPage;
  const full = useQuery({
    queryKey: alertKeys.full(id ?? ""),
    queryFn: ({ signal }) => client.readFull(id ?? "", signal),
    enabled: id !== undefined && isRested,
    staleTime: FULL_STALE_MS,
    // Retry once the parts that timed out.
    refetchInterval: ({ state }) => (state.data?.is_partial && state.dataUpdateCount < 2 ? AGAIN_MS : false),
  });
  const playbooks = useQuery({
    queryKey: alertKeys.playbooks(id ?? ""),
    queryFn: ({ signal }) => client.listPlaybooks(id ?? "", signal),
    enabled: id !== undefined && isSettled && maySuggest,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { full, playbooks: playbooks.data?.items ?? [] };
}

/** Which log is shown, with the keys that switch between logs. */
export function useLogSteps(id: string, count: number) {
  const words = usePhrases(alertsPhrases);
  const [step, setStep] = useState({ id, at: 0 });
  const at = step.id === id ? step.at : 0;
  const move = (by: number) => {
    if (count > 0) setStep({ id, at: (at + by + count) % count });
  };
  const isEnabled = count > 1;
  useCommands([
    {
      id: "alerts.previous-log",
      label: words.commands.previousLog,
      group: words.commands.move,
      keys: ["ArrowLeft"],
      isHidden: true,
      isEnabled,
      run: () => move(-1),
    },
    {
      id: "alerts.next-log",
      label: words.commands.nextLog,
      group: words.commands.move,
      keys: ["ArrowRight"],
      isHidden: true,
      isEnabled,
      run: () => move(1),
    },
  ]);
  return { at, move };
}

/** Badge, rule and count above the title. */
export function AlertHead({ alert, full }: { alert: Alert; full: AlertFull | undefined }) {
  const words = usePhrases(alertPhrases);
  const states = usePhrases(alertsPhrases);
  const { count } = useNumbers();
  const rule = full?.rule ? fill(words.rule, { version: full.rule.version }) : alert.rule_id === null && words.noRule;
  return (
    <p className="alerts-head">
      <Badge tone={alert.severity}>
        <SeveritySign severity={alert.severity} label="" />
        {states.severities[alert.severity]}
      </Badge>
      <span className="alerts-soft">
        <SafeText>{alert.source}</SafeText> {rule && <>· {rule} </>}· {count(alert.occurrence_count, words.occurrences)}
      </span>
      <span className="alerts-head-status">
        <AlertStatus status={alert.status} />
      </span>
    </p>
  );
}

/** Location and time of the alert. */
export function AlertLine({ alert }: { alert: Alert }) {
  const words = usePhrases(alertPhrases);
  const time = useTime();
  return (
    <p className="alerts-soft">
      {alert.host && (
        <>
          <Link to={`/entity/host/${encodeURIComponent(alert.host)}`} className="alerts-plain-link">
            <SafeText isMono>{alert.host}</SafeText>
          </Link>{" "}
          ·{" "}
        </>
      )}
      {alert.user && (
        <>
          <Link to={`/entity/user/${encodeURIComponent(alert.user)}`} className="alerts-plain-link">
            <SafeText isMono>{alert.user}</SafeText>
          </Link>{" "}
          ·{" "}
        </>
      )}
      <span title={`${time.dateTime(alert.first_seen)} – ${time.dateTime(alert.last_seen)}`}>
        {fill(words.seen, { first: time.time(alert.first_seen), last: time.time(alert.last_seen) })} {time.zoneLabel}
      </span>
    </p>
  );
}

const IN_MENU = ["assign", "severity", "link", "investigate", "suppress"].map((name) => `alerts.${name}`);
const RESOLVE = ["true_positive", "false_positive", "needs_tuning"].map((name) => `alerts.resolve-${name}`);

/** The commands as buttons. */
export function AlertButtons() {
  const words = usePhrases(alertPhrases);
  const states = usePhrases(alertsPhrases);
  const mode = useMode();
  const commands = useCommandList();
  const run = useRunCommand();
  const pick = (ids: readonly string[]) => ids.flatMap((id) => commands.filter((command) => command.id === id));
  const toItems = (ids: readonly string[]) =>
    pick(ids).map((command) => ({
      label: command.label,
      keys: commandKeys(command).keys,
      isDisabled: command.isEnabled === false,
      reason: command.reason,
      onSelect: () => run(command),
    }));
  const verb = (text: string) => (mode === "dry_run" ? fill(states.commands.previewVerb, { verb: text }) : text);
  const more = toItems(IN_MENU);
  const resolve = toItems(RESOLVE);
  return (
    <div className="alerts-buttons">
      {pick(["alerts.promote", "alerts.take"]).map((command, index) => (
        <CommandButton
          key={command.id}
          command={command}
          kind={index === 0 && command.id === "alerts.promote" ? "primary" : "plain"}
        >
          {command.id === "alerts.take" ? verb(states.commands.take) : command.label}
        </CommandButton>
      ))}
      {resolve.length > 0 && (
        <Menu
          label={states.commands.resolve}
          trigger={<Button keys={["E"]}>{verb(states.commands.resolve)}</Button>}
          items={resolve}
        />
      )}
      {more.length > 0 && <Menu label={words.more} trigger={<Button>{words.more}</Button>} items={more} />}
    </div>
  );
}

/** In dry_run: the effect of the change, in a dashed card. */
export function PreviewCard({ preview, onClose }: { preview: Preview; onClose: () => void }) {
  const words = usePhrases(alertsPhrases);
  const { label, differences, count, id } = preview;
  return (
    <div className="alerts-preview" role="status">
      <p className="alerts-preview-title">
        {fill(words.preview, { label })}
        <IconButton size="s" label={words.close} icon={<X />} onClick={onClose} />
      </p>
      <p>
        {id === undefined
          ? fill(words.previewMany, { count })
          : differences.length > 0
            ? words.previewNote
            : words.previewSame}
      </p>
      <ul className="alerts-preview-list" dir="ltr">
        {differences.map(({ field, before, after: next }) => (
          <li key={field}>
            {field}: <del>{before || "–"}</del> → <ins>{next || "–"}</ins>
          </li>
        ))}
      </ul>
    </div>
  );
}

export interface AlertPaneProps {
  client: AlertsClient;
  id: string;
  /** Rendered from the row, so that the pane appears in the same frame. */
  alert: Alert | undefined;
  preview: Preview | undefined;
  onClosePreview: () => void;
  onClose: () => void;
}

export function AlertPane({ client, id, alert: fromRow, preview, onClosePreview, onClose }: AlertPaneProps) {
  const words = usePhrases(alertPhrases);
  const { full, playbooks } = useAlertDetails(client, id);
  const details = full.data;
  const alert = fromRow ?? details?.alert;
  const { at, move } = useLogSteps(id, details?.logs?.length ?? 0);
  const isMissing = full.error instanceof ApiError && full.error.status === 404;
  return (
    <div className="alerts-pane">
      <div className="alerts-pane-tools">
        <Link to={`/alerts/${id}`} className="alerts-icon-link" title={words.openPage}>
          <Maximize2 size={14} aria-label={words.openPage} />
        </Link>
        <IconButton size="s" label={words.closePane} keys={["Esc"]} icon={<X />} onClick={onClose} />
      </div>
      {alert && (
        <>
          <AlertHead alert={alert} full={details} />
          <h2 className="alerts-pane-title">
            <SafeText>{alert.title}</SafeText>
          </h2>
          <AlertLine alert={alert} />
          <AlertButtons />
          {preview && <PreviewCard preview={preview} onClose={onClosePreview} />}
          <AlertFacts alert={alert} full={details} />
        </>
      )}
      {isMissing && <EmptyState title={words.notFound} text={words.notFoundText} />}
      {full.error instanceof ApiError && !isMissing && (
        <ErrorState
          title={words.failed}
          text={errorWords(full.error)}
          requestId={full.error.requestId}
          retryLabel={words.retry}
          onRetry={() => void full.refetch()}
        />
      )}
      {!details && !full.error && <Skeleton rows={4} />}
      {details && (
        <>
          <AlertEvidence full={details} at={at} onMove={move} />
          <AlertSurroundings full={details} />
          <AlertHistory full={details} max={MAX_HISTORY} />
          <AlertSuggestions playbooks={playbooks} alert={details.alert} />
          <PartialNote full={details}>
            <Button size="s" onClick={() => void full.refetch()}>
              {words.retry}
            </Button>
          </PartialNote>
        </>
      )}
    </div>
  );
}
