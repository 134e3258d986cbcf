import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { Link } from "../../../app/address/link.tsx";
import { type Attention, useAttention } from "../../../app/attention/attention.ts";
import { now } from "../../../app/browser/clock.ts";
import { useMay } from "../../../app/context/app-context.ts";
import { fill, useLanguage, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { type Reading, toReading } from "../../../app/reading/reading.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { KeyCap } from "../../../design/key-cap.tsx";
import { Notice, Skeleton } from "../../../design/states.tsx";
import { type Case, type OverviewClient, overviewKeys } from "./overview-client.ts";
import { overviewPhrases } from "./overview-phrases.ts";

const SHOWN_SEVERITIES = ["critical", "high"] as const;
const DAY_MS = 24 * 3_600_000;

export interface Need {
  text: string;
  to: string;
  search: Readonly<Record<string, string>>;
  isRed: boolean;
}

export interface Needs {
  items: readonly Need[];
  /** Nothing failed, and everything that the user may read was read. */
  isComplete: boolean;
  /** Reads the failed parts again; undefined if none failed. */
  readAgain: (() => void) | undefined;
}

/** Overdue cases, and cases due within a day. */
function countDue(cases: readonly Pick<Case, "due_at">[], at: Date): { soon: number; over: number } {
  const due = cases.flatMap(({ due_at }) => (due_at === null ? [] : [Date.parse(due_at) - at.getTime()]));
  return { soon: due.filter((ms) => ms < DAY_MS).length, over: due.filter((ms) => ms < 0).length };
}

/** The sentences about the counts that all pages share. */
function useAttentionItems(attention: Attention | undefined): Need[] {
  const words = usePhrases(overviewPhrases);
  const { count, number } = useNumbers();
  const { relative } = useTime();
  if (!attention) return [];
  const { alerts, approvals, cases } = attention;
  const items: Need[] = [];
  if (alerts && alerts.total > 0) {
    const severities = SHOWN_SEVERITIES.flatMap((severity) =>
      alerts.by_severity[severity] > 0 ? [`${number(alerts.by_severity[severity])} ${words.severities[severity]}`] : [],
    );
    const text = [count(alerts.total, words.alertsWait), ...severities].join(words.comma);
    const isRed = alerts.by_severity.critical + alerts.by_severity.high > 0;
    items.push({ text, to: "/alerts", search: {}, isRed });
  }
  if (cases && cases.unassigned > 0) {
    const text = count(cases.unassigned, words.casesWait);
    items.push({ text, to: "/cases", search: { assignee: "none" }, isRed: false });
  }
  if (approvals && approvals.total > 0) {
    const ends =
      approvals.next_expires_at === null
        ? ""
        : `${words.comma}${fill(words.firstEnds, { time: relative(approvals.next_expires_at) })}`;
    const text = `${count(approvals.total, words.approvals)}${ends}`;
    items.push({ text, to: "/approvals", search: { status: "pending" }, isRed: false });
  }
  return items;
}

/** One sentence per pending task of the user, each with a link. */
export function useNeeds(client: OverviewClient): Needs {
  const words = usePhrases(overviewPhrases);
  const { count } = useNumbers();
  const may = { cases: useMay("cases:read"), devices: useMay("cps:read", "stats:read") };
  const attention = useAttention();
  const items = useAttentionItems(attention.state === "read" ? attention.data : undefined);
  const cases = useQuery({
    queryKey: overviewKeys.part("my-cases"),
    queryFn: ({ signal }) => client.listMyCases(signal),
    enabled: may.cases,
  });
  const dashboard = useQuery({
    queryKey: overviewKeys.part("dashboard"),
    queryFn: ({ signal }) => client.readDashboard(signal),
    enabled: may.devices,
  });
  if (cases.data && cases.data.total > 0) {
    const { soon, over } = countDue(cases.data.items, now());
    const late = over > 0 ? `${words.comma}${count(over, words.overdue)}` : "";
    const text = soon > 0 ? `${count(soon, words.due)}${late}` : count(cases.data.total, words.mine);
    items.push({ text, to: "/cases", search: { assignee: "me" }, isRed: over > 0 });
  }
  const untrusted = dashboard.data?.devices.by_verdict.untrusted;
  if (untrusted) {
    items.push({
      text: count(untrusted, words.untrusted),
      to: "/devices",
      search: { verdict: "untrusted" },
      isRed: true,
    });
  }
  const readings = [
    attention,
    ...(may.cases ? [toReading(cases)] : []),
    ...(may.devices ? [toReading(dashboard)] : []),
  ];
  const failed = readings.flatMap((reading) => (hasFailed(reading) ? [reading.readAgain] : []));
  return {
    items,
    isComplete: readings.every(({ state }) => state === "read") && failed.length === 0,
    readAgain:
      failed.length === 0
        ? undefined
        : () => {
            for (const readAgain of failed) readAgain();
          },
  };
}

type Known = Exclude<Reading<object>, { state: "loading" }>;

/** Also an answer in which the service could not read a part, and one that is old because the last read failed. */
function hasFailed(reading: Reading<object>): reading is Known {
  if (reading.state === "loading") return false;
  if (reading.state === "failed" || reading.error !== undefined) return true;
  return "is_partial" in reading.data && reading.data.is_partial === true;
}

export function NeedsPart({ needs: { items, isComplete, readAgain } }: { needs: Needs }) {
  const words = usePhrases(overviewPhrases);
  const { direction } = useLanguage();
  const maySeeAlerts = useMay("alerts:read");
  return (
    <section className="overview-needs" aria-label={words.needsYou}>
      <h2 className="overview-needs-title">{words.needsYou}</h2>
      {readAgain && (
        <Notice
          tone="failed"
          action={
            <Button size="s" onClick={readAgain}>
              {words.retry}
            </Button>
          }
        >
          {words.needsUnread}
        </Notice>
      )}
      {items.length === 0 && !isComplete && !readAgain && <Skeleton rows={2} />}
      {items.length === 0 && isComplete && (
        <p className="overview-soft">
          {words.nothing} {maySeeAlerts && <Link to="/alerts">{words.all}</Link>}
        </p>
      )}
      <ul className="overview-needs-list">
        {items.map(({ text, to, search, isRed }, index) => (
          <li key={to + text}>
            <Link to={to} search={search} className={isRed ? "overview-need overview-need-red" : "overview-need"}>
              <KeyCap>{index + 1}</KeyCap>
              {text}
              <ChevronRight
                size={14}
                aria-hidden="true"
                className={direction === "rtl" ? "overview-flipped" : undefined}
              />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
