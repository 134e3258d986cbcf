import type { PlaybackStatus } from "@player/service/contract/playback";
import { usePhrases } from "../../app/app.ts";
import { FavoriteHeart } from "../../app/favorites/favorite-heart.tsx";
import type { FavoriteTarget } from "../../app/favorites/favorite-target.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import type { Heard } from "../../app/playback/heard.ts";
import { playbackPhrases } from "../../app/playback/playback-phrases.ts";
import { startOf, useTransport } from "../../app/playback/transport.ts";
import { IconButton } from "../../design/button.tsx";
import { nowPhrases } from "./now-phrases.ts";

interface NowButtonsProps {
  status: PlaybackStatus;
  heard: Heard;
}

export function NowButtons({ status, heard }: NowButtonsProps) {
  const phrases = usePhrases(nowPhrases);
  const transport = useTransport();
  const isSurah = heard.kind === "surah";
  const favorite = favoriteOf(status, heard);
  return (
    <div class="now-buttons">
      {/* The places of absent buttons stay, so that the large one is always in the middle. */}
      {favorite ? <FavoriteHeart target={favorite} /> : <span />}
      {isSurah ? (
        <IconButton icon="previous" label={phrases.previous} needsToken onClick={() => void transport.previous()} />
      ) : (
        <span />
      )}
      <PlayButton status={status} />
      {isSurah ? (
        <IconButton icon="next" label={phrases.next} needsToken onClick={() => void transport.next()} />
      ) : (
        <span />
      )}
      {status.state === "stopped" ? (
        <span />
      ) : (
        <IconButton icon="stop" label={phrases.stop} needsToken onClick={() => void transport.stop()} />
      )}
    </div>
  );
}

function PlayButton({ status }: Pick<NowButtonsProps, "status">) {
  const { play, pause } = usePhrases(commonPhrases);
  const { resumeSaved } = usePhrases(playbackPhrases);
  const { toggle } = useTransport();
  const isOn = status.state === "playing" || status.state === "buffering";
  const start = startOf(status)?.path === "/playback/resume-saved" ? resumeSaved : play;
  return (
    <IconButton
      icon={isOn ? "pause" : "play"}
      size="huge"
      kind="primary"
      label={isOn ? pause : start}
      needsToken
      onClick={toggle}
    />
  );
}

function favoriteOf({ source, reciter, surah_number }: PlaybackStatus, heard: Heard): FavoriteTarget | undefined {
  if (heard.kind === "surah" && reciter) return { type: "surah", reciter, surah: surah_number };
  const isStream = heard.kind === "stream" && source?.type === "stream";
  return isStream ? { type: "stream", url: source.url, name: heard.title.slice(0, 100) } : undefined;
}
