import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { FavoriteHeart } from "../../app/favorites/favorite-heart.tsx";
import { formatDigits } from "../../app/language/times.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { Icon } from "../../design/icons.tsx";
import { libraryPhrases } from "./library-phrases.ts";

interface SurahCellProps {
  reciter: string;
  surah: number;
  arabic: string;
  latin: string;
  /** Null when the reciter does not have it. */
  path: string | null;
}

/** Scroll target of the juz jump. */
export function buildCellId(surah: number): string {
  return `surah-${surah}`;
}

export function SurahCell({ reciter, surah, arabic, latin, path }: SurahCellProps) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(libraryPhrases);
  const transport = useTransport();
  const { state, reciter: playingReciter, surah_number } = live.playback.view.value ?? { state: "stopped" };
  const isCurrent = state !== "stopped" && playingReciter === reciter && surah_number === surah;
  const turn = state === "paused" ? "resume" : "pause";
  const name = language === "ar" ? arabic : latin;

  function press(): void {
    if (isCurrent) transport.toggle();
    else if (path !== null) void transport.playFile(path, { reciter, surah_number: surah });
  }

  return (
    <li id={buildCellId(surah)} class={`surah ${isCurrent ? "surah-current" : ""}`} tabIndex={-1}>
      <button
        type="button"
        class="surah-play"
        aria-current={isCurrent || undefined}
        disabled={path === null}
        onClick={press}
      >
        {path !== null && <span class="screen-reader-only">{phrases[isCurrent ? turn : "play"]} </span>}
        <span class="surah-number">
          {isCurrent ? <Icon name={turn === "pause" ? "pause" : "play"} /> : formatDigits(String(surah), language)}
        </span>
        <span class="surah-names">
          <span class="surah-arabic" lang="ar" dir="rtl">
            {arabic}
          </span>
          <span class="surah-below">
            <span class="surah-latin" lang="en" dir="ltr">
              {latin}
            </span>
            {path === null && <span class="surah-missing">{phrases.missing}</span>}
            {isCurrent && <span class="surah-playing">{phrases.playing}</span>}
          </span>
        </span>
      </button>
      {path !== null && <FavoriteHeart target={{ type: "surah", reciter, surah }} name={name} hasLock={false} />}
    </li>
  );
}
