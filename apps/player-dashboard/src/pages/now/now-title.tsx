import type { PlaybackStatus } from "@player/service/contract/playback";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import type { UpcomingChanges } from "../../app/live/upcoming-changes.ts";
import { callWords } from "../../app/playback/call-words.ts";
import { formatSourceTitle, type NowPlaying } from "../../app/playback/playing.ts";
import { nowPhrases } from "./now-phrases.ts";

interface NowTitleProps {
  playing: NowPlaying;
  status: PlaybackStatus;
  adhan: UpcomingChanges["adhan"];
}

/** The name of what is playing; a surah in Arabic first, in both languages. */
export function NowTitle({ playing, status, adhan }: NowTitleProps) {
  if (playing.kind === "call") return <CallTitle status={status} adhan={adhan} />;
  if (playing.kind === "surah") return <SurahTitle playing={playing} />;
  return <PlainTitle playing={playing} />;
}

function SurahTitle({ playing }: Pick<NowTitleProps, "playing">) {
  const isArabic = useLanguage() === "ar";
  const arabic = isArabic ? playing.title : playing.otherTitle;
  return (
    <div class="now-title">
      <h2>
        <span class="now-arabic" lang="ar" dir="rtl">
          {arabic}
        </span>
        {!isArabic && (
          <span class="now-latin" lang="en" dir="ltr">
            {playing.title}
          </span>
        )}
      </h2>
      <p class="now-aside" dir="auto">
        {playing.aside}
      </p>
    </div>
  );
}

function PlainTitle({ playing }: Pick<NowTitleProps, "playing">) {
  const phrases = usePhrases(nowPhrases);
  return (
    <div class="now-title">
      {playing.kind === "stream" && <p class="now-live">{phrases.live}</p>}
      <h2 class="now-plain" dir="auto">
        {playing.title}
      </h2>
      {playing.aside && (
        <p class="now-aside" dir="auto">
          {playing.aside}
        </p>
      )}
    </div>
  );
}

function CallTitle({ status, adhan }: Pick<NowTitleProps, "status" | "adhan">) {
  const language = useLanguage();
  const { afterCall } = usePhrases(nowPhrases);
  const after = formatSourceTitle(status.source, language);
  return (
    <div class="now-title">
      <h2 class="now-plain">{callWords({ track: status.track, adhan }, language).title}</h2>
      {after && (
        <p class="now-aside" dir="auto">
          {fill(afterCall, { name: after })}
        </p>
      )}
    </div>
  );
}
