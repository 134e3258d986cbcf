import type { QueryProblem } from "@kit/query/query-check";
import type { Ref } from "react";

export interface Completion {
  /** Shown, and inserted unless `apply` is set. */
  label: string;
  kind: "field" | "value" | "operator";
  /** Detail shown beside it: the type of a field, the frequency of a value. */
  detail?: string | undefined;
  apply?: string | undefined;
}

export interface CompletionContext {
  /** The field before the colon; undefined while a field or a word is typed. */
  field: string | undefined;
  /** The typed part of the word, without quotes. */
  prefix: string;
  /** The whole query and the cursor position in it. */
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
  /** mod+Enter, and Enter in a single-line editor. */
  onRun: (value: string) => void;
  /** Accessible name of the editor. */
  label: string;
  /** Provides more fields and values; those of the language are known. */
  complete?: ((context: CompletionContext) => Promise<readonly Completion[]>) | undefined;
  /** Finds the problems of a query. Default: the log query language. */
  check?: ((query: string) => readonly QueryProblem[]) | undefined;
  /** The field names. Default: those of logs. */
  fields?: readonly string[] | undefined;
  placeholder?: string | undefined;
  isSingleLine?: boolean | undefined;
  /** Previous queries, newest first: ↑ in an empty editor. */
  history?: readonly string[] | undefined;
}
