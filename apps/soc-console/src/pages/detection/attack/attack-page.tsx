import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { after } from "../../../app/browser/clock.ts";
import { useApp, useLive } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../app/page/page.tsx";
import { useStatusText } from "../../../app/status/status.tsx";
import { Split } from "../../../design/split.tsx";
import { EmptyState, Skeleton, Stale } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { COVERAGE_KEY, type Coverage, type CoverageFilter, readCoverage } from "./attack-client.ts";
import { AttackExports } from "./attack-exports.tsx";
import { AttackFilters, SilentSources } from "./attack-filters.tsx";
import { AttackLegend } from "./attack-legend.tsx";
import { countCovered, layColumns, type MatrixName } from "./attack-matrix.ts";
import { AttackMatrix } from "./attack-matrix-view.tsx";
import { AttackPane } from "./attack-pane.tsx";
import { attackPhrases } from "./attack-phrases.ts";
import { UnknownIds } from "./unknown-ids.tsx";
import { useExpanded } from "./use-expanded.ts";
import "./attack.css";

const PERIOD_MS = 5000;
/** Events of these records may change the coverage. */
const CHANGING = /^(?:rule|source|attack)\./;

/** Reloads the coverage after a change, at most once in five seconds. Cells stay in place. */
function useLiveCoverage(): void {
  const queries = useQueryClient();
  const cancel = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => cancel.current?.(), []);
  const readAgain = () => {
    cancel.current ??= after(PERIOD_MS, () => {
      cancel.current = undefined;
      void queries.invalidateQueries({ queryKey: COVERAGE_KEY });
    });
  };
  useLive({ onEvents: (events) => events.some(({ type }) => CHANGING.test(type)) && readAgain(), onReset: readAgain });
}

function useCoverage(filter: CoverageFilter) {
  const { server } = useApp();
  return useQuery({
    queryKey: [...COVERAGE_KEY, filter],
    queryFn: ({ signal }) => readCoverage(server, filter, signal),
    placeholderData: (before) => before,
  });
}

interface MatrixPartProps {
  coverage: Coverage;
  matrix: MatrixName;
  filter: CoverageFilter;
  isStale: boolean;
}

function MatrixPart({ coverage, matrix, filter, isStale }: MatrixPartProps) {
  const words = usePhrases(attackPhrases);
  const { search, change } = useAddress();
  const columns = useMemo(() => layColumns(coverage, matrix), [coverage, matrix]);
  const folds = useExpanded(columns);
  const only =
    filter.source === undefined ? undefined : coverage.sources.find(({ source }) => source === filter.source);
  const opened = coverage.techniques.find(({ id }) => id === search.pane);
  const { covered, total } = countCovered(coverage, matrix);
  useStatusText(fill(words.covered, { covered, total }));
  if (columns.length === 0) return <EmptyState title={words.noData} text={words.noDataText} />;
  return (
    <>
      <SilentSources sources={coverage.sources} chosen={filter.source} />
      <Stale isStale={isStale}>
        <Split
          paneLabel={words.technique}
          pane={
            opened && (
              <AttackPane
                key={opened.id}
                technique={opened}
                coverage={coverage}
                filter={filter}
                only={only}
                onClose={() => change({ pane: undefined })}
              />
            )
          }
          main={<AttackMatrix columns={columns} folds={folds} only={only} opened={opened?.id} />}
        />
      </Stale>
      <AttackLegend />
    </>
  );
}

function Count({ coverage, matrix }: Pick<MatrixPartProps, "coverage" | "matrix">) {
  const words = usePhrases(attackPhrases);
  const { covered, total } = countCovered(coverage, matrix);
  return <strong className="attack-count">{fill(words.covered, { covered, total })}</strong>;
}

/** The ATT&CK techniques that enabled rules detect, and whether those rules receive logs. */
export function AttackPage() {
  const words = usePhrases(attackPhrases);
  const { search, change } = useAddress();
  const matrix: MatrixName = search.matrix === "ics" ? "ics-attack" : "enterprise-attack";
  const { tag, source } = search;
  const filter = useMemo<CoverageFilter>(() => ({ tag, source }), [tag, source]);
  const [isUnknownShown, setIsUnknownShown] = useState(false);
  const reading = useCoverage(filter);
  const { data, error } = reading;
  useLiveCoverage();
  const choose = (name: string | undefined) => () => change({ matrix: name, pane: undefined }, { isStep: true });
  return (
    <Page
      title={words.title}
      tabs={
        <TabLinks
          label={words.matrices}
          items={[
            { label: words.enterprise, isCurrent: matrix === "enterprise-attack", onSelect: choose(undefined) },
            { label: words.ics, isCurrent: matrix === "ics-attack", onSelect: choose("ics") },
          ]}
        />
      }
      tools={data && <AttackExports coverage={data} matrix={matrix} filter={filter} />}
      isFull
    >
      <div className="attack-bar">
        <AttackFilters filter={filter} onUnknown={() => setIsUnknownShown(true)} unknown={data?.unknown.length ?? 0} />
        {data && <Count coverage={data} matrix={matrix} />}
      </div>
      {data && <MatrixPart {...{ matrix, filter }} coverage={data} isStale={reading.isPlaceholderData} />}
      {!data && error && <FailedPart error={error} onRetry={() => void reading.refetch()} />}
      {!data && !error && <Skeleton rows={10} />}
      {data && <UnknownIds isOpen={isUnknownShown} onClose={() => setIsUnknownShown(false)} unknown={data.unknown} />}
    </Page>
  );
}
