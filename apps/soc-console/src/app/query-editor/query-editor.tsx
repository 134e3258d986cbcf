import { lazy, Suspense, useRef } from "react";
import type { QueryEditorProps } from "./query-editor-props.ts";
import "./query-editor.css";

const QueryEditorBody = lazy(async () => ({ default: (await import("./query-editor-body.tsx")).QueryEditorBody }));

/** A query of one or several lines, with its language: marks, completion, and the reason why it cannot run. */
export function QueryEditor(props: QueryEditorProps) {
  const { value, onChange, onRun, label, placeholder, isSingleLine = false } = props;
  const hadFocus = useRef(false);
  // What is written before the editor has loaded counts.
  const field = (
    <textarea
      className="query-editor-box query-editor-plain"
      dir="ltr"
      rows={1}
      spellCheck={false}
      {...{ value, placeholder }}
      aria-label={label}
      onChange={(event) => onChange(event.target.value)}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={(event) => {
        // Removed with the focus inside it, it has no next target and is no longer shown.
        if (event.currentTarget.checkVisibility()) hadFocus.current = false;
      }}
      onKeyDown={(event) => {
        const isRun = event.key === "Enter" && (isSingleLine || event.ctrlKey || event.metaKey);
        if (!isRun || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onRun(value);
      }}
    />
  );
  return (
    <div className={isSingleLine ? "query-editor query-editor-single" : "query-editor"}>
      <Suspense fallback={field}>
        <LoadedEditor {...props} hadFocus={() => hadFocus.current} />
      </Suspense>
    </div>
  );
}

function LoadedEditor({ hadFocus, ...props }: QueryEditorProps & { hadFocus: () => boolean }) {
  const { label, placeholder, isSingleLine } = props;
  // What the editor reads once when it is created: another language of the console creates it again.
  return <QueryEditorBody key={`${label}|${placeholder}|${isSingleLine}`} {...props} hadFocus={hadFocus} />;
}
