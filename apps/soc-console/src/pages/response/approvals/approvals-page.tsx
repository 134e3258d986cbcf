import { useNavigate } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useMay } from "../../../app/context/app-context.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { Page } from "../../../app/page/page.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { useStatusText } from "../../../app/status/status.tsx";
import { useNow } from "../../../app/time/time-context.tsx";
import { SelectField } from "../../../design/field.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { ApprovalDetailView } from "./approval-detail.tsx";
import { ApprovalRow } from "./approval-row.tsx";
import { approvalsPhrases } from "./approvals-phrases.ts";
import {
  type ApprovalsReading,
  useApprovals,
  useLiveApprovals,
  usePendingCount,
  VIEWS,
  type View,
} from "./use-approvals.ts";
import "./approvals.css";

const ROWS_PERIOD_MS = 10_000;
const DECIDED: readonly View[] = ["decided", "approved", "rejected", "timeout"];

function chooseView(status: string | undefined, mayDecide: boolean): View {
  if (!mayDecide) return "mine";
  return VIEWS.find((view) => view === status) ?? "pending";
}

const toSearch = (view: View): Record<string, string> => (view === "pending" ? {} : { status: view });

/** `(2)` before the window title: the number of pending approvals, visible in other browser tabs. */
function useCountInTitle(count: number | undefined): void {
  // The page sets its title again when the mode is known.
  useMode();
  useEffect(() => {
    const bare = document.title.replace(/^\(\d+\) /, "");
    document.title = count ? `(${count}) ${bare}` : bare;
  });
}

function ViewTabs({ view, pending, mayDecide }: { view: View; pending: number | undefined; mayDecide: boolean }) {
  const words = usePhrases(approvalsPhrases);
  const numbers = useNumbers();
  const { go } = useAddress();
  const build = (label: string, to: View, isCurrent: boolean, count?: string) => ({
    label,
    count,
    href: to === "pending" ? "/approvals" : `/approvals?status=${to}`,
    isCurrent,
    onSelect: () => go("/approvals", toSearch(to)),
  });
  const mine = build(words.tabs.mine, "mine", view === "mine");
  if (!mayDecide) return <TabLinks label={words.tabs.label} items={[mine]} />;
  return (
    <TabLinks
      label={words.tabs.label}
      items={[
        build(
          words.tabs.pending,
          "pending",
          view === "pending",
          pending === undefined ? undefined : numbers.number(pending),
        ),
        build(words.tabs.decided, "decided", DECIDED.includes(view)),
        mine,
      ]}
    />
  );
}

function Outcomes({ view }: { view: View }) {
  const words = usePhrases(approvalsPhrases);
  const { go } = useAddress();
  if (!DECIDED.includes(view)) return null;
  const { label, all, approved, rejected, timeout } = words.outcomes;
  return (
    <SelectField
      label={label}
      isLabelHidden
      options={[
        { value: "decided", label: all },
        { value: "approved", label: approved },
        { value: "rejected", label: rejected },
        { value: "timeout", label: timeout },
      ]}
      value={view}
      onChange={(status: View) => go("/approvals", { status })}
    />
  );
}

function EmptyList({ view }: { view: View }) {
  const words = usePhrases(approvalsPhrases);
  if (view === "pending") return <EmptyState title={words.emptyPending} text={words.emptyPendingText} />;
  if (view === "mine") return <EmptyState title={words.emptyMine} text={words.emptyMineText} />;
  return <EmptyState title={words.emptyDecided} />;
}

/** Moves up and down through the rows, each of which has its own address. */
function useRowCommands({ rows }: ApprovalsReading, selected: string | undefined, view: View): void {
  const words = usePhrases(approvalsPhrases);
  const navigate = useNavigate();
  useCommands(
    useMemo<readonly Command[]>(() => {
      const move = (by: number) => {
        const at = rows.findIndex(({ approval: { id } }) => id === selected);
        const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
        if (next) void navigate({ to: `/approvals/${next.approval.id}`, search: toSearch(view), replace: true });
      };
      const about = { group: words.group, isHidden: true, isRepeatable: true };
      return [
        {
          ...about,
          id: "approvals.next",
          label: words.next,
          keys: ["j", "ArrowDown"],
          run: () => move(1),
          isInStatusLine: true,
        },
        {
          ...about,
          id: "approvals.previous",
          label: words.previous,
          keys: ["k", "ArrowUp"],
          run: () => move(-1),
          isInStatusLine: true,
        },
      ];
    }, [words, rows, selected, view, navigate]),
  );
}

function ListBody({
  view,
  reading,
  selected,
}: {
  view: View;
  reading: ApprovalsReading;
  selected: string | undefined;
}) {
  const words = usePhrases(approvalsPhrases);
  const now = useNow(ROWS_PERIOD_MS);
  const search = useMemo(() => toSearch(view), [view]);
  const { rows, isFirst, error, readAgain } = reading;
  if (error instanceof ApiError && rows.length === 0)
    return (
      <ErrorState
        title={words.failed}
        text={error.message}
        requestId={error.requestId}
        retryLabel={words.retry}
        onRetry={readAgain}
      />
    );
  if (isFirst) return <Skeleton rows={5} />;
  if (rows.length === 0) return <EmptyList view={view} />;
  return (
    <ul className="approvals-list" aria-label={words.list}>
      {rows.map((row) => (
        <ApprovalRow
          key={row.approval.id}
          row={row}
          isCurrent={row.approval.id === selected}
          search={search}
          now={now}
        />
      ))}
    </ul>
  );
}

/** One view of the requests. The first one opens at once, and stays open when the list changes. */
function ApprovalsView({ view, mayDecide }: { view: View; mayDecide: boolean }) {
  const words = usePhrases(approvalsPhrases);
  const { params } = useAddress();
  const reading = useApprovals(view);
  const { rows, total } = reading;
  const [first, setFirst] = useState<string>();
  if (first === undefined && rows[0]) setFirst(rows[0].approval.id);
  const selected = params.id ?? first;
  useLiveApprovals(selected);
  useRowCommands(reading, selected, view);
  useStatusText(total === 0 ? "" : fill(words.shown, { shown: rows.length, total }));
  const hasRows = rows.length > 0 || params.id !== undefined;
  return (
    <div className={params.id === undefined ? "approvals" : "approvals approvals-opened"}>
      <div className="approvals-side">
        <ListBody view={view} reading={reading} selected={selected} />
      </div>
      {hasRows && (
        <section className="approvals-detail" aria-label={words.title}>
          <p className="approvals-back">
            <Link to="/approvals" search={toSearch(view)} activeOptions={{ exact: true }}>
              <ChevronLeft size={16} aria-hidden="true" /> {words.back}
            </Link>
          </p>
          {selected === undefined ? (
            <EmptyState title={words.none} />
          ) : (
            <ApprovalDetailView
              key={selected}
              id={selected}
              row={rows.find(({ approval }) => approval.id === selected)?.approval}
              mayDecide={mayDecide}
            />
          )}
        </section>
      )}
    </div>
  );
}

/** Pending approvals, decided ones, and the user's own requests. */
export function ApprovalsPage() {
  const words = usePhrases(approvalsPhrases);
  const { search } = useAddress();
  const mayDecide = useMay("approvals:manage");
  const view = chooseView(search.status, mayDecide);
  const pending = usePendingCount(mayDecide);
  useCountInTitle(pending);
  return (
    <Page
      title={words.title}
      tabs={<ViewTabs view={view} pending={pending} mayDecide={mayDecide} />}
      tools={<Outcomes view={view} />}
      isFull
    >
      <ApprovalsView key={view} view={view} mayDecide={mayDecide} />
    </Page>
  );
}
