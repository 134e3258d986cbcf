import type { PlaybackStatus } from "@player/service/contract/playback";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { type Heard, sourceTitleOf } from "../../app/playback/heard.ts";
import { playbackPhrases } from "../../app/playback/playback-phrases.ts";
import { nowPhrases } from "./now-phrases.ts";

interface NowTitleProps {
  heard: Heard;
  status: PlaybackStatus;
  isAdhan: boolean;
}

/** What is heard, by its name; a surah in Arabic first, whatever language the page speaks. */
export function NowTitle({ heard, status, isAdhan }: NowTitleProps) {
  if (heard.kind === "call") return <CallTitle status={status} isAdhan={isAdhan} />;
  if (heard.kind === "surah") return <SurahTitle heard={heard} />;
  return <PlainTitle heard={heard} />;
}

function SurahTitle({ heard }: Pick<NowTitleProps, "heard">) {
  const [arabic, latin] = useLanguage() === "ar" ? [heard.title, heard.otherTitle] : [heard.otherTitle, heard.title];
  return (
    <div class="now-title">
      <h2>
        <span class="now-arabic" lang="ar" dir="rtl">
          {arabic}
        </span>
        <span class="now-latin" lang="en" dir="ltr">
          {latin}
        </span>
      </h2>
      <p class="now-aside" dir="auto">
        {heard.aside}
      </p>
    </div>
  );
}

function PlainTitle({ heard }: Pick<NowTitleProps, "heard">) {
  const phrases = usePhrases(nowPhrases);
  return (
    <div class="now-title">
      {heard.kind === "stream" && <p class="now-live">{phrases.live}</p>}
      <h2 class="now-plain" dir="auto">
        {heard.title}
      </h2>
      {heard.aside && (
        <p class="now-aside" dir="auto">
          {heard.aside}
        </p>
      )}
    </div>
  );
}

function CallTitle({ status, isAdhan }: Pick<NowTitleProps, "status" | "isAdhan">) {
  const language = useLanguage();
  const { afterCall } = usePhrases(nowPhrases);
  const { adhan, tone } = usePhrases(playbackPhrases);
  const after = sourceTitleOf(status.source, language);
  return (
    <div class="now-title">
      <h2 class="now-plain">{isAdhan || status.track !== "" ? adhan : tone}</h2>
      {after && (
        <p class="now-aside" dir="auto">
          {fill(afterCall, { name: after })}
        </p>
      )}
    </div>
  );
}
