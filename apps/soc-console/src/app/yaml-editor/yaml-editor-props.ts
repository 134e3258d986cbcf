/** A problem at a position of the text. Lines and columns start at 1. */
export interface YamlProblem {
  message: string;
  line: number | null;
  column: number | null;
}

export interface YamlCompletion {
  label: string;
  detail?: string | undefined;
}

export interface YamlCompletions {
  /** The text from here to the cursor is replaced. */
  from: number;
  options: readonly YamlCompletion[];
}

export interface YamlEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** mod+S. */
  onSave: () => void;
  label: string;
  problems: readonly YamlProblem[];
  /** The completions at the cursor. */
  complete: (text: string, cursor: number) => YamlCompletions | undefined;
  /** The cursor moves to this position when it changes. */
  place?: { line: number; column: number } | undefined;
}
