import { usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { Choice, SelectField, Stepper, Switch, TextField } from "../../design/fields.tsx";
import { DayFields } from "./day-fields.tsx";
import type { ScheduleDraft } from "./schedule-draft.ts";
import { schedulesPhrases } from "./schedules-phrases.ts";

export interface ScheduleFieldsProps {
  draft: ScheduleDraft;
  change: (changed: Partial<ScheduleDraft>) => void;
}

export function WhenFields({ draft, change }: ScheduleFieldsProps) {
  const phrases = usePhrases(schedulesPhrases);
  return (
    <div class="stack">
      <Choice
        label={phrases.kind}
        value={draft.kind}
        options={[
          { value: "clock", label: phrases.kindClock },
          { value: "prayer", label: phrases.kindPrayer },
        ]}
        onChange={(kind) => change({ kind })}
      />
      {draft.kind === "clock" ? (
        <TextField type="time" label={phrases.time} value={draft.time} onInput={(time) => change({ time })} />
      ) : (
        <PrayerFields draft={draft} change={change} />
      )}
      <DayFields days={draft.days} onChange={(days) => change({ days })} />
      <Switch label={phrases.once} hint={phrases.onceHint} isOn={draft.once} onChange={(once) => change({ once })} />
    </div>
  );
}

function PrayerFields({ draft, change }: ScheduleFieldsProps) {
  const phrases = usePhrases(schedulesPhrases);
  const { prayers } = usePhrases(commonPhrases);
  return (
    <>
      <SelectField
        label={phrases.prayer}
        value={String(draft.prayer)}
        options={prayers.map((name, at) => ({ value: String(at), label: name }))}
        onChange={(prayer) => change({ prayer: Number(prayer) })}
      />
      <Choice
        label={phrases.side}
        value={draft.side}
        options={[
          { value: "before", label: phrases.before },
          { value: "at", label: phrases.at },
          { value: "after", label: phrases.after },
        ]}
        onChange={(side) => change({ side })}
      />
      {draft.side !== "at" && (
        <Stepper
          label={phrases.minutes}
          min={1}
          max={120}
          step={draft.minutes < 5 ? 1 : 5}
          value={draft.minutes}
          onChange={(minutes) => change({ minutes })}
        />
      )}
    </>
  );
}
