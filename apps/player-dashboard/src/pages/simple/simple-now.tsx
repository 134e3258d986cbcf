import type { PlaybackStatus } from "@player/service/contract/playback";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { callWords } from "../../app/playback/call-words.ts";
import { type NowPlaying, usePlaying } from "../../app/playback/playing.ts";
import { simplePhrases } from "./simple-phrases.ts";

/** What is playing, in letters that can be read across a room. */
export function SimpleNow() {
  const { live } = useApp();
  const phrases = usePhrases(simplePhrases);
  const language = useLanguage();
  const playing = usePlaying();
  const status = live.playback.view.value;
  if (!status) return <div class="waiting waiting-tall" />;
  if (playing.kind === "nothing") return <Words large={phrases.nothing} state={phrases.nothingHint} />;
  if (playing.kind === "call") {
    const { title, state } = callWords({ track: status.track, adhan: live.announced.value.adhan }, language);
    return <Words large={title} state={state} />;
  }
  // The name of a surah is written in Arabic in both languages.
  const [large, small] =
    language === "ar" || !playing.otherTitle ? [playing.title, ""] : [playing.otherTitle, playing.title];
  return (
    <Words
      large={large}
      small={small}
      aside={playing.aside}
      state={formatState(status, phrases)}
      isQuran={playing.kind === "surah"}
    />
  );
}

function formatState({ state }: PlaybackStatus, phrases: (typeof simplePhrases)["en"]): string {
  switch (state) {
    case "playing":
      return phrases.playing;
    case "paused":
      return phrases.paused;
    case "buffering":
      return phrases.oneMoment;
    case "stopped":
      return phrases.stoppedHint;
    default:
      return state satisfies never;
  }
}

interface WordsProps extends Partial<Pick<NowPlaying, "aside">> {
  large: string;
  small?: string;
  state: string;
  isQuran?: boolean;
}

function Words({ large, small, aside, state, isQuran = false }: WordsProps) {
  return (
    <section class="simple-now">
      <h2 class={isQuran ? "simple-title simple-quran" : "simple-title"} dir="auto" lang={isQuran ? "ar" : undefined}>
        {large}
      </h2>
      {small && (
        <p class="simple-small" dir="auto">
          {small}
        </p>
      )}
      {aside && (
        <p class="simple-aside" dir="auto">
          {aside}
        </p>
      )}
      <p class="simple-state" role="status">
        {state}
      </p>
    </section>
  );
}
