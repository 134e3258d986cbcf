import { autocompletion, type CompletionContext, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { history, historyKeymap, indentLess, indentMore, standardKeymap } from "@codemirror/commands";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { queryTheme } from "../query-editor/query-theme.ts";
import { typeOverSelection } from "../query-editor/type-over-selection.ts";
import type { PlainSelection } from "../query-editor/use-plain-selection.ts";
import type { YamlEditorProps } from "./yaml-editor-props.ts";
import { findOffset, problemMarks, setProblems, tokenMarks } from "./yaml-marks.ts";

const yamlTheme = EditorView.theme({
  "&": { height: "100%" },
  ".cm-scroller": { maxHeight: "none" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 12px" },
  ".yaml-key": { color: "var(--accent)" },
  ".yaml-comment": { color: "var(--ink-3)", fontStyle: "italic" },
  ".yaml-problem-line": { backgroundColor: "var(--sev-critical-soft)" },
});

export interface YamlEditorBodyProps extends YamlEditorProps {
  /** The plain field shown while the editor loaded, if it had the focus. */
  selected: () => PlainSelection | undefined;
}

/** The editor lives in a shadow root: its style sheets are adopted there, which the content security policy allows. */
export function YamlEditorBody(props: YamlEditorBodyProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useLayoutEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const state = EditorState.create({ doc: latest.current.value, extensions: buildExtensions(latest) });
    const created = new EditorView({ state, parent: root, root });
    view.current = created;
    created.dispatch({ effects: setProblems.of(latest.current.problems) });
    // Continue where the user was typing in the plain field.
    const selected = latest.current.selected();
    if (selected) {
      const { anchor, head } = selected;
      const within = (place: number) => Math.min(place, state.doc.length);
      created.dispatch({ selection: { anchor: within(anchor), head: within(head) } });
      created.focus();
    }
    return () => created.destroy();
  }, []);
  useLayoutEffect(() => {
    const { current } = view;
    if (!current || current.state.doc.toString() === props.value) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: props.value } });
  }, [props.value]);
  useLayoutEffect(() => view.current?.dispatch({ effects: setProblems.of(props.problems) }), [props.problems]);
  useLayoutEffect(() => {
    const { current } = view;
    if (!current || !props.place) return;
    const anchor = findOffset(current.state.doc, props.place.line, props.place.column);
    current.dispatch({ selection: { anchor }, scrollIntoView: true });
    current.focus();
  }, [props.place]);
  return <div ref={host} className="yaml-editor-box" dir="ltr" data-problem={props.problems.length > 0 || undefined} />;
}

function buildExtensions(latest: RefObject<YamlEditorProps>): Extension[] {
  return [
    Prec.high(
      keymap.of([
        {
          key: "Mod-s",
          run: () => {
            latest.current.onSave();
            return true;
          },
        },
        { key: "Tab", run: indentMore, shift: indentLess },
        { key: "Ctrl-Space", run: startCompletion },
      ]),
    ),
    autocompletion({ override: [(context) => complete(latest.current, context)], icons: false }),
    keymap.of([...completionKeymap, ...standardKeymap, ...historyKeymap]),
    // After the completion keys: the first Escape closes the list, the next one leaves the editor, so that Tab is no
    // trap.
    Prec.low(keymap.of([{ key: "Escape", run: leave }])),
    history(),
    lineNumbers(),
    tokenMarks,
    problemMarks,
    queryTheme,
    yamlTheme,
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
    EditorView.contentAttributes.of({
      "aria-label": latest.current.label,
      "aria-multiline": "true",
      autocapitalize: "off",
      spellcheck: "false",
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const text = state.doc.toString();
      if (docChanged && text !== latest.current.value) latest.current.onChange(text);
    }),
  ];
}

function complete(props: YamlEditorProps, { state, pos, explicit }: CompletionContext) {
  const found = props.complete(state.doc.toString(), pos);
  if (!found || (!explicit && found.from === pos && state.sliceDoc(pos - 1, pos) !== " ")) return null;
  return {
    from: found.from,
    options: found.options.map(({ label, detail }) => ({ label, ...(detail && { detail }) })),
  };
}

function leave({ contentDOM }: EditorView): boolean {
  contentDOM.blur();
  return true;
}
