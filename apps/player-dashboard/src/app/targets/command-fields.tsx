import type { CommandTarget } from "@player/service/contract/target";
import { SelectField, Slider, Stepper } from "../../design/fields.tsx";
import { useLanguage, usePhrases } from "../app.ts";
import { numberWords } from "../language/numbers.ts";
import { ModeFields } from "./mode-fields.tsx";
import type { DraftProps } from "./target-draft.ts";
import { targetsPhrases } from "./targets-phrases.ts";

const COMMANDS = [
  "toggle",
  "pause",
  "stop",
  "next",
  "prev",
  "volume",
  "mode",
  "sleep_timer",
] as const satisfies readonly CommandTarget["command"][];

export function CommandFields({ draft, change }: DraftProps) {
  const phrases = usePhrases(targetsPhrases);
  const language = useLanguage();
  return (
    <>
      <SelectField
        label={phrases.command}
        value={draft.command}
        options={COMMANDS.map((command) => ({ value: command, label: phrases.commands[command] }))}
        onChange={(command) => change({ command })}
      />
      {draft.command === "volume" && (
        <Slider
          label={phrases.volume}
          min={0}
          max={100}
          value={draft.commandVolume}
          valueText={numberWords(draft.commandVolume, language)}
          onInput={(commandVolume) => change({ commandVolume })}
        />
      )}
      {draft.command === "sleep_timer" && (
        <Stepper
          label={phrases.minutes}
          min={0}
          max={240}
          step={5}
          value={draft.minutes}
          onChange={(minutes) => change({ minutes })}
        />
      )}
      {draft.command === "mode" && <ModeFields mode={draft.mode} onChange={(mode) => change({ mode })} />}
    </>
  );
}
