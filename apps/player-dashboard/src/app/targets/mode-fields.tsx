import { SelectField, Stepper } from "../../design/fields.tsx";
import { useLanguage, usePhrases } from "../app.ts";
import { counted } from "../language/numbers.ts";
import { formatDigits } from "../language/times.ts";
import { SurahSelect } from "./surah-fields.tsx";
import type { ModeDraft } from "./target-draft.ts";
import { targetsPhrases } from "./targets-phrases.ts";

const MODES = ["off", "continuous", "repeat_one", "hifz_repeat", "hifz_ab"] as const;

export interface ModeFieldsProps {
  mode: ModeDraft;
  onChange: (mode: ModeDraft) => void;
  /** Adds the option to leave the mode unchanged. */
  hasSame?: boolean;
}

export function ModeFields({ mode, onChange, hasSame = false }: ModeFieldsProps) {
  const phrases = usePhrases(targetsPhrases);
  const same = { value: "same", label: hasSame ? phrases.sameMode : phrases.choose, disabled: !hasSame } as const;
  const modes = MODES.map((each) => ({ value: each, label: phrases.modes[each] }));
  const isHifz = mode.mode === "hifz_repeat" || mode.mode === "hifz_ab";
  return (
    <>
      <SelectField
        label={phrases.mode}
        value={mode.mode}
        options={[same, ...modes]}
        onChange={(chosen) => onChange({ ...mode, mode: chosen })}
      />
      {isHifz && <HifzFields mode={mode} onChange={onChange} />}
    </>
  );
}

function HifzFields({ mode, onChange }: Pick<ModeFieldsProps, "mode" | "onChange">) {
  const phrases = usePhrases(targetsPhrases);
  const language = useLanguage();
  const isRange = mode.mode === "hifz_ab";
  const least = isRange ? 1 : 0;
  const repeat = Math.max(least, mode.repeat);
  const change = (changed: Partial<ModeDraft>) => onChange({ ...mode, ...changed });
  return (
    <>
      {isRange && (
        <div class="field-pair">
          <SurahSelect
            label={phrases.from}
            surah={mode.from}
            language={language}
            onChange={(from) => change({ from, to: Math.max(from, mode.to) })}
          />
          <SurahSelect
            label={phrases.to}
            surah={mode.to}
            language={language}
            onChange={(to) => change({ to, from: Math.min(to, mode.from) })}
          />
        </div>
      )}
      <Stepper
        label={phrases.repeats}
        {...(!isRange && { hint: phrases.repeatsHint })}
        min={least}
        max={1000}
        value={repeat}
        valueText={repeat === 0 ? phrases.endless : formatDigits(String(repeat), language)}
        onChange={(chosen) => change({ repeat: chosen })}
      />
      <Stepper
        label={phrases.silence}
        hint={phrases.silenceHint}
        min={0}
        max={600}
        step={5}
        value={mode.pause_s}
        valueText={counted(mode.pause_s, phrases.seconds, language)}
        onChange={(pause_s) => change({ pause_s })}
      />
    </>
  );
}
