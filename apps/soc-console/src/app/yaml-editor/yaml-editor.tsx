import { lazy, Suspense, type SyntheticEvent, useRef } from "react";
import type { TakenSelection, YamlEditorProps } from "./yaml-editor-props.ts";
import "./yaml-editor.css";

const YamlEditorBody = lazy(async () => ({ default: (await import("./yaml-editor-body.tsx")).YamlEditorBody }));

/** A document in YAML: colours, completion, and problems at their lines. */
export function YamlEditor(props: YamlEditorProps) {
  const selected = useRef<TakenSelection | undefined>(undefined);
  const remember = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    selected.current = { anchor: currentTarget.selectionStart, head: currentTarget.selectionEnd };
  };
  const forget = () => {
    selected.current = undefined;
  };
  return (
    <div className="yaml-editor">
      <Suspense
        fallback={
          // What is written before the editor has loaded counts.
          <textarea
            className="yaml-editor-box yaml-editor-plain"
            dir="ltr"
            spellCheck={false}
            value={props.value}
            aria-label={props.label}
            onChange={(event) => {
              remember(event);
              props.onChange(event.target.value);
            }}
            onFocus={remember}
            onSelect={remember}
            onBlur={forget}
          />
        }
      >
        <YamlEditorBody key={props.label} {...props} selected={selected} />
      </Suspense>
    </div>
  );
}
