import { useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { now } from "../../../app/browser/clock.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { copyText } from "../../../app/text/copy.ts";
import { freezeRange, type TimeRange } from "../../../app/time/range.ts";
import { ALL_SELECTED, markRows, NONE_SELECTED, type Selection, toggleRow } from "../../../design/list/selection.ts";
import type { DialogRequest } from "./alert-item.ts";
import { FILTER_ID } from "./alerts-filter-line.tsx";
import { alertsPhrases } from "./alerts-phrases.ts";
import type { AlertCursor } from "./use-alert-cursor.ts";
import type { AlertList } from "./use-alert-list.ts";

export const GROUP_BUTTON = "alerts-group-button";
export const SORT_BUTTON = "alerts-sort-button";
export const RANGE_BUTTON = "alerts-range-button";

export interface ListCommandDeps {
  list: AlertList;
  cursor: AlertCursor;
  range: TimeRange;
  isSelecting: boolean;
  setSelection: (change: (before: Selection) => Selection) => void;
  openDialog: (request: DialogRequest) => void;
  openColumns: () => void;
}

function click(id: string): void {
  document.getElementById(id)?.click();
}

/** The list keys, for alerts. */
export function useListCommands(deps: ListCommandDeps): Command[] {
  const { list, cursor, range, isSelecting, setSelection, openDialog, openColumns } = deps;
  const words = usePhrases(alertsPhrases);
  const { go } = useAddress();
  const { notify } = useNotices();
  return useMemo(() => {
    const { commands, short } = words;
    const { item } = cursor;
    const move = { group: commands.move, isHidden: true } as const;
    const view = { group: commands.view } as const;
    const open = () => {
      if (!item) return;
      if (item.kind === "group") return list.toggleGroup(item.key);
      cursor.leave();
      go(`/alerts/${item.key}`);
    };
    const extend = (by: number) => () => {
      const { from, to } = cursor.moveBy(by);
      const keys = [from, to].flatMap((key) => (key === undefined || key.includes("=") ? [] : [key]));
      setSelection((before) => markRows(before, keys, true));
    };
    const toggle = () => {
      if (item?.kind === "alert") setSelection((before) => toggleRow(before, item.key));
    };
    const pivot = (isExclude: boolean) => () => {
      if (item?.kind === "alert") openDialog({ kind: "pivot", alert: item.alert, isExclude });
    };
    const goBack = () => {
      if (isSelecting) setSelection(() => NONE_SELECTED);
      else if (cursor.isPaneOpen) cursor.setPane(false);
    };
    const copyLink = async () => {
      const { from, to } = freezeRange(range, now());
      const address = new URL(location.href);
      address.searchParams.set("from", from);
      if (to !== undefined) address.searchParams.set("to", to);
      await copyText(address.href);
      notify({ tone: "ok", text: words.linkCopied });
    };
    const entries: Command[] = [
      {
        ...move,
        id: "alerts.down",
        label: short.move,
        keys: ["j", "ArrowDown"],
        isRepeatable: true,
        isInStatusLine: true,
        run: () => void cursor.moveBy(1),
      },
      {
        ...move,
        id: "alerts.up",
        label: commands.up,
        keys: ["k", "ArrowUp"],
        isRepeatable: true,
        run: () => void cursor.moveBy(-1),
      },
      {
        ...move,
        id: "alerts.extend-down",
        label: commands.extendDown,
        keys: ["⇧j"],
        isRepeatable: true,
        run: extend(1),
      },
      { ...move, id: "alerts.extend-up", label: commands.extendUp, keys: ["⇧k"], isRepeatable: true, run: extend(-1) },
      {
        ...move,
        id: "alerts.peek",
        label: commands.peek,
        keys: ["Space", "]"],
        run: () => cursor.setPane(!cursor.isPaneOpen),
      },
      { ...move, id: "alerts.open", label: commands.open, keys: ["Enter"], run: open },
      { ...move, id: "alerts.select", label: short.select, keys: ["x"], isInStatusLine: true, run: toggle },
      { ...move, id: "alerts.escape", label: commands.escape, keys: ["Escape", "u"], run: goBack },
      {
        ...view,
        id: "alerts.select-all",
        label: commands.selectAll,
        keys: ["mod+a"],
        isEnabled: !list.isGrouped,
        reason: words.idsOnly,
        run: () => setSelection(() => ALL_SELECTED),
      },
      { ...view, id: "alerts.include", label: commands.include, keys: ["f"], run: pivot(false) },
      { ...view, id: "alerts.exclude", label: commands.exclude, keys: ["⇧F"], run: pivot(true) },
      {
        ...view,
        id: "alerts.filter",
        label: commands.focusFilter,
        keys: ["/"],
        run: () => document.getElementById(FILTER_ID)?.focus(),
      },
      { ...view, id: "alerts.news", label: commands.news, keys: ["."], run: list.reload },
      { ...view, id: "alerts.sort", label: words.sortBy, keys: ["s"], run: () => click(SORT_BUTTON) },
      {
        ...view,
        id: "alerts.group",
        label: words.groupBy,
        keys: ["b"],
        isInStatusLine: true,
        run: () => click(GROUP_BUTTON),
      },
      { ...view, id: "alerts.columns", label: words.chooseColumns, keys: ["c"], run: openColumns },
      { ...view, id: "alerts.range", label: words.range, keys: ["t"], run: () => click(RANGE_BUTTON) },
      { ...view, id: "alerts.copy-link", label: commands.copyLink, keys: ["⇧L"], run: copyLink },
    ];
    if (!list.isGrouped) return entries;
    return [
      ...entries,
      { ...view, id: "alerts.open-groups", label: words.openAll, run: () => list.setAllGroups(true) },
      { ...view, id: "alerts.close-groups", label: words.closeAll, run: () => list.setAllGroups(false) },
    ];
  }, [list, cursor, range, isSelecting, setSelection, openDialog, openColumns, words, go, notify]);
}
