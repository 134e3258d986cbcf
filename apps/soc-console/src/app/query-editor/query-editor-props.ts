import type { QueryProblem } from "@kit/query/query-check";
import type { Ref } from "react";

export interface Completion {
  /** What is shown, and inserted unless `apply` says otherwise. */
  label: string;
  kind: "field" | "value" | "operator";
  /** Beside it: the kind of a field, how often a value occurs. */
  detail?: string | undefined;
  apply?: string | undefined;
}

export interface CompletionContext {
  /** The field before the colon; undefined where a field or a word is written. */
  field: string | undefined;
  /** What is written so far of the word, without quotes. */
  prefix: string;
  /** The whole query, and the place of the cursor in it. */
  query: string;
  place: number;
}

export interface QueryEditorHandle {
  focus: () => void;
}

export interface QueryEditorProps {
  ref?: Ref<QueryEditorHandle> | undefined;
  value: string;
  onChange: (value: string) => void;
  /** mod+Enter, and Enter in an editor of a single line. */
  onRun: (value: string) => void;
  /** The name of the editor, for those who do not see it. */
  label: string;
  /** Brings further fields, and values; those of the language itself are known. */
  complete?: ((context: CompletionContext) => Promise<readonly Completion[]>) | undefined;
  /** Finds the problems of a query; that of logs when absent. */
  check?: ((query: string) => readonly QueryProblem[]) | undefined;
  /** The names of the fields; those of logs when absent. */
  fields?: readonly string[] | undefined;
  placeholder?: string | undefined;
  isSingleLine?: boolean | undefined;
  /** Earlier queries, the newest first: ↑ in an empty editor. */
  history?: readonly string[] | undefined;
}
