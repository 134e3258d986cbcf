import { usePhrases } from "../../../app/language/language-context.tsx";
import type { TechniqueState } from "./attack-client.ts";
import { attackPhrases } from "./attack-phrases.ts";

const STATES: readonly TechniqueState[] = ["ran", "waiting", "silent", "none"];

/** Explains shade, hatching and outline. */
export function AttackLegend() {
  const words = usePhrases(attackPhrases);
  return (
    <ul className="attack-legend" aria-label={words.legend}>
      {STATES.map((state) => (
        <li key={state}>
          <span
            className={state === "ran" ? "attack-swatch attack-ran attack-shade-2" : `attack-swatch attack-${state}`}
          />
          {words.legends[state]}
          {state === "ran" && ` ${words.darkerLegend}`}
        </li>
      ))}
      <li>
        <span className="attack-swatch attack-none attack-alerted" />
        {words.alertedLegend}
      </li>
    </ul>
  );
}
