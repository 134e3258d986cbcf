import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { checkQuery, type QueryProblem } from "@kit/query/query-check";
import { type Token, tokenize } from "@kit/query/query-syntax";

const MARKS = {
  field: Decoration.mark({ class: "query-field" }),
  operator: Decoration.mark({ class: "query-operator" }),
  sign: Decoration.mark({ class: "query-sign" }),
  quoted: Decoration.mark({ class: "query-quoted" }),
};
const PROBLEM = Decoration.mark({ class: "query-problem" });

function findMark(token: Token): Decoration | undefined {
  if (token.kind === "field") return MARKS.field;
  if (token.kind === "value") return token.isQuoted ? MARKS.quoted : undefined;
  if (token.kind === "end") return undefined;
  return /^[A-Z]+$/.test(token.kind) ? MARKS.operator : MARKS.sign;
}

/** The tokens of a query; on a syntax error, those before its position. */
function readTokens(text: string): Token[] {
  for (let end = text.length; ; ) {
    try {
      return tokenize(text.slice(0, end));
    } catch {
      // The parser reports the position. The text before it is valid, unless the cut opened something.
      const place = checkQuery(text.slice(0, end))[0]?.from ?? 0;
      if (place >= end || place === 0) return [];
      end = place;
    }
  }
}

function markTokens(text: string): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const token of readTokens(text)) {
    const mark = findMark(token);
    if (mark) builder.add(token.place, token.end, mark);
  }
  return builder.finish();
}

/** Colours the tokens. A query has at most a few thousand characters, so all of it is tokenized after each change. */
export const tokenMarks = StateField.define<DecorationSet>({
  create: (state) => markTokens(state.doc.toString()),
  update: (marks, { docChanged, newDoc }) => (docChanged ? markTokens(newDoc.toString()) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

export const setProblem = StateEffect.define<QueryProblem | undefined>();

/** Underlines the problem. It disappears with the next change, until the query is checked again. */
export const problemMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, newDoc }) {
    const [effect] = effects.filter((each) => each.is(setProblem)).slice(-1);
    if (!effect) return docChanged ? Decoration.none : marks;
    return effect.value ? markProblem(effect.value, newDoc.length) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A problem at the end of the text has no width: underline the last character. */
function markProblem({ from, to }: QueryProblem, length: number): DecorationSet {
  const start = Math.min(from, Math.max(0, length - 1));
  const end = Math.min(Math.max(to, start + 1), length);
  return start < end ? Decoration.set([PROBLEM.range(start, end)]) : Decoration.none;
}
