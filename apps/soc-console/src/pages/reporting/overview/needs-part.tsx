import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { Link } from "../../../app/address/link.tsx";
import { now } from "../../../app/browser/clock.ts";
import { useMay } from "../../../app/context/app-context.ts";
import { fill, useLanguage, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { KeyCap } from "../../../design/key-cap.tsx";
import { type Case, type OverviewClient, overviewKeys } from "./overview-client.ts";
import { overviewPhrases } from "./overview-phrases.ts";

const DAY_MS = 24 * 3_600_000;

export interface Need {
  text: string;
  to: string;
  search: Readonly<Record<string, string>>;
  isRed: boolean;
}

export interface Needs {
  items: readonly Need[];
  isReading: boolean;
}

/** Overdue cases, and cases due within a day. */
function countDue(cases: readonly Pick<Case, "due_at">[], at: Date): { soon: number; over: number } {
  const due = cases.flatMap(({ due_at }) => (due_at === null ? [] : [Date.parse(due_at) - at.getTime()]));
  return { soon: due.filter((ms) => ms < DAY_MS).length, over: due.filter((ms) => ms < 0).length };
}

/** One sentence per pending task of the user, each with a link. */
export function useNeeds(client: OverviewClient): Needs {
  const words = usePhrases(overviewPhrases);
  const { count } = useNumbers();
  const { relative } = useTime();
  const may = {
    alerts: useMay("alerts:read"),
    approvals: useMay("approvals:manage"),
    cases: useMay("cases:read"),
    devices: useMay("cps:read", "stats:read"),
  };
  const urgent = useQuery({
    queryKey: overviewKeys.part("urgent"),
    queryFn: ({ signal }) => client.countUrgent(signal),
    enabled: may.alerts,
  });
  const approvals = useQuery({
    queryKey: overviewKeys.part("approvals"),
    queryFn: ({ signal }) => client.listApprovals(signal),
    enabled: may.approvals,
  });
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
  const items: Need[] = [];
  const critical = urgent.data?.total ?? 0;
  if (critical > 0) {
    const q = "status:(new OR triaged OR investigating) severity:critical assignee:none";
    items.push({ text: count(critical, words.urgent), to: "/alerts", search: { q, from: "-30d" }, isRed: true });
  }
  const pending = approvals.data?.items ?? [];
  if (pending.length > 0) {
    const first = pending.map(({ expires_at }) => expires_at).toSorted()[0] ?? "";
    const ends = fill(words.firstEnds, { time: relative(first) });
    const text = `${count(approvals.data?.total ?? pending.length, words.approvals)}${words.comma}${ends}`;
    items.push({ text, to: "/approvals", search: { status: "pending" }, isRed: false });
  }
  const mine = cases.data?.items ?? [];
  const { soon, over } = countDue(mine, now());
  if (soon > 0) {
    const late = over > 0 ? `${words.comma}${count(over, words.overdue)}` : "";
    items.push({ text: `${count(soon, words.due)}${late}`, to: "/cases", search: { assignee: "me" }, isRed: over > 0 });
  } else if (mine.length > 0) {
    items.push({
      text: count(cases.data?.total ?? mine.length, words.mine),
      to: "/cases",
      search: { assignee: "me" },
      isRed: false,
    });
  }
  const untrusted = dashboard.data?.devices.by_verdict.untrusted ?? 0;
  if (untrusted > 0) {
    items.push({
      text: count(untrusted, words.untrusted),
      to: "/devices",
      search: { verdict: "untrusted" },
      isRed: true,
    });
  }
  const isReading = [urgent, approvals, cases, dashboard].some(({ isLoading }) => isLoading);
  return { items, isReading };
}

export function NeedsPart({ needs: { items, isReading } }: { needs: Needs }) {
  const words = usePhrases(overviewPhrases);
  const { direction } = useLanguage();
  const maySeeAlerts = useMay("alerts:read");
  const isEmpty = items.length === 0 && !isReading;
  return (
    <section className="overview-needs" aria-label={words.needsYou}>
      <h2 className="overview-needs-title">{words.needsYou}</h2>
      {isEmpty && (
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
