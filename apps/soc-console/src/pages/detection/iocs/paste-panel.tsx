import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { focusHeading } from "../../../app/page/focus-heading.ts";
import { FailedPart } from "../../../app/page/page.tsx";
import { TextArea } from "../../../design/field.tsx";
import { AddFound } from "./add-found.tsx";
import { CheckedList } from "./checked-list.tsx";
import { findIndicators } from "./find-indicators.ts";
import { type CheckState, checkIocs, iocKeys, MAX_CHECKED } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";
import { useDebouncedText } from "./use-debounced-text.ts";

const STATES: readonly CheckState[] = ["new", "known", "warned", "refused"];

/** Extracts indicators from any text, previews storing them, and stores the selected ones. */
export function PastePanel({ onAdded }: { onAdded: () => void }) {
  const words = usePhrases(iocsPhrases);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const settled = useDebouncedText(text);
  const found = useMemo(() => findIndicators(settled), [settled]);
  useCommands([
    { id: "iocs.paste", label: words.paste, group: words.title, keys: ["n"], run: () => field.current?.focus() },
  ]);
  return (
    <section className="iocs-paste" aria-label={words.paste}>
      <TextArea
        ref={field}
        label={words.paste}
        isLabelHidden
        rows={text.includes("\n") ? 4 : 1}
        spellCheck={false}
        dir="ltr"
        placeholder={words.pasteHint}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && focusHeading()}
      />
      {settled.trim() !== "" && found.length === 0 && <p className="soft">{words.nothingFound}</p>}
      {found.length > 0 && (
        <Found
          values={found}
          onAdded={() => {
            setText("");
            onAdded();
          }}
        />
      )}
    </section>
  );
}

function Found({ values, onAdded }: { values: readonly string[]; onAdded: () => void }) {
  const words = usePhrases(iocsPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const checked = useMemo(() => values.slice(0, MAX_CHECKED), [values]);
  const { data, error, refetch } = useQuery({
    queryKey: [...iocKeys.all, "check", checked],
    queryFn: ({ signal }) => checkIocs(server, checked, signal),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  if (error) return <FailedPart error={error} onRetry={() => void refetch()} />;
  const items = data?.items ?? [];
  const count = (state: CheckState) => items.filter((item) => item.state === state).length;
  const parts = STATES.filter((state) => count(state) > 0).map((state) =>
    numbers.count(count(state), words.checked[state]),
  );
  return (
    <>
      <p role="status" className="iocs-found">
        <strong>{numbers.count(values.length, words.found)}</strong> {parts.join(" · ")}
        {values.length > MAX_CHECKED && ` · ${fill(words.onlyFirst, { count: MAX_CHECKED })}`}
      </p>
      <CheckedList items={items} />
      <AddFound items={items} onAdded={onAdded} />
    </>
  );
}
