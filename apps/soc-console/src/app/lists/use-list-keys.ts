import { useCallback, useState } from "react";
import { moveCursor } from "../../design/list/cursor.ts";
import type { ListPages } from "../../design/list/list-pages.ts";
import { extendRange, NONE_SELECTED, type Selection, toggleRow } from "../../design/list/selection.ts";
import type { Command } from "../keys/commands.ts";
import { usePhrases } from "../language/language-context.tsx";
import { listsPhrases } from "./lists-phrases.ts";

export interface ListKeys<Item> {
  cursor: string | undefined;
  current: Item | undefined;
  selected: Selection;
  /** For the list. */
  list: {
    cursor: string | undefined;
    onCursor: (key: string, index: number) => void;
    selected: Selection;
    onToggle: (key: string) => void;
    onExtend: ((keys: string[]) => void) | undefined;
  };
  clear: () => void;
  /** Clears the cursor, which closes the pane. */
  leave: () => void;
  commands: readonly Command[];
}

interface ListKeysOptions {
  /** Noun of the list, for the ids of its commands. */
  noun: string;
  group: string;
  /** The initial cursor. */
  first?: string | undefined;
  onMove?: ((key: string) => void) | undefined;
  /** Without it, rows have no page. */
  onOpen?: ((key: string) => void) | undefined;
  /** `Space` shows the row in the pane, or closes the pane. */
  onPeek?: ((key: string) => void) | undefined;
  /** `x` has another meaning in this list than select. */
  isWithoutSelect?: boolean;
}

const ignore = () => undefined;

/** Cursor and selection of a list, with the keys of all lists: `j k ⇧j ⇧k x Enter`. */
export function useListKeys<Item>(
  pages: ListPages<Item>,
  rowKey: (item: Item) => string,
  { noun, group, first, onMove, onOpen, onPeek, isWithoutSelect = false }: ListKeysOptions,
): ListKeys<Item> {
  const words = usePhrases(listsPhrases);
  const [at, setAt] = useState<{ key: string | undefined; index: number }>({ key: first, index: 0 });
  const [selected, setSelected] = useState<Selection>(NONE_SELECTED);
  const onCursor = useCallback(
    (key: string, index: number) => {
      setAt({ key, index });
      onMove?.(key);
    },
    [onMove],
  );
  const onToggle = useCallback((key: string) => setSelected((before) => toggleRow(before, key)), []);
  const onExtend = useCallback((keys: string[]) => setSelected((before) => extendRange(before, keys)), []);
  const current = findItem(pages, rowKey, at);
  const move = (by: number, isExtending = false) => {
    const next = moveCursor(pages, rowKey, at, by);
    if (!next) return;
    if (isExtending && at.key !== undefined) {
      const anchor = at.key;
      setSelected((before) => extendRange(toggleOn(before, anchor), [anchor, next.key]));
    }
    onCursor(next.key, next.index);
  };
  /** Without a cursor, use the first row. */
  const withRow = (task: (row: string) => void) => {
    const row = moveCursor(pages, rowKey, at, 0);
    if (!row) return;
    if (row.key !== at.key) onCursor(row.key, row.index);
    task(row.key);
  };
  const leave = () => setAt({ key: undefined, index: at.index });
  const key = (id: string, label: string, keys: string[], run: () => void, rest: Partial<Command> = {}): Command => ({
    id: `${noun}.${id}`,
    label,
    group,
    keys,
    run,
    ...rest,
  });
  const moving = { isHidden: true, isRepeatable: true };
  return {
    cursor: at.key,
    current,
    selected,
    list: {
      cursor: at.key,
      onCursor,
      selected,
      onToggle: isWithoutSelect ? ignore : onToggle,
      onExtend: isWithoutSelect ? undefined : onExtend,
    },
    clear: () => setSelected(NONE_SELECTED),
    leave,
    commands: [
      key("down", words.move, ["j"], () => move(1), { ...moving, isInStatusLine: true }),
      key("up", words.up, ["k"], () => move(-1), moving),
      key("extend-down", words.extend, ["⇧J"], () => move(1, true), moving),
      key("extend-up", words.extendUp, ["⇧K"], () => move(-1, true), moving),
      ...(onOpen
        ? [key("open", words.open, ["Enter", "o"], () => withRow(onOpen), { isHidden: true, isInStatusLine: true })]
        : []),
      ...(onPeek
        ? [key("peek", words.peek, ["Space"], () => withRow(onPeek), { isHidden: true, isInStatusLine: true })]
        : []),
      ...(isWithoutSelect
        ? [key("leave", words.leave, ["Escape"], leave, { isHidden: true, isEnabled: at.key !== undefined })]
        : [key("select", words.select, ["x"], () => withRow(onToggle), { isHidden: true, isInStatusLine: true })]),
    ],
  };
}

function toggleOn(selection: Selection, id: string): Selection {
  return selection.kind === "some" && !selection.ids.has(id) ? toggleRow(selection, id) : selection;
}

function findItem<Item>(
  pages: ListPages<Item>,
  rowKey: (item: Item) => string,
  { key, index }: { key: string | undefined; index: number },
): Item | undefined {
  if (key === undefined) return undefined;
  const found = moveCursor(pages, rowKey, { key, index }, 0);
  return found?.key === key ? pages.rowAt(found.index) : undefined;
}

/** The ids of an explicit selection. */
export function listSelected(selection: Selection): string[] {
  return selection.kind === "some" ? [...selection.ids] : [];
}
