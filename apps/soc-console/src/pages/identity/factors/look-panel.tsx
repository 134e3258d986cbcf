import { useState } from "react";
import { LANGUAGE_NAMES, type Language } from "../../../app/language/language.ts";
import { useLanguage, usePhrases } from "../../../app/language/language-context.tsx";
import { chooseDensity, chooseTheme, DENSITIES, readDensity, readTheme, THEMES } from "../../../app/theme/theme.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { SelectField } from "../../../design/field.tsx";
import { Panel } from "../../../design/panel.tsx";
import { mePhrases } from "./me-phrases.ts";

const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: "en", label: LANGUAGE_NAMES.en },
  { value: "ar", label: LANGUAGE_NAMES.ar },
];

/** Appearance of the console in this browser. */
export function LookPanel() {
  const words = usePhrases(mePhrases);
  const { language, choose } = useLanguage();
  const { zone, toggleZone } = useTime();
  const [theme, setTheme] = useState(readTheme);
  const [density, setDensity] = useState(readDensity);
  const zoneName = zone === "UTC" ? "utc" : "browser";
  return (
    <Panel title={words.look} aside={words.lookHint}>
      <div className="factors-look">
        <SelectField label={words.language} options={LANGUAGES} value={language} onChange={choose} />
        <SelectField
          label={words.theme}
          options={THEMES.map((value) => ({ value, label: words.themes[value] }))}
          value={theme}
          onChange={(wanted) => {
            chooseTheme(wanted);
            setTheme(wanted);
          }}
        />
        <SelectField
          label={words.density}
          options={DENSITIES.map((value) => ({ value, label: words.densities[value] }))}
          value={density}
          onChange={(wanted) => {
            chooseDensity(wanted);
            setDensity(wanted);
          }}
        />
        <SelectField
          label={words.zone}
          options={[
            { value: "utc", label: words.zones.utc },
            { value: "browser", label: words.zones.browser },
          ]}
          value={zoneName}
          onChange={(wanted) => {
            if (wanted !== zoneName) toggleZone();
          }}
        />
      </div>
    </Panel>
  );
}
