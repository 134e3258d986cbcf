import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useApp } from "../../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { Page } from "../../../../app/page/page.tsx";
import { ApiError, errorWords } from "../../../../app/server/api-error.ts";
import { useStatusText } from "../../../../app/status/status.tsx";
import { RangePicker } from "../../../../app/time/range-picker.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { countSelected } from "../../../../design/list/selection.ts";
import { Split } from "../../../../design/split.tsx";
import { alertKeys, createAlertsClient, type SavedView } from "../alerts-client.ts";
import { RANGE_BUTTON } from "../alerts-commands.ts";
import { AlertsFilterLine } from "../alerts-filter-line.tsx";
import { AlertsHistogram } from "../alerts-histogram.tsx";
import { alertsPhrases } from "../alerts-phrases.ts";
import { EXTRA_COLUMNS, type ExtraColumn, useAlertsState } from "../alerts-state.ts";
import { AlertsTable } from "../alerts-table.tsx";
import { AlertsTools } from "../alerts-tools.tsx";
import { AlertsViews } from "../alerts-views.tsx";
import { AlertPane, PreviewCard } from "../details/alert-pane.tsx";
import { AlertDialogs, ColumnsDialog, SaveViewDialog } from "../dialogs/lazy-dialogs.tsx";
import { type AlertList, useAlertList } from "../use-alert-list.ts";
import { type AlertsWork, useAlertsWork, useFilterChange } from "../use-alerts-work.ts";
import { useFailureNotice } from "../use-failure-notice.ts";
import "../alerts.css";

const NO_VIEWS: readonly SavedView[] = [];
const VIEWS_STALE_MS = 60_000;

export function AlertsPage() {
  const { server } = useApp();
  const client = useMemo(() => createAlertsClient(server), [server]);
  const { data: views } = useQuery({
    queryKey: alertKeys.views,
    queryFn: ({ signal }) => client.listViews(signal),
    staleTime: VIEWS_STALE_MS,
  });
  const saved = views?.items ?? NO_VIEWS;
  const state = useAlertsState(saved);
  const list = useAlertList(client, state);
  return <AlertsDesk work={useAlertsWork(client, state, list)} saved={saved} />;
}

function AlertsDesk({ work, saved }: { work: AlertsWork; saved: readonly SavedView[] }) {
  const { client, state, list, setAsked } = work;
  const words = usePhrases(alertsPhrases);
  const time = useTime();
  const { setText, setRange } = useFilterChange(state);
  const removeView = useRemoveView(work);
  useShownStatus(list);
  const { error } = list.flat;
  const refusal = error instanceof ApiError && error.status === 400 ? errorWords(error) : undefined;
  return (
    <Page
      title={words.title}
      isFull
      tabs={
        <AlertsViews
          {...{ client, saved, state, list }}
          onSave={() => setAsked("save")}
          onRemove={(view) => void removeView(view)}
        />
      }
      tools={
        <>
          <AlertsTools state={state} isGrouped={list.isGrouped} />
          <RangePicker id={RANGE_BUTTON} range={state.range} onChange={({ from, to }) => setRange(from, to)} />
          <Button title={words.zone} onClick={time.toggleZone}>
            {time.zoneLabel}
          </Button>
        </>
      }
    >
      <AlertsFilterLine text={state.text} refusal={refusal} onChange={setText} />
      <AlertsHistogram
        {...{ client, list }}
        stateKey={state.key}
        onRange={setRange}
        onReset={() => setRange(undefined, undefined)}
      />
      <div className="alerts-work">
        <AlertsSplit work={work} />
      </div>
      <DeskDialogs work={work} />
    </Page>
  );
}

function useRemoveView({ client }: AlertsWork) {
  const queries = useQueryClient();
  const { go } = useAddress();
  const fail = useFailureNotice();
  return async (view: SavedView) => {
    try {
      await client.removeView(view.id);
      await queries.invalidateQueries({ queryKey: alertKeys.views });
      go("/alerts");
    } catch (error) {
      fail(error);
    }
  };
}

/** How many optional columns fit beside the title, by window width. */
const ROOM: readonly { query: string; count: number }[] = [
  { query: "(width >= 1400px)", count: EXTRA_COLUMNS.length },
  { query: "(width >= 1240px)", count: 2 },
];

function subscribeRoom(onChange: () => void): () => void {
  const changes = ROOM.map(({ query }) => matchMedia(query));
  for (const each of changes) each.addEventListener("change", onChange);
  return () => {
    for (const each of changes) each.removeEventListener("change", onChange);
  };
}

function readRoom(): number {
  return ROOM.find(({ query }) => matchMedia(query).matches)?.count ?? 0;
}

function useExtras({ state, cursor }: AlertsWork): readonly ExtraColumn[] {
  const room = useSyncExternalStore(subscribeRoom, readRoom);
  const count = cursor.isPaneOpen ? 0 : room;
  return useMemo(() => state.columns ?? EXTRA_COLUMNS.slice(0, count), [state.columns, count]);
}

/** The alert of the pane: from its row, or loaded by the id in the address. */
function findPaneId({ cursor: { item, key } }: AlertsWork): string | undefined {
  if (item) return item.kind === "alert" ? item.key : undefined;
  return key === "list" ? undefined : key;
}

function AlertsSplit({ work }: { work: AlertsWork }) {
  const { client, state, list, cursor, selection, setSelection, isSelecting, clearSelection, actions } = work;
  const words = usePhrases(alertsPhrases);
  const { go } = useAddress();
  const { preview, closePreview } = actions;
  const paneId = findPaneId(work);
  const extras = useExtras(work);
  const isInPane = preview !== undefined && preview.id === paneId && cursor.isPaneOpen;
  const open = (key: string) => {
    if (key.includes("=")) return list.toggleGroup(key);
    cursor.leave();
    go(`/alerts/${key}`);
  };
  const pane = cursor.isPaneOpen && paneId !== undefined && (
    <AlertPane
      client={client}
      id={paneId}
      alert={cursor.item?.kind === "alert" ? cursor.item.alert : undefined}
      preview={isInPane ? preview : undefined}
      onClosePreview={closePreview}
      onClose={() => cursor.setPane(false)}
    />
  );
  return (
    <Split
      paneLabel={words.pane}
      pane={pane}
      main={
        <div className="alerts-main">
          {isSelecting && <SelectionBar work={work} onClear={clearSelection} />}
          {preview && !isInPane && <PreviewCard preview={preview} onClose={closePreview} />}
          <NewsPill list={list} />
          <AlertsTable {...{ list, state, cursor, selection, setSelection }} extras={extras} onOpen={open} />
        </div>
      }
    />
  );
}

function DeskDialogs({ work }: { work: AlertsWork }) {
  const { client, state, list, dialog, setDialog, asked, setAsked, actions, request, clearSelection } = work;
  const queries = useQueryClient();
  const { change } = useAddress();
  const { pivot } = useFilterChange(state);
  const extras = useExtras(work);
  const close = () => setAsked(undefined);
  return (
    <>
      <AlertDialogs
        open={dialog}
        {...{ client, actions, request }}
        onPivot={pivot}
        onBulkDone={() => {
          clearSelection();
          // The counts of the groups have changed.
          if (list.isGrouped) list.reload();
        }}
        onLinked={(ids) => {
          for (const id of ids) void queries.invalidateQueries({ queryKey: alertKeys.full(id) });
          clearSelection();
        }}
        onClose={() => setDialog(undefined)}
      />
      {asked === "save" && <SaveViewDialog client={client} state={state} onClose={close} />}
      {asked === "columns" && (
        <ColumnsDialog
          columns={state.columns}
          shown={extras}
          onChange={(columns) => change({ cols: columns?.join(",") })}
          onClose={close}
        />
      )}
    </>
  );
}

function useShownStatus({ pages, total, tookMs, isGrouped }: AlertList): void {
  const words = usePhrases(alertsPhrases);
  const { number } = useNumbers();
  const { duration } = useTime();
  const isShown = !isGrouped && total !== undefined && tookMs !== undefined;
  const values = isShown && { count: number(pages.count), total: number(total), time: duration(tookMs) };
  useStatusText(values ? fill(words.shown, values) : "");
}

/** New alerts wait here: rows never move under the cursor. */
function NewsPill({ list: { news, reload } }: { list: AlertList }) {
  const words = usePhrases(alertsPhrases);
  const { count } = useNumbers();
  if (news.waiting === 0 && !news.isIncomplete) return null;
  return (
    <div className="alerts-news" role="status">
      <button type="button" className="alerts-pill" onClick={reload}>
        {news.waiting > 0 ? count(news.waiting, words.news) : words.mayBeOld}
      </button>
    </div>
  );
}

/** The selection in words: some, all, or all except some. */
function SelectionBar({ work: { selection, list }, onClear }: { work: AlertsWork; onClear: () => void }) {
  const words = usePhrases(alertsPhrases);
  const { count } = useNumbers();
  const total = countSelected(selection, list.total ?? 0);
  const text =
    selection.kind === "some"
      ? count(total, words.selected)
      : selection.except.size === 0
        ? fill(words.allSelected, { count: total })
        : fill(words.allBut, { count: total, except: selection.except.size });
  return (
    <div className="alerts-selection" role="status">
      <span className="alerts-strong">{text}</span>
      <Button size="s" keys={["Esc"]} onClick={onClear}>
        {words.clearSelection}
      </Button>
    </div>
  );
}
