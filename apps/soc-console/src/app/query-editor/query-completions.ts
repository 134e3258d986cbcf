import type { CompletionSource, Completion as EditorCompletion } from "@codemirror/autocomplete";
import { queryCompletion } from "@kit/query/query-completion";
import type { Completion, QueryEditorProps } from "./query-editor-props.ts";
import { findPlace, quoteValue } from "./query-place.ts";

const LANGUAGE = queryCompletion();
const OPERATORS = LANGUAGE.operators.filter(({ text }) => /^[A-Z]+$/.test(text));

/** Completions of the language itself: fields, operators, and values of fields that have few. */
function knownCompletions(field: string | undefined, fields: readonly string[] | undefined): Completion[] {
  if (field !== undefined) {
    const values = LANGUAGE.fields.find(({ name }) => name === field)?.values ?? [];
    return values.map((label) => ({ label, kind: "value" }));
  }
  const named: Completion[] = fields
    ? fields.map((label) => ({ label, kind: "field" }))
    : LANGUAGE.fields.map(({ name, type }) => ({ label: name, kind: "field", detail: type }));
  return [
    ...named,
    ...OPERATORS.map(({ text, meaning }) => ({ label: text, kind: "operator" as const, detail: meaning })),
  ];
}

function toInserted({ label, kind, apply }: Completion): string {
  if (apply !== undefined) return apply;
  if (kind === "value") return quoteValue(label);
  if (kind === "operator") return `${label} `;
  return label.endsWith(".") ? label : `${label}:`;
}

function toEditorCompletion(completion: Completion): EditorCompletion {
  const { label, detail, kind } = completion;
  return { label, type: kind, apply: toInserted(completion), ...(detail !== undefined && { detail }) };
}

/** Completes from the language first, then from the page. A failure of the page affects only its own suggestions. */
export function createCompletionSource(read: () => Pick<QueryEditorProps, "complete" | "fields">): CompletionSource {
  return async ({ state, pos, explicit }) => {
    const query = state.doc.toString();
    const { field, prefix, from } = findPlace(query, pos);
    if (!explicit && field === undefined && prefix === "") return null;
    const { complete, fields } = read();
    const known = knownCompletions(field, fields);
    const further = await readFurther(() => complete?.({ field, prefix, query, place: pos }));
    const fresh = further.filter(({ label }) => !known.some((each) => each.label === label));
    const options = [...known, ...fresh].map(toEditorCompletion);
    return options.length === 0 ? null : { from, options, validFor: /^"?[^\s()":]*$/ };
  };
}

async function readFurther(complete: () => ReturnType<NonNullable<QueryEditorProps["complete"]>> | undefined) {
  try {
    return (await complete()) ?? [];
  } catch (error) {
    reportError(error);
    return [];
  }
}
