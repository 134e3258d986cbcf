import type { SurahsBody } from "@player/service/contract/library";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { SelectField } from "../../design/fields.tsx";
import { hifzPhrases } from "./hifz-phrases.ts";

interface SurahFieldProps {
  label: string;
  body: SurahsBody;
  value: number;
  onChange: (surah: number) => void;
}

export function SurahField({ label, body, value, onChange }: SurahFieldProps) {
  const language = useLanguage();
  const { missing } = usePhrases(hifzPhrases);
  const names = language === "ar" ? body.names_ar : body.names;
  const options = names.map((name, at) => {
    const numbered = `${formatDigits(String(at + 1), language)}. ${name}`;
    return { value: String(at + 1), label: body.available[at] ? numbered : fill(missing, { name: numbered }) };
  });
  return (
    <SelectField
      label={label}
      value={String(value)}
      options={options}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}
