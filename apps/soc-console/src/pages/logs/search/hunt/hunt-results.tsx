import { useMay } from "../../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { useStatusText } from "../../../../app/status/status.tsx";
import { Button } from "../../../../design/button.tsx";
import { countSelected } from "../../../../design/list/selection.ts";
import { Split } from "../../../../design/split.tsx";
import { EmptyState, Notice, Stale } from "../../../../design/states.tsx";
import { useCountWords } from "../hunt-count.ts";
import type { HuntState } from "../hunt-state.ts";
import { HuntRows } from "../log/hunt-rows.tsx";
import { LogPaneById } from "../log/log-pane.tsx";
import { PartFailed } from "../part-failed.tsx";
import { searchPhrases } from "../search-phrases.ts";
import { HuntTail } from "../tail/hunt-tail.tsx";
import type { TailReading } from "../tail/use-tail.ts";
import type { HuntCursor } from "../use-hunt-cursor.ts";
import { type HuntRun, useElapsedSeconds } from "../use-hunt-run.ts";

export interface HuntResultsProps {
  state: HuntState;
  run: HuntRun;
  cursor: HuntCursor;
  tail: TailReading;
  onPromote: () => void;
}

const DAY_MS = 86_400_000;
const SLOW_SECONDS = 2;

/** The rows, or the tail, beside the open log. */
export function HuntResults({ state, run, cursor, tail, onPromote }: HuntResultsProps) {
  const words = usePhrases(searchPhrases);
  const { logId, openLog, columns, isTail } = state;
  const shared = {
    columns,
    cursor: cursor.cursor,
    onCursor: cursor.setCursor,
    selected: cursor.selected,
    onToggle: cursor.toggle,
    onExtend: cursor.extend,
    onOpen: openLog,
  };
  const isKnown = cursor.current?.id === logId;
  return (
    <div className="search-results">
      <Split
        paneLabel={words.log}
        main={
          <div className="search-main">
            <SelectedBar cursor={cursor} onPromote={onPromote} />
            {isTail ? <HuntTail {...shared} reading={tail} /> : <FoundRows {...shared} run={run} />}
          </div>
        }
        pane={
          logId !== undefined && (
            <LogPaneById
              id={logId}
              known={isKnown ? cursor.current : undefined}
              columns={columns}
              onNarrow={state.narrow}
              onColumn={state.switchColumn}
              onOpen={openLog}
              onPromote={onPromote}
              promoteKeys={["P"]}
              onClose={() => openLog(undefined)}
            />
          )
        }
      />
    </div>
  );
}

function SelectedBar({ cursor, onPromote }: Pick<HuntResultsProps, "cursor" | "onPromote">) {
  const words = usePhrases(searchPhrases);
  const { count } = useNumbers();
  const mayPromote = useMay("alerts:write");
  const marked = countSelected(cursor.selected, 0);
  if (marked === 0) return null;
  return (
    <div className="search-selected" role="status">
      <span>{count(marked, words.selectedCount)}</span>
      {mayPromote && (
        <Button size="s" keys={["P"]} onClick={onPromote}>
          {words.promote}
        </Button>
      )}
      <Button size="s" kind="ghost" onClick={cursor.clear}>
        {words.clear}
      </Button>
    </div>
  );
}

type SharedRows = Omit<Parameters<typeof HuntRows>[0], "pages" | "isWithDay" | "empty" | "footer">;

function FoundRows({ run, ...shared }: SharedRows & { run: HuntRun }) {
  const words = usePhrases(searchPhrases);
  const { rows, search } = run;
  const { error } = rows;
  useStatusText(useCountWords(run));
  const isWithDay = Date.parse(search.to) - Date.parse(search.from) > DAY_MS;
  const isFailed = error instanceof ApiError;
  return (
    <>
      <SlowBar run={run} />
      {isFailed && <RowsFailed error={error} run={run} />}
      {!(isFailed && rows.count === 0) && (
        <Stale isStale={rows.isStale && rows.isLoading}>
          <div className="search-rows">
            <HuntRows
              {...shared}
              pages={rows}
              isWithDay={isWithDay}
              empty={<EmptyState title={words.nothingFound} text={words.nothingFoundText} />}
            />
          </div>
        </Stale>
      )}
    </>
  );
}

function SlowBar({ run }: { run: HuntRun }) {
  const words = usePhrases(searchPhrases);
  const { rows, search, cancel } = run;
  const seconds = useElapsedSeconds(rows.isLoading, search.searchId);
  if (!rows.isLoading || seconds < SLOW_SECONDS) return null;
  return (
    <Notice
      tone="waiting"
      action={
        <Button size="s" onClick={cancel}>
          {words.cancel}
        </Button>
      }
    >
      {fill(words.slow, { seconds })}
    </Notice>
  );
}

/** Distinguishes a cancelled run, the limit of 20 seconds and a log store that does not respond. */
function RowsFailed({ error, run }: { error: ApiError; run: HuntRun }) {
  const words = usePhrases(searchPhrases);
  if (error.status === 409) {
    return (
      <Notice
        tone="plain"
        action={
          <Button size="s" onClick={run.again}>
            {words.runAgain}
          </Button>
        }
      >
        {words.cancelled}
      </Notice>
    );
  }
  const isUnavailable = error.status === 503 || error.status === 0;
  return (
    <div className="search-failed">
      <PartFailed title={isUnavailable ? words.storeFailed : words.rowsFailed} error={error} onRetry={run.again} />
      {isUnavailable && <p className="search-hint">{words.storeFailedText}</p>}
    </div>
  );
}
