import { autocompletion, startCompletion } from "@codemirror/autocomplete";
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, type KeyBinding, keymap, placeholder } from "@codemirror/view";
import { checkQuery, type QueryProblem } from "@kit/query/query-check";
import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { every, now } from "../browser/clock.ts";
import { createCompletionSource } from "./query-completions.ts";
import type { QueryEditorProps } from "./query-editor-props.ts";
import { problemMark, setProblem, tokenMarks } from "./query-marks.ts";
import { queryTheme } from "./query-theme.ts";
import { typeOverSelection } from "./type-over-selection.ts";

const PAUSE_MS = 300;

export interface QueryEditorBodyProps extends QueryEditorProps {
  /** The plain field shown while the editor loaded had the focus. */
  hadFocus: () => boolean;
}

/** The editor lives in a shadow root: its style sheets are adopted there, which the content security policy allows. */
export function QueryEditorBody(props: QueryEditorBodyProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  const [problem, setShown] = useState<QueryProblem | undefined>(undefined);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const [show] = useState(() => (found: QueryProblem | undefined) => {
    setShown(found);
    view.current?.dispatch({ effects: setProblem.of(found) });
  });
  useImperativeHandle(props.ref, () => ({ focus: () => view.current?.focus() }), []);

  useLayoutEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const { value, hadFocus } = latest.current;
    const run = (query: string) => {
      const found = findProblem(query, latest.current);
      if (found) show(found);
      else latest.current.onRun(query);
    };
    const state = EditorState.create({ doc: value, extensions: buildExtensions(latest, run) });
    const created = new EditorView({ state, parent: root, root });
    view.current = created;
    if (hadFocus()) {
      created.focus();
      created.dispatch({ selection: { anchor: value.length } });
    }
    return () => created.destroy();
  }, [show]);

  useLayoutEffect(() => {
    const { current } = view;
    if (!current || current.state.doc.toString() === props.value) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: props.value } });
  }, [props.value]);

  useProblemAfterPause(props.value, (value) => {
    const found = findProblem(value, latest.current);
    // Do not report a problem at the end of the text while the user is still typing.
    const isUnfinished = found !== undefined && found.from >= value.trimEnd().length && view.current?.hasFocus;
    show(isUnfinished ? undefined : found);
  });

  return (
    <>
      <div ref={host} className="query-editor-box" dir="ltr" data-problem={problem ? true : undefined} />
      <p className="query-editor-reason" role="status" dir="auto">
        {problem?.message}
      </p>
    </>
  );
}

function findProblem(query: string, { check }: QueryEditorProps): QueryProblem | undefined {
  return (check ? check(query) : checkQuery(query, { now: now() }))[0];
}

/** Most queries are invalid in the middle of a word, so check when the user pauses typing. */
function useProblemAfterPause(value: string, check: (value: string) => void): void {
  const latest = useRef(check);
  useLayoutEffect(() => {
    latest.current = check;
  });
  useEffect(() => {
    const stop = every(PAUSE_MS, () => {
      stop();
      latest.current(value);
    });
    return stop;
  }, [value]);
}

type Run = (query: string) => void;

function buildExtensions(latest: RefObject<QueryEditorProps>, run: Run): Extension[] {
  const { label, placeholder: hint = "", isSingleLine = false } = latest.current;
  return [
    Prec.high(keymap.of(buildKeys(latest, run))),
    autocompletion({
      override: [createCompletionSource(() => latest.current)],
      icons: false,
      closeOnBlur: true,
      // Enter runs the query unless the user moved into the completion list.
      selectOnOpen: false,
    }),
    keymap.of([...standardKeymap, ...historyKeymap]),
    history(),
    tokenMarks,
    problemMark,
    queryTheme,
    placeholder(hint),
    EditorView.lineWrapping,
    EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
    isSingleLine
      ? EditorState.transactionFilter.of((change) => (change.newDoc.lines > 1 ? joinLines(change) : change))
      : [],
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-multiline": String(!isSingleLine),
      autocapitalize: "off",
      spellcheck: "false",
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const text = state.doc.toString();
      if (docChanged && text !== latest.current.value) latest.current.onChange(text);
    }),
  ];
}

/** Joins pasted lines into one. */
function joinLines(change: { startState: EditorState; newDoc: { toString: () => string } }) {
  const insert = change.newDoc.toString().replaceAll(/\s*\n\s*/g, " ");
  return { changes: { from: 0, to: change.startState.doc.length, insert }, selection: { anchor: insert.length } };
}

function buildKeys(latest: RefObject<QueryEditorProps>, run: Run): KeyBinding[] {
  const runAll = ({ state }: EditorView) => {
    run(state.doc.toString());
    return true;
  };
  const recall = (step: 1 | -1) => (view: EditorView) => recallQuery(view, latest.current.history ?? [], step);
  return [
    { key: "Mod-Enter", run: runAll },
    { key: "Enter", run: (view) => (latest.current.isSingleLine ? runAll(view) : false) },
    { key: "ArrowUp", run: recall(1) },
    { key: "ArrowDown", run: recall(-1) },
    { key: "Ctrl-Space", run: startCompletion },
  ];
}

/** ↑ in an empty editor recalls the newest query, and ↑ again the one before; ↓ returns to the empty editor. */
function recallQuery(view: EditorView, queries: readonly string[], step: 1 | -1): boolean {
  const text = view.state.doc.toString();
  const at = text === "" ? -1 : queries.indexOf(text);
  if (text !== "" && at < 0) return false;
  const next = at + step;
  if (next < -1 || next >= queries.length) return false;
  const insert = queries[next] ?? "";
  view.dispatch({ changes: { from: 0, to: text.length, insert }, selection: { anchor: insert.length } });
  return true;
}
