import type { RefObject } from "react";
import { now } from "../../../app/browser/clock.ts";
import { useMay } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import type { QueryEditorHandle } from "../../../app/query-editor/query-editor-props.ts";
import { copyText } from "../../../app/text/copy.ts";
import { freezeRange } from "../../../app/time/range.ts";
import { formatTerm } from "./hunt-query.ts";
import type { HuntState } from "./hunt-state.ts";
import { searchPhrases } from "./search-phrases.ts";
import type { HuntCursor } from "./use-hunt-cursor.ts";

export interface HuntCommandsProps {
  state: HuntState;
  cursor: HuntCursor;
  editor: RefObject<QueryEditorHandle | null>;
  run: () => void;
  promote: () => void;
  resumeTail: () => void;
  toggleFields: () => void;
}

/** The address with fixed instants: a colleague sees the same range tomorrow. */
function useLinkCopy({ range }: HuntState) {
  const words = usePhrases(searchPhrases);
  const { notify } = useNotices();
  return async () => {
    const address = new URL(location.href);
    const { from, to } = freezeRange(range, now());
    address.searchParams.set("from", from);
    if (to !== undefined) address.searchParams.set("to", to);
    await copyText(address.href);
    notify({ text: words.linkCopied, tone: "ok", forMs: 3000 });
  };
}

/** The keyboard commands of the page. */
export function useHuntCommands({
  state,
  cursor,
  editor,
  run,
  promote,
  resumeTail,
  toggleFields,
}: HuntCommandsProps): void {
  const words = usePhrases(searchPhrases);
  const mayPromote = useMay("alerts:write");
  const copyLink = useLinkCopy(state);
  const { hunt: group, commands: names } = words;
  const key = cursor.cursor;
  const narrowHost = (isExcluded: boolean) => {
    const host = cursor.current?.host;
    if (host) state.narrow(formatTerm("host", host), isExcluded);
  };
  const openPane = () => key !== undefined && state.openLog(state.logId === key ? undefined : key);
  useCommands([
    { id: "hunt.run", label: names.run, group, keys: ["mod+Enter"], run },
    {
      id: "hunt.editor",
      label: names.editor,
      group,
      keys: ["/"],
      run: () => editor.current?.focus(),
      isInStatusLine: true,
    },
    {
      id: "hunt.down",
      label: names.down,
      group,
      keys: ["j"],
      run: () => void cursor.move(1),
      isHidden: true,
      isRepeatable: true,
      isInStatusLine: true,
    },
    {
      id: "hunt.up",
      label: names.up,
      group,
      keys: ["k"],
      run: () => void cursor.move(-1),
      isHidden: true,
      isRepeatable: true,
    },
    {
      id: "hunt.extend-down",
      label: names.extendDown,
      group,
      keys: ["⇧J"],
      run: () => cursor.extendBy(1),
      isHidden: true,
      isRepeatable: true,
    },
    {
      id: "hunt.extend-up",
      label: names.extendUp,
      group,
      keys: ["⇧K"],
      run: () => cursor.extendBy(-1),
      isHidden: true,
      isRepeatable: true,
    },
    {
      id: "hunt.peek",
      label: names.peek,
      group,
      keys: ["Space", "]"],
      run: () => void openPane(),
      isInStatusLine: true,
    },
    {
      id: "hunt.select",
      label: names.select,
      group,
      keys: ["x"],
      run: () => {
        if (key !== undefined) cursor.toggle(key);
      },
      isInStatusLine: true,
    },
    { id: "hunt.include", label: names.include, group, keys: ["f"], run: () => narrowHost(false) },
    { id: "hunt.exclude", label: names.exclude, group, keys: ["⇧F"], run: () => narrowHost(true) },
    { id: "hunt.columns", label: names.columns, group, keys: ["c"], run: toggleFields },
    {
      id: "hunt.range",
      label: names.range,
      group,
      keys: ["t"],
      run: () => document.getElementById("hunt-range")?.click(),
    },
    { id: "hunt.tail-resume", label: names.resume, group, keys: ["."], run: resumeTail, isHidden: !state.isTail },
    { id: "hunt.link", label: names.link, group, keys: ["⇧L"], run: copyLink },
    {
      id: "hunt.close",
      label: names.close,
      group,
      keys: ["Escape", "u"],
      run: () => state.openLog(undefined),
      isHidden: true,
      isEnabled: state.logId !== undefined,
    },
    ...(mayPromote
      ? [{ id: "hunt.promote", label: names.promote, group, keys: ["p"], run: promote, isInStatusLine: true }]
      : []),
  ]);
}
