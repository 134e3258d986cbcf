/** Something wrong at a place of the text; lines and columns begin with 1. */
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
  /** From here to the cursor the text is replaced. */
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
  /** What can stand at the cursor. */
  complete: (text: string, cursor: number) => YamlCompletions | undefined;
  /** The cursor goes to this place when it changes. */
  place?: { line: number; column: number } | undefined;
}
