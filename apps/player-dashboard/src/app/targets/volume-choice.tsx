import { Slider, Switch } from "../../design/fields.tsx";
import { Icon } from "../../design/icons.tsx";
import { useApp, useLanguage, usePhrases } from "../app.ts";
import { numberWords } from "../language/numbers.ts";
import { targetsPhrases } from "./targets-phrases.ts";

export interface VolumeChoiceProps {
  label: string;
  hint: string;
  /** Undefined leaves the volume unchanged. */
  volume: number | undefined;
  onChange: (volume: number | undefined) => void;
}

/** An optional volume. */
export function VolumeChoice({ label, hint, volume, onChange }: VolumeChoiceProps) {
  const { live } = useApp();
  const phrases = usePhrases(targetsPhrases);
  const language = useLanguage();
  const usual = live.playback.view.value?.volume ?? 50;
  return (
    <div>
      <Switch
        label={label}
        hint={hint}
        isOn={volume !== undefined}
        onChange={(isOn) => onChange(isOn ? usual : undefined)}
      />
      {volume !== undefined && (
        <Slider
          label={phrases.volume}
          min={0}
          max={live.settings.view.value?.max_volume ?? 100}
          value={volume}
          valueText={numberWords(volume, language)}
          onInput={onChange}
          before={<Icon name="volume" />}
        />
      )}
    </div>
  );
}
