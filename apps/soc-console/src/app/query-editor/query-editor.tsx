import { lazy, Suspense } from "react";
import type { QueryEditorProps } from "./query-editor-props.ts";
import { usePlainSelection } from "./use-plain-selection.ts";
import "./query-editor.css";

const QueryEditorBody = lazy(async () => ({ default: (await import("./query-editor-body.tsx")).QueryEditorBody }));

/** A query editor of one or more lines with highlighting, completion and error messages. */
export function QueryEditor(props: QueryEditorProps) {
  const { value, onChange, onRun, label, placeholder, isSingleLine = false } = props;
  const { selected, box } = usePlainSelection();
  // Keep the text that the user typed before the editor loaded.
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
  // The editor reads these once when it is created. Changing the UI language recreates it.
  return <QueryEditorBody key={`${label}|${placeholder}|${isSingleLine}`} {...props} hadFocus={hadFocus} />;
}
