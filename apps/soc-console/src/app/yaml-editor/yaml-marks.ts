import { RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { YamlProblem } from "./yaml-editor-props.ts";
import { tokenizeLine } from "./yaml-tokens.ts";

const MARKS = {
  key: Decoration.mark({ class: "yaml-key" }),
  quoted: Decoration.mark({ class: "query-quoted" }),
  sign: Decoration.mark({ class: "query-sign" }),
  comment: Decoration.mark({ class: "yaml-comment" }),
  template: Decoration.mark({ class: "query-operator" }),
};
const PROBLEM = Decoration.mark({ class: "query-problem" });
const PROBLEM_LINE = Decoration.line({ class: "yaml-problem-line" });

function markTokens(doc: Text): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (let number = 1; number <= doc.lines; number += 1) {
    const line = doc.line(number);
    for (const { from, to, kind } of tokenizeLine(line.text))
      builder.add(line.from + from, line.from + to, MARKS[kind]);
  }
  return builder.finish();
}

/** A playbook has a few hundred lines, so all of it is tokenized after each change. */
export const tokenMarks = StateField.define<DecorationSet>({
  create: (state) => markTokens(state.doc),
  update: (marks, { docChanged, newDoc }) => (docChanged ? markTokens(newDoc) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

export const setProblems = StateEffect.define<readonly YamlProblem[]>();

/** Marks the lines of the problems. They move with the text until it is checked again. */
export const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, changes, effects, newDoc }) {
    const [effect] = effects.filter((each) => each.is(setProblems)).slice(-1);
    if (effect) return markProblems(effect.value, newDoc);
    return docChanged ? marks.map(changes) : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Offset of a line and column, clamped to the text. */
export function findOffset(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.max(1, Math.min(doc.lines, line)));
  return Math.min(found.to, found.from + Math.max(0, column - 1));
}

function markProblems(problems: readonly YamlProblem[], doc: Text): DecorationSet {
  const ranges = problems.flatMap(({ line, column }) => {
    if (line === null) return [];
    const at = findOffset(doc, line, column ?? 1);
    const row = doc.lineAt(at);
    const from = Math.min(at, Math.max(row.from, row.to - 1));
    return [PROBLEM_LINE.range(row.from), ...(from < row.to ? [PROBLEM.range(from, row.to)] : [])];
  });
  return Decoration.set(ranges, true);
}
