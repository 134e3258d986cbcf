import { usePhrases } from "../../app/app.ts";
import { instantPhrases } from "../../app/time/instant-phrases.ts";
import { Button } from "../../design/button.tsx";
import { hasDay } from "./schedule-words.ts";
import { schedulesPhrases } from "./schedules-phrases.ts";

const EVERY_DAY = 0b1111111;
const FRIDAY = 0b0100000;
const MONDAY_THURSDAY = 0b0010010;
const SUNDAY_TO_THURSDAY = 0b0011111;

export interface DayFieldsProps {
  /** Bit 0 is Sunday. */
  days: number;
  onChange: (days: number) => void;
}

export function DayFields({ days, onChange }: DayFieldsProps) {
  const phrases = usePhrases(schedulesPhrases);
  const { weekdays } = usePhrases(instantPhrases);
  const presets = [
    { days: EVERY_DAY, label: phrases.everyDay },
    { days: FRIDAY, label: phrases.friday },
    { days: MONDAY_THURSDAY, label: phrases.mondayThursday },
    { days: SUNDAY_TO_THURSDAY, label: phrases.sundayToThursday },
  ];
  return (
    <>
      <fieldset class="choice">
        <legend class="field-label">{phrases.days}</legend>
        <div class="day-toggles">
          {weekdays.map((name, day) => (
            <label key={name} class="choice-option">
              <input
                type="checkbox"
                checked={hasDay(days, day)}
                aria-label={name}
                onChange={() => onChange(days ^ (1 << day))}
              />
              <span>{phrases.shortWeekdays[day]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset class="day-presets">
        <legend class="screen-reader-only">{phrases.presets}</legend>
        {presets.map((preset) => (
          <Button key={preset.days} onClick={() => onChange(preset.days)} disabled={preset.days === days}>
            {preset.label}
          </Button>
        ))}
      </fieldset>
    </>
  );
}
