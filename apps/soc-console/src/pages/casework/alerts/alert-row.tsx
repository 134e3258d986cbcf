import { ChevronDown, ChevronRight } from "lucide-react";
import { memo } from "react";
import { fill, isolated, useLanguage, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Avatar } from "../../../design/avatar.tsx";
import type { Tone } from "../../../design/chip.tsx";
import { Cell } from "../../../design/list/list-row.tsx";
import { type DotShape, type Severity, SeveritySign, StatusDot } from "../../../design/severity.tsx";
import type { AlertItem, GroupItem, ListItem } from "./alert-item.ts";
import type { Alert } from "./alerts-client.ts";
import { type AlertsPhrases, alertsPhrases } from "./alerts-phrases.ts";
import type { ExtraColumn } from "./alerts-state.ts";

const DOTS: Readonly<Record<Alert["status"], { shape: DotShape; tone: Tone }>> = {
  new: { shape: "ring", tone: "plain" },
  triaged: { shape: "half", tone: "plain" },
  investigating: { shape: "full", tone: "running" },
  resolved: { shape: "check", tone: "ok" },
  closed: { shape: "check", tone: "plain" },
  false_positive: { shape: "cross", tone: "plain" },
};

export function AlertStatus({ status }: Pick<Alert, "status">) {
  const words = usePhrases(alertsPhrases);
  return (
    <>
      <StatusDot {...DOTS[status]} />
      {words.statuses[status]}
    </>
  );
}

export interface RowProps {
  item: ListItem;
  extras: readonly ExtraColumn[];
  onToggleGroup: (key: string) => void;
}

/** The cells of a list row: an alert, or a group of alerts. */
export const AlertRow = memo(function AlertRow({ item, extras, onToggleGroup }: RowProps) {
  return item.kind === "alert" ? (
    <AlertCells item={item} extras={extras} />
  ) : (
    <GroupCells item={item} extras={extras} onToggle={onToggleGroup} />
  );
});

const readExtra: Readonly<Record<ExtraColumn, (alert: Alert) => string | null | undefined>> = {
  user: ({ user }) => user,
  technique: ({ mitre_techniques }) => mitre_techniques[0],
  source: ({ source }) => source,
  site: ({ site }) => site,
  risk: ({ risk_score }) => (risk_score === null ? null : String(Math.round(risk_score))),
};

function AlertCells({ item, extras }: { item: AlertItem; extras: readonly ExtraColumn[] }) {
  const { alert, handled, level } = item;
  const words = usePhrases(alertsPhrases);
  const { number } = useNumbers();
  const time = useTime();
  const dim = handled ? " alerts-handled" : "";
  return (
    <>
      <Cell>
        <SeveritySign severity={alert.severity} label={words.severities[alert.severity]} />
      </Cell>
      <Cell kind="mono">
        <bdi dir="ltr" className={`alerts-time${dim}`} title={time.dateTime(alert.last_seen)}>
          {time.time(alert.last_seen)}
        </bdi>
      </Cell>
      <Cell kind="strong">
        <span className={`alerts-cut alerts-level-${level}${dim}`}>
          <SafeText>{alert.title}</SafeText>
        </span>
      </Cell>
      <ValueCell value={alert.host} />
      {extras.map((name) => (
        <ValueCell key={name} value={readExtra[name](alert)} align={name === "risk" ? "end" : "start"} />
      ))}
      <Cell kind="mono" align="end">
        {alert.occurrence_count > 1 && number(alert.occurrence_count)}
      </Cell>
      <Cell kind="soft">{handled ? <HandledWords item={item} /> : <AlertStatus status={alert.status} />}</Cell>
      <Cell>{alert.assignee !== null && <Avatar name={alert.assignee} />}</Cell>
    </>
  );
}

function HandledWords({ item: { alert, handled } }: { item: AlertItem }) {
  const words = usePhrases(alertsPhrases);
  const { relative } = useTime();
  if (!handled) return null;
  const text = fill(words.handled, { name: isolated(handled.by), age: relative(handled.at) });
  return (
    <span className="alerts-cut" title={text}>
      <StatusDot {...DOTS[alert.status]} /> <bdi>{handled.by}</bdi>{" "}
      <span className="alerts-age">{relative(handled.at)}</span>
      <span className="screen-reader-only">{text}</span>
    </span>
  );
}

function ValueCell({ value, align }: { value: string | null | undefined; align?: "start" | "end" }) {
  return (
    <Cell kind="mono" align={align}>
      {value && (
        <span className="alerts-cut" title={safeText(value)}>
          <SafeText isMono>{value}</SafeText>
        </span>
      )}
    </Cell>
  );
}

const ORDER: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

function findWorst({ severities }: GroupItem["group"]): Severity {
  return ORDER.find((severity) => severities[severity] > 0) ?? "info";
}

function describeGroup({ by, group }: Pick<GroupItem, "by" | "group">, words: AlertsPhrases): string {
  if (by === "case_id") return fill(words.withoutCase, { id: isolated(group.key) });
  return by === "rule_id" ? group.label : group.key;
}

interface GroupCellsProps {
  item: GroupItem;
  extras: readonly ExtraColumn[];
  onToggle: (key: string) => void;
}

function GroupCells({ item, extras, onToggle }: GroupCellsProps) {
  const { group, level, isOpen, isReading, by, key } = item;
  const words = usePhrases(alertsPhrases);
  const { direction } = useLanguage();
  const { number, count } = useNumbers();
  const time = useTime();
  const worst = findWorst(group);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <Cell>
        <SeveritySign severity={worst} label={words.severities[worst]} />
      </Cell>
      <Cell kind="mono">
        <bdi dir="ltr">{time.time(group.last_seen)}</bdi>
      </Cell>
      <Cell kind="strong">
        <button
          type="button"
          tabIndex={-1}
          className={`alerts-group alerts-level-${level}`}
          aria-expanded={isOpen}
          aria-busy={isReading}
          aria-label={isOpen ? words.closes : words.opens}
          onClick={() => onToggle(key)}
        >
          <Chevron
            size={14}
            aria-hidden="true"
            className={direction === "rtl" && !isOpen ? "alerts-flipped" : undefined}
          />
        </button>
        <span className="alerts-cut">
          <SafeText isMono={by === "host" || by === "user" || by === "technique"}>
            {describeGroup(item, words)}
          </SafeText>
        </span>
      </Cell>
      <Cell kind="soft">
        <span className="alerts-cut">
          {fill(words.groupOf, { alerts: count(group.alerts, words.total), open: group.open })}
        </span>
      </Cell>
      {extras.map((name) => (
        <Cell key={name} />
      ))}
      <Cell kind="mono" align="end">
        {number(group.alerts)}
      </Cell>
      <Cell kind="soft">{words.groupings[by]}</Cell>
      <Cell>{group.assignees[0] && <Avatar name={group.assignees[0]} />}</Cell>
    </>
  );
}
