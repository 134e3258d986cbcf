import { ChevronLeft } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { ChangesProvider } from "../../../../app/changes/use-changes.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../../app/page/page.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Notice, Skeleton, Stale } from "../../../../design/states.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { CaseLink, caseName } from "../case-link.tsx";
import { CASE_TABS, type CaseTab, casePhrases } from "../case-phrases.ts";
import type { CasePage as CasePageBody } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { useCaseEdit } from "../dialogs/use-case-edit.tsx";
import { TimelineTab } from "../timeline/timeline-tab.tsx";
import { useCasePage } from "../use-case-page.ts";
import { CaseHead } from "./case-head.tsx";
import { CaseSide } from "./case-side.tsx";
import "../cases.css";
import "../case-parts.css";
import "../case.css";

const AlertsTab = lazy(async () => ({ default: (await import("../case-alerts/alerts-tab.tsx")).AlertsTab }));
const EvidenceTab = lazy(async () => ({ default: (await import("../evidence/evidence-tab.tsx")).EvidenceTab }));
const ObservablesTab = lazy(async () => ({
  default: (await import("../observables/observables-tab.tsx")).ObservablesTab,
}));
const TasksTab = lazy(async () => ({ default: (await import("../tasks/tasks-tab.tsx")).TasksTab }));
const GraphTab = lazy(async () => ({ default: (await import("../graph/graph-tab.tsx")).GraphTab }));
const RunsTab = lazy(async () => ({ default: (await import("../runs/runs-tab.tsx")).RunsTab }));
const ReportTab = lazy(async () => ({ default: (await import("../report/report-tab.tsx")).ReportTab }));

export function CasePage() {
  const { params } = useAddress();
  const id = params.id ?? "";
  return (
    <ChangesProvider needs="cases:write" key={id}>
      <OneCase id={id} />
    </ChangesProvider>
  );
}

function OneCase({ id }: { id: string }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(casePhrases) };
  const { params, go } = useAddress();
  const time = useTime();
  const { data: page, error, refetch, dataUpdatedAt, isPlaceholderData } = useCasePage(id);
  const tab = CASE_TABS.find((name) => name === params.tab) ?? "timeline";
  const edit = useCaseEdit();
  useCommands([
    ...CASE_TABS.map((name, at) => ({
      id: `case.tab.${name}`,
      label: words.tabs[name],
      group: words.caseGroup,
      keys: [String(at + 1)],
      run: () => go(`/cases/${id}/${name}`),
    })),
    { id: "case.back", label: words.back, group: words.caseGroup, keys: ["u"], run: () => go("/cases") },
  ]);
  const back = (
    <Link to="/cases" className="cases-back" title={words.back}>
      <ChevronLeft aria-hidden="true" />
      <bdi dir="ltr">{caseName(id)}</bdi>
    </Link>
  );
  if (!page) {
    return (
      <Page title={caseName(id)} back={back}>
        {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
      </Page>
    );
  }
  const { case: record } = page;
  return (
    <Page title={safeText(record.title)} back={back} isFull tools={<CaseHead page={page} edit={edit} />}>
      <CaseTabs page={page} tab={tab} />
      {error && <Notice tone="waiting">{fill(words.asOf, { time: time.time(dataUpdatedAt) })}</Notice>}
      {record.merged_into !== null && (
        <Notice tone="waiting" action={<CaseLink record={{ id: record.merged_into }} />}>
          {words.mergedInto}
        </Notice>
      )}
      {page.is_partial && <p className="cases-partial">{words.partial}</p>}
      <Stale isStale={isPlaceholderData}>
        <div className="case-body">
          <div className="case-main">
            <Suspense fallback={<Skeleton rows={8} />}>
              <CurrentTab tab={tab} page={page} />
            </Suspense>
          </div>
          <CaseSide page={page} edit={edit} />
        </div>
      </Stale>
      {edit.dialogs}
    </Page>
  );
}

function CaseTabs({ page, tab }: { page: CasePageBody; tab: CaseTab }) {
  const words = usePhrases(casePhrases);
  const { go } = useAddress();
  const { case: record, totals } = page;
  const isDone = record.tasks.filter(({ status }) => status === "done").length;
  const counts: Partial<Record<CaseTab, string | number | null>> = {
    alerts: totals.alerts,
    evidence: record.totals.evidence,
    observables: record.totals.observables,
    tasks: record.totals.tasks === 0 ? null : `${isDone}/${record.totals.tasks}`,
    runs: totals.executions,
  };
  return (
    <TabLinks
      label={words.tabsLabel}
      items={CASE_TABS.map((name) => ({
        label: words.tabs[name],
        count: counts[name] || undefined,
        href: `/cases/${record.id}/${name}`,
        isCurrent: name === tab,
        onSelect: () => go(`/cases/${record.id}/${name}`),
      }))}
    />
  );
}

function CurrentTab({ tab, page }: { tab: CaseTab; page: CasePageBody }) {
  switch (tab) {
    case "timeline":
      return <TimelineTab page={page} />;
    case "alerts":
      return <AlertsTab page={page} />;
    case "evidence":
      return <EvidenceTab page={page} />;
    case "observables":
      return <ObservablesTab page={page} />;
    case "tasks":
      return <TasksTab page={page} />;
    case "graph":
      return <GraphTab page={page} />;
    case "runs":
      return <RunsTab page={page} />;
    case "report":
      return <ReportTab page={page} />;
    default:
      return tab satisfies never;
  }
}
