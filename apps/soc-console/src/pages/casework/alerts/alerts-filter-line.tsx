import { type KeyboardEvent, useRef, useState } from "react";
import { leaveField } from "../../../app/keys/leave-field.ts";
import { fill, isolated, useLanguage, usePhrases } from "../../../app/language/language-context.tsx";
import { Chip } from "../../../design/chip.tsx";
import { FILTER_FIELDS, removeTerm, STATUSES, splitFilter } from "./alert-filter.ts";
import { alertsPhrases } from "./alerts-phrases.ts";

export const FILTER_ID = "alerts-filter";
const FIELDS_ID = "alerts-filter-fields";

export interface FilterLineProps {
  text: string;
  /** The error message of the service for this filter. */
  refusal: string | undefined;
  onChange: (text: string) => void;
}

/** The filter as chips and text. Entered text becomes a chip; Backspace at the start turns a chip back into text. */
export function AlertsFilterLine({ text, refusal, onChange }: FilterLineProps) {
  const words = usePhrases(alertsPhrases);
  const { direction } = useLanguage();
  const [draft, setDraft] = useState("");
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const terms = splitFilter(text);

  const join = (added: string) => [text, added].filter((part) => part !== "").join(" ");
  const submit = async () => {
    const added = draft.trim();
    if (added === "") return field.current ? leaveField(field.current) : undefined;
    // The parser loads when the user first types a filter.
    const { checkFilter } = await import("./alert-filter-check.ts");
    const [wrong] = checkFilter(join(added));
    if (wrong) return setProblem(wrong.message);
    setDraft("");
    setProblem(undefined);
    onChange(join(added));
  };
  const takeLast = () => {
    const last = terms.at(-1);
    if (!last) return;
    setDraft(last.text);
    onChange(removeTerm(text, terms.length - 1));
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0;
    if (event.key === "Enter") void submit();
    else if (event.key === "Backspace" && isAtStart) takeLast();
    else if (event.key === "Escape") {
      setDraft("");
      setProblem(undefined);
      leaveField(event.currentTarget);
    } else return;
    event.preventDefault();
  };
  const shown = problem ?? refusal;
  return (
    <div className="alerts-filter">
      <div className={shown ? "alerts-filter-box alerts-filter-wrong" : "alerts-filter-box"} dir="ltr">
        {terms.map((term, index) => (
          <Chip
            // biome-ignore lint/suspicious/noArrayIndexKey: a term is its place.
            key={index}
            field={term.field === undefined ? undefined : `${term.isNegated ? "NOT " : ""}${term.field}`}
            value={term.field === undefined ? term.text : term.value}
            removeLabel={fill(words.removeTerm, { term: isolated(term.text) })}
            onRemove={() => onChange(removeTerm(text, index))}
          />
        ))}
        <input
          ref={field}
          id={FILTER_ID}
          className="alerts-filter-text"
          dir={draft === "" ? direction : "ltr"}
          aria-label={words.filter}
          aria-invalid={shown !== undefined}
          aria-describedby={shown === undefined ? undefined : `${FILTER_ID}-problem`}
          placeholder={words.filterHint}
          list={FIELDS_ID}
          spellCheck={false}
          autoComplete="off"
          maxLength={2000}
          value={draft}
          onChange={(event) => {
            setDraft(event.target.value);
            setProblem(undefined);
          }}
          onKeyDown={press}
        />
        <datalist id={FIELDS_ID}>
          {FILTER_FIELDS.map((name) => (
            <option key={name} value={`${name}:`} />
          ))}
          {STATUSES.map((status) => (
            <option key={status} value={`status:${status}`} />
          ))}
        </datalist>
      </div>
      {shown !== undefined && (
        <p id={`${FILTER_ID}-problem`} className="alerts-filter-problem" role="alert">
          {fill(words.wrongFilter, { reason: shown })}
        </p>
      )}
    </div>
  );
}
