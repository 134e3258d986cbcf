import { lazy, Suspense } from "react";
import type { QueryEditorProps } from "./query-editor-props.ts";
import { usePlainSelection } from "./use-plain-selection.ts";
import "./query-editor.css";

const QueryEditorBody = lazy(async () => ({ default: (await import("./query-editor-body.tsx")).QueryEditorBody }));

/** A query of one or several lines, with its language: marks, completion, and the reason why it cannot run. */
export function QueryEditor(props: QueryEditorProps) {
  const { value, onChange, onRun, label, placeholder, isSingleLine = false } = props;
  const { selected, box } = usePlainSelection();
  // What is written before the editor has loaded counts.
  const field = (
    <textarea
      className="query-editor-box query-editor-plain"
      dir="ltr"
      rows={1}
      spellCheck={false}
      {...{ value, placeholder }}
      aria-label={label}
      {...box}
      onChange={(event) => onChange(event.target.value)}
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
        <LoadedEditor {...props} hadFocus={() => selected() !== undefined} />
      </Suspense>
    </div>
  );
}

function LoadedEditor({ hadFocus, ...props }: QueryEditorProps & { hadFocus: () => boolean }) {
  const { label, placeholder, isSingleLine } = props;
  // What the editor reads once when it is created: another language of the console creates it again.
  return <QueryEditorBody key={`${label}|${placeholder}|${isSingleLine}`} {...props} hadFocus={hadFocus} />;
}
