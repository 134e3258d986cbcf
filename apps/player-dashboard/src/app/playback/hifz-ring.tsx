import type { PlaybackStatus } from "@player/service/contract/playback";
import { Ring } from "../../design/layout.tsx";
import { useLanguage, usePhrases } from "../app.ts";
import { counted } from "../language/numbers.ts";
import { formatDigits } from "../language/times.ts";
import { fill } from "../language/translations.ts";
import { playbackPhrases } from "./playback-phrases.ts";
import { formatSourceTitle } from "./playing.ts";
import "./hifz-ring.css";

/** Completed rounds. An endless drill has no total, so its ring stays empty. */
export function HifzRing({ status }: { status: PlaybackStatus }) {
  const language = useLanguage();
  const phrases = usePhrases(playbackPhrases);
  if (!status.hifz) return null;
  const { repeat_done, repeat_target, ab_start, ab_end } = status.hifz;
  const done = formatDigits(String(repeat_done), language);
  const target = formatDigits(String(repeat_target), language);
  const isEndless = repeat_target === 0;
  const formatName = (surah: number) => formatSourceTitle({ type: "surah", reciter: "", surah }, language);
  return (
    <div class="hifz-ring">
      <Ring
        share={isEndless ? 0 : repeat_done / repeat_target}
        label={isEndless ? counted(repeat_done, phrases.roundsSoFar, language) : fill(phrases.rounds, { done, target })}
      >
        <span class="hifz-ring-done">{done}</span>
        <span class="hifz-ring-target">{isEndless ? phrases.endless : fill(phrases.ofTarget, { target })}</span>
      </Ring>
      {ab_start !== undefined && ab_end !== undefined && (
        <p class="hifz-ring-range">{fill(phrases.range, { from: formatName(ab_start), to: formatName(ab_end) })}</p>
      )}
    </div>
  );
}
