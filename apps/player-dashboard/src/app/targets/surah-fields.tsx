import type { RecitersBody, SurahsBody } from "@player/service/contract/library";
import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { SelectField } from "../../design/fields.tsx";
import { useApp, useLanguage, usePhrases, useResource } from "../app.ts";
import type { Language } from "../language/language.ts";
import { formatDigits } from "../language/times.ts";
import { createResource, lastOf } from "../live/resource.ts";
import { Loaded } from "../status/loaded.tsx";
import type { DraftProps } from "./target-draft.ts";
import { targetsPhrases } from "./targets-phrases.ts";

export function SurahFields({ draft, change }: DraftProps) {
  const { live } = useApp();
  const phrases = usePhrases(targetsPhrases);
  const reading = useResource(live.reciters);
  const reciters = lastOf(reading)?.reciters;
  const only = reciters?.length === 1 ? reciters[0]?.name : undefined;
  useEffect(() => {
    // With a single option there is nothing to choose.
    if (only !== undefined && draft.reciter === "") change({ reciter: only });
  }, [only, draft.reciter, change]);
  return (
    <Loaded reading={reading} refresh={live.reciters.refresh}>
      {({ reciters }) =>
        reciters.length === 0 && draft.reciter === "" ? (
          <p class="field-hint">{phrases.noReciters}</p>
        ) : (
          <div class="field-pair">
            <SelectField
              label={phrases.reciter}
              value={draft.reciter}
              options={[
                { value: "", label: phrases.choose, disabled: true },
                ...reciterOptions(reciters, draft.reciter),
              ]}
              onChange={(reciter) => change({ reciter })}
            />
            <SurahOfReciter key={draft.reciter} draft={draft} change={change} />
          </div>
        )
      }
    </Loaded>
  );
}

/** A reciter whose folder is missing stays selectable: the card may be reinserted. */
function reciterOptions(reciters: RecitersBody["reciters"], chosen: string) {
  const names = reciters.map(({ name }) => name);
  const all = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  return all.map((name) => ({ value: name, label: name }));
}

function SurahOfReciter({ draft, change }: DraftProps) {
  const { api } = useApp();
  const phrases = usePhrases(targetsPhrases);
  const language = useLanguage();
  const surahs = useMemo(
    () =>
      createResource(
        async () =>
          draft.reciter === ""
            ? undefined
            : await api.get<SurahsBody>(`/library/surahs?reciter=${encodeURIComponent(draft.reciter)}`),
        signal(0),
      ),
    [api, draft.reciter],
  );
  const available = lastOf(useResource(surahs))?.available;
  const isMissing = (at: number) => available?.[at] === false && draft.surah !== at + 1;
  return (
    <SurahSelect
      label={phrases.surah}
      surah={draft.surah}
      isMissing={isMissing}
      language={language}
      onChange={(surah) => change({ surah })}
    />
  );
}

export interface SurahSelectProps {
  label: string;
  /** 0 while none is chosen. */
  surah: number;
  isMissing?: (at: number) => boolean;
  language: Language;
  onChange: (surah: number) => void;
}

export function SurahSelect({ label, surah, isMissing, language, onChange }: SurahSelectProps) {
  const { choose } = usePhrases(targetsPhrases);
  const names = language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES;
  const options = names.map((name, at) => ({
    value: String(at + 1),
    label: `${formatDigits(String(at + 1), language)}. ${name}`,
    disabled: isMissing?.(at) ?? false,
  }));
  return (
    <SelectField
      label={label}
      value={String(surah)}
      options={surah === 0 ? [{ value: "0", label: choose, disabled: true }, ...options] : options}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
