import { useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { formatDigits } from "../../app/language/times.ts";
import { Choice, Stepper } from "../../design/fields.tsx";
import { type Drill, MAX_PAUSE_S, MAX_ROUNDS } from "./drill.ts";
import { hifzPhrases } from "./hifz-phrases.ts";

const OF_ONE = [3, 5, 10, 0] as const;
const OF_EACH = [1, 3, 5, 10] as const;
const PAUSES = [0, 10, 30, 60] as const;
const PAUSE_STEP_S = 5;

/** The usual numbers as options, and any other by steps. */
export function HearingsField({ drill, onChange }: { drill: Drill; onChange: (repeat: number) => void }) {
  const language = useLanguage();
  const phrases = usePhrases(hifzPhrases);
  const isRange = drill.scope === "range";
  const isEndless = drill.repeat === 0;
  const options = (isRange ? OF_EACH : OF_ONE).map((count) => ({
    value: String(count),
    label: count === 0 ? phrases.endless : formatDigits(String(count), language),
  }));
  return (
    <div class="drill-number">
      <Choice
        label={isRange ? phrases.repeatsEach : phrases.repeats}
        value={String(drill.repeat)}
        options={options}
        onChange={(count) => onChange(Number(count))}
      />
      {!isEndless && (
        <Stepper
          label={phrases.exactly}
          value={drill.repeat}
          min={1}
          max={MAX_ROUNDS}
          valueText={counted(drill.repeat, phrases.times, language)}
          onChange={onChange}
        />
      )}
    </div>
  );
}

export function SilenceField({ pause_s, onChange }: { pause_s: number; onChange: (pause_s: number) => void }) {
  const language = useLanguage();
  const phrases = usePhrases(hifzPhrases);
  const words = (seconds: number) => (seconds === 0 ? phrases.noSilence : counted(seconds, phrases.seconds, language));
  return (
    <div class="drill-number">
      <Choice
        label={phrases.silence}
        hint={phrases.silenceHint}
        value={String(pause_s)}
        options={PAUSES.map((seconds) => ({ value: String(seconds), label: words(seconds) }))}
        onChange={(seconds) => onChange(Number(seconds))}
      />
      <Stepper
        label={phrases.exactly}
        value={pause_s}
        min={0}
        max={MAX_PAUSE_S}
        step={PAUSE_STEP_S}
        valueText={words(pause_s)}
        onChange={onChange}
      />
    </div>
  );
}
