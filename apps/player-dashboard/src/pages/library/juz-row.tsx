import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { JUZ_STARTS } from "./juz.ts";
import { libraryPhrases } from "./library-phrases.ts";
import { buildCellId } from "./surah-cell.tsx";

/** Goes to the surah in which a juz begins. */
export function JuzRow() {
  const language = useLanguage();
  const phrases = usePhrases(libraryPhrases);
  const digits = (value: number) => formatDigits(String(value), language);
  const names = language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES;

  function jump(surah: number): void {
    const cell = document.getElementById(buildCellId(surah));
    cell?.scrollIntoView({ block: "start" });
    // So that Tab continues from here and a screen reader announces the position.
    const button = cell?.querySelector<HTMLElement>("button:enabled");
    (button ?? cell)?.focus({ preventScroll: true });
  }

  return (
    <nav class="juz" aria-label={phrases.juz}>
      <p class="field-label" aria-hidden="true">
        {phrases.juz}
      </p>
      <ol class="juz-row">
        {JUZ_STARTS.map(([surah, verse], at) => {
          const juz = digits(at + 1);
          const label = fill(phrases.juzStart, { juz, surah: names[surah - 1] ?? "", verse: digits(verse) });
          return (
            <li key={juz}>
              <button type="button" class="juz-button" aria-label={label} title={label} onClick={() => jump(surah)}>
                {juz}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
