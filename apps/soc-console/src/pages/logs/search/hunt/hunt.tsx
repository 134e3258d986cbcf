import { PanelLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Page } from "../../../../app/page/page.tsx";
import type { QueryEditorHandle } from "../../../../app/query-editor/query-editor-props.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { RangePicker } from "../../../../app/time/range-picker.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { completeList } from "../../../../design/list/list-pages.ts";
import type { Hunt as SavedHunt } from "../../hunts/hunts-client.ts";
import { ExportDialog } from "../export-dialog.tsx";
import { HuntBar, type HuntDialog } from "../hunt-bar.tsx";
import { HuntChart } from "../hunt-chart.tsx";
import { DEFAULT_FACETS, HuntFacets } from "../hunt-facets.tsx";
import { useHistory, useHuntState } from "../hunt-state.ts";
import { PromoteDialog } from "../promote-dialog.tsx";
import { SaveHuntDialog } from "../saved/save-hunt-dialog.tsx";
import { SavedHunts } from "../saved/saved-hunts.tsx";
import { searchPhrases } from "../search-phrases.ts";
import { useTail } from "../tail/use-tail.ts";
import { useHuntCommands } from "../use-hunt-commands.ts";
import { useHuntCursor } from "../use-hunt-cursor.ts";
import { type HuntRun, useHuntFacets, useHuntHistogram, useHuntRun } from "../use-hunt-run.ts";
import { HuntResults } from "./hunt-results.tsx";

const MAX_FACETS = 20;
const NARROW = "(max-width: 900px)";

function useFacetFields() {
  const [fields, setFields] = useState<readonly string[]>(DEFAULT_FACETS);
  const add = (field: string) =>
    setFields((before) => (before.includes(field) ? before : [field, ...before].slice(0, MAX_FACETS)));
  return [fields, add] as const;
}

/** The query and its results. */
export function Hunt({ saved }: { saved: SavedHunt | undefined }) {
  const words = usePhrases(searchPhrases);
  const state = useHuntState(saved);
  const { query, range, isTail } = state;
  const [draft, setDraft] = useState(query);
  useEffect(() => setDraft(query), [query]);
  const { history, remember } = useHistory();
  const editor = useRef<QueryEditorHandle>(null);
  const [hasFields, setHasFields] = useState(() => !matchMedia(NARROW).matches);
  const [fields, addField] = useFacetFields();
  const [dialog, setDialog] = useState<HuntDialog>();
  const { run, requests } = useHuntRun(query, range);
  const histogram = useHuntHistogram(run.search, requests, state.by);
  const facets = useHuntFacets(run.search, requests, fields, hasFields);
  const tail = useTail(query, isTail);
  const cursor = useHuntCursor(state, isTail ? completeList(tail.tail.rows) : run.rows, run.search.searchId);

  const start = (text: string) => {
    remember(text.trim());
    if (text.trim() === query) run.again();
    else state.setQuery(text.trim());
  };
  useHuntCommands({
    state,
    cursor,
    editor,
    run: () => start(draft),
    promote: () => setDialog("promote"),
    resumeTail: tail.resume,
    toggleFields: () => setHasFields((before) => !before),
  });
  return (
    <Page
      title={saved ? safeText(saved.title) : words.hunt}
      isFull
      tools={
        <HuntTools
          range={range}
          onRange={state.setRange}
          hasFields={hasFields}
          onFields={() => setHasFields((before) => !before)}
        />
      }
    >
      <HuntBar
        {...{ editor, draft, history, isTail }}
        onDraft={setDraft}
        onRun={start}
        search={run.search}
        facets={facets.data}
        onTail={() => state.setTail(!isTail)}
        onDialog={setDialog}
      />
      {!isTail && (
        <HuntChart
          run={run}
          histogram={histogram}
          by={state.by}
          onBy={state.setBy}
          onRange={(from, to) => state.setRange({ from, to })}
          onReset={state.resetRange}
        />
      )}
      <div className="search-body">
        {hasFields && (
          <HuntFacets
            search={run.search}
            facets={facets}
            columns={state.columns}
            onNarrow={state.narrow}
            onColumn={state.switchColumn}
            onField={addField}
          />
        )}
        <HuntResults {...{ state, run, cursor, tail }} onPromote={() => setDialog("promote")} />
      </div>
      <HuntDialogs {...{ dialog, run, saved, draft, cursor }} onClose={() => setDialog(undefined)} />
    </Page>
  );
}

interface HuntToolsProps {
  range: ReturnType<typeof useHuntState>["range"];
  onRange: ReturnType<typeof useHuntState>["setRange"];
  hasFields: boolean;
  onFields: () => void;
}

function HuntTools({ range, onRange, hasFields, onFields }: HuntToolsProps) {
  const words = usePhrases(searchPhrases);
  const { zoneLabel, toggleZone } = useTime();
  return (
    <>
      <IconButton label={words.fields} keys={["C"]} icon={<PanelLeft />} isPressed={hasFields} onClick={onFields} />
      <RangePicker id="hunt-range" range={range} onChange={onRange} />
      <Button onClick={toggleZone} title={words.zone}>
        {zoneLabel}
      </Button>
    </>
  );
}

interface HuntDialogsProps {
  dialog: HuntDialog | undefined;
  run: HuntRun;
  saved: SavedHunt | undefined;
  draft: string;
  cursor: ReturnType<typeof useHuntCursor>;
  onClose: () => void;
}

function HuntDialogs({ dialog, run, saved, draft, cursor, onClose }: HuntDialogsProps) {
  if (dialog === "save") return <SaveHuntDialog query={draft.trim()} saved={saved} onClose={onClose} />;
  if (dialog === "saved") return <SavedHunts onClose={onClose} />;
  if (dialog === "export") return <ExportDialog run={run} onClose={onClose} />;
  if (dialog !== "promote") return null;
  const { selected } = cursor;
  const marked = selected.kind === "some" ? [...selected.ids] : [];
  const ids = marked.length > 0 ? marked : cursor.cursor === undefined ? [] : [cursor.cursor];
  return ids.length === 0 ? null : <PromoteDialog ids={ids} onClose={onClose} />;
}
