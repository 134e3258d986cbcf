import { CancelledError, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { after } from "../../../app/browser/clock.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { isSelected, NONE_SELECTED, type Selection } from "../../../design/list/selection.ts";
import { useActionCommands, useRequestChange } from "./alert-commands.ts";
import { excludeValue, includeValue } from "./alert-filter.ts";
import type { DialogRequest, RequestChange, Target } from "./alert-item.ts";
import { type AlertsClient, alertKeys } from "./alerts-client.ts";
import { useListCommands } from "./alerts-commands.ts";
import { type AlertsState, NO_FILTER } from "./alerts-state.ts";
import { type AlertActions, useAlertActions } from "./use-alert-actions.ts";
import { type AlertCursor, useAlertCursor } from "./use-alert-cursor.ts";
import type { AlertList } from "./use-alert-list.ts";

const PREFETCH_AFTER_MS = 900;
const PREFETCHED = 2;
const PREFETCH_STALE_MS = 60_000;

export interface AlertsWork {
  client: AlertsClient;
  state: AlertsState;
  list: AlertList;
  cursor: AlertCursor;
  selection: Selection;
  isSelecting: boolean;
  setSelection: (change: (before: Selection) => Selection) => void;
  clearSelection: () => void;
  actions: AlertActions;
  request: RequestChange;
  dialog: DialogRequest | undefined;
  setDialog: (request: DialogRequest | undefined) => void;
  asked: "columns" | "save" | undefined;
  setAsked: (asked: "columns" | "save" | undefined) => void;
}

/** The targets of keys and buttons: the selection, or else the row under the cursor. */
function useTarget(list: AlertList, cursor: AlertCursor, selection: Selection): Target | undefined {
  const { item } = cursor;
  const { readParameters } = list;
  return useMemo(() => {
    if (selection.kind === "all") {
      return { kind: "filter", parameters: readParameters(), exceptIds: [...selection.except] };
    }
    if (selection.ids.size > 0) return { kind: "ids", ids: [...selection.ids] };
    if (item?.kind === "alert") return { kind: "one", alert: item.alert };
    return item && { kind: "filter", parameters: item.parameters, exceptIds: [] };
  }, [selection, item, readParameters]);
}

/** Prefetches the details of the next rows. */
function usePrefetch(client: AlertsClient, cursor: AlertCursor): void {
  const queries = useQueryClient();
  const { isPaneOpen, key } = cursor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per cursor position.
  useEffect(() => {
    if (!isPaneOpen || key === undefined) return;
    return after(PREFETCH_AFTER_MS, () => {
      for (const row of cursor.next(PREFETCHED)) if (row.kind === "alert") void prefetch(row.key);
    });
  }, [key, isPaneOpen]);

  async function prefetch(id: string): Promise<void> {
    const wanted = { queryKey: alertKeys.full(id), staleTime: PREFETCH_STALE_MS };
    try {
      await queries.query({ ...wanted, queryFn: ({ signal }) => client.readFull(id, signal, true) });
    } catch (error) {
      // Cancelled when the cursor moves on. After a failure the pane retries and shows the reason.
      if (!(error instanceof ApiError || error instanceof CancelledError)) throw error;
    }
  }
}

/** The state of the list, and the commands on it. */
export function useAlertsWork(client: AlertsClient, state: AlertsState, list: AlertList): AlertsWork {
  const cursor = useAlertCursor(list, state.key);
  const [selection, setSelection] = useState<Selection>(NONE_SELECTED);
  const [dialog, setDialog] = useState<DialogRequest>();
  const [asked, setAsked] = useState<"columns" | "save">();
  const target = useTarget(list, cursor, selection);
  const isSelecting = selection.kind === "all" || selection.ids.size > 0;
  const clearSelection = useCallback(() => setSelection(NONE_SELECTED), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection belongs to its list.
  useEffect(clearSelection, [state.key]);

  const isChosen = useCallback((id: string) => isSelected(selection, id), [selection]);
  const { patch: patchRows, reload, news } = list;
  const actions = useAlertActions({ client, patchRows, isChosen, expectOwn: news.expectOwn, reload });
  const readTarget = useCallback(() => target, [target]);
  const onDecided = () => (isSelecting ? clearSelection() : cursor.moveOn());
  const deps = { client, actions, readTarget, target, openDialog: setDialog, onDecided };
  const request = useRequestChange(deps);
  const openColumns = useCallback(() => setAsked("columns"), []);
  const actionCommands = useActionCommands(deps);
  const listCommands = useListCommands({
    ...{ list, cursor, isSelecting, setSelection, openDialog: setDialog, openColumns },
    range: state.range,
  });
  useCommands(useMemo(() => [...listCommands, ...actionCommands], [listCommands, actionCommands]));
  usePrefetch(client, cursor);
  return {
    ...{ client, state, list, cursor, selection, isSelecting, setSelection, clearSelection, actions, request },
    ...{ dialog, setDialog, asked, setAsked },
  };
}

/** Changes the filter; Back restores the previous one. */
export function useFilterChange({ text }: AlertsState) {
  const { change } = useAddress();
  const setText = (next: string) => change({ q: next || NO_FILTER }, { isStep: true });
  const pivot = (field: string, value: string, isExclude: boolean) =>
    setText(isExclude ? excludeValue(text, field, value) : includeValue(text, field, value));
  const setRange = (from: string | undefined, to: string | undefined) => change({ from, to }, { isStep: true });
  return { setText, pivot, setRange };
}
