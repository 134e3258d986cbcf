import type { PlaybackStatus } from "@player/service/contract/playback";
import { Ring } from "../../design/layout.tsx";
import { useLanguage, usePhrases } from "../app.ts";
import { counted } from "../language/numbers.ts";
import { digitsOf } from "../language/times.ts";
import { fill } from "../language/translations.ts";
import { sourceTitleOf } from "./heard.ts";
import { playbackPhrases } from "./playback-phrases.ts";
import "./hifz-ring.css";

/** How many hearings are done. An endless drill has no whole, so its ring stays open. */
export function HifzRing({ status }: { status: PlaybackStatus }) {
  const language = useLanguage();
  const phrases = usePhrases(playbackPhrases);
  if (!status.hifz) return null;
  const { repeat_done, repeat_target, ab_start, ab_end } = status.hifz;
  const done = digitsOf(String(repeat_done), language);
  const target = digitsOf(String(repeat_target), language);
  const isEndless = repeat_target === 0;
  const nameOf = (surah: number) => sourceTitleOf({ type: "surah", reciter: "", surah }, language);
  return (
    <div class="hifz-ring">
      <Ring
        share={isEndless ? 0 : repeat_done / repeat_target}
        label={
          isEndless ? counted(repeat_done, phrases.heardSoFar, language) : fill(phrases.hearings, { done, target })
        }
      >
        <span class="hifz-ring-done">{done}</span>
        <span class="hifz-ring-target">{isEndless ? phrases.endless : fill(phrases.ofTarget, { target })}</span>
      </Ring>
      {ab_start !== undefined && ab_end !== undefined && (
        <p class="hifz-ring-range">{fill(phrases.range, { from: nameOf(ab_start), to: nameOf(ab_end) })}</p>
      )}
    </div>
  );
}
