import { lazy, Suspense } from "react";
import { usePlainSelection } from "../query-editor/use-plain-selection.ts";
import type { YamlEditorProps } from "./yaml-editor-props.ts";
import "./yaml-editor.css";

const YamlEditorBody = lazy(async () => ({ default: (await import("./yaml-editor-body.tsx")).YamlEditorBody }));

/** A YAML editor with highlighting, completion and problems at their lines. */
export function YamlEditor(props: YamlEditorProps) {
  const { selected, box } = usePlainSelection();
  return (
    <div className="yaml-editor">
      <Suspense
        fallback={
          // Keep the text that the user typed before the editor loaded.
          <textarea
            className="yaml-editor-box yaml-editor-plain"
            dir="ltr"
            spellCheck={false}
            value={props.value}
            aria-label={props.label}
            {...box}
            onChange={(event) => props.onChange(event.target.value)}
          />
        }
      >
        <YamlEditorBody key={props.label} {...props} selected={selected} />
      </Suspense>
    </div>
  );
}
