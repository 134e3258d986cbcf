import { useLanguage, usePhrases } from "../../app/app.ts";
import type { Language } from "../../app/language/language.ts";
import { counted } from "../../app/language/numbers.ts";
import { VolumeChoice } from "../../app/targets/volume-choice.tsx";
import { SelectField, TextField } from "../../design/fields.tsx";
import { schedulesPhrases } from "./schedules-phrases.ts";
import type { ScheduleFieldsProps } from "./when-fields.tsx";

const FADES_S = [0, 10, 30, 60, 120, 300, 600] as const;
const DURATIONS_MIN = [0, 5, 10, 15, 30, 45, 60, 90, 120, 180, 240] as const;

export function HowFields({ draft, change }: ScheduleFieldsProps) {
  const phrases = usePhrases(schedulesPhrases);
  const language = useLanguage();
  const minutes = (count: number) => counted(count, phrases.inMinutes, language);
  return (
    <div class="schedule-how">
      <TextField
        label={phrases.name}
        hint={phrases.nameHint}
        maxLength={100}
        value={draft.name}
        onInput={(name) => change({ name })}
      />
      <VolumeChoice
        label={phrases.ownVolume}
        hint={phrases.ownVolumeHint}
        volume={draft.volume}
        onChange={(volume) => change({ volume })}
      />
      <SelectField
        label={phrases.fadeIn}
        hint={phrases.fadeInHint}
        value={String(draft.fade_in_s)}
        options={withChosen(FADES_S, draft.fade_in_s).map((seconds) => ({
          value: String(seconds),
          label: seconds === 0 ? phrases.noFadeIn : fadeWords(seconds, language),
        }))}
        onChange={(seconds) => change({ fade_in_s: Number(seconds) })}
      />
      <SelectField
        label={phrases.duration}
        value={String(draft.duration_min)}
        options={withChosen(DURATIONS_MIN, draft.duration_min).map((count) => ({
          value: String(count),
          label: count === 0 ? phrases.untilEnd : minutes(count),
        }))}
        onChange={(count) => change({ duration_min: Number(count) })}
      />
    </div>
  );
}

/** A value set by another client may not be among the options. */
function withChosen(usual: readonly number[], chosen: number): readonly number[] {
  return usual.includes(chosen) ? usual : [...usual, chosen].toSorted((one, other) => one - other);
}

function fadeWords(seconds: number, language: Language): string {
  const { inSeconds, inMinutes } = schedulesPhrases[language];
  return seconds % 60 === 0 ? counted(seconds / 60, inMinutes, language) : counted(seconds, inSeconds, language);
}
