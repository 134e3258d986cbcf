import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { libraryPhrases } from "./library-phrases.ts";

/** The progress of the card scan. */
export function Scanning({ isScanning }: { isScanning: boolean }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(libraryPhrases);
  const news = live.library.value;
  const isOn = news?.scanning ?? isScanning;
  return (
    <div role="status">
      {isOn && (
        <p class="scanning">
          {fill(phrases.scanning, {
            reciters: counted(news?.reciters ?? 0, phrases.recitersCount, language),
            surahs: counted(news?.surahs ?? 0, phrases.surahs, language),
          })}
          <span class="waiting" />
        </p>
      )}
    </div>
  );
}
