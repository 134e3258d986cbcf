import type { PlaybackStatus } from "@player/service/contract/playback";
import { usePhrases } from "../../app/app.ts";
import { FavoriteHeart } from "../../app/favorites/favorite-heart.tsx";
import type { FavoriteTarget } from "../../app/favorites/favorite-target.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { playbackPhrases } from "../../app/playback/playback-phrases.ts";
import type { NowPlaying } from "../../app/playback/playing.ts";
import { chooseStart, useTransport } from "../../app/playback/transport.ts";
import { IconButton } from "../../design/button.tsx";
import { nowPhrases } from "./now-phrases.ts";

interface NowButtonsProps {
  status: PlaybackStatus;
  playing: NowPlaying;
}

export function NowButtons({ status, playing }: NowButtonsProps) {
  const phrases = usePhrases(nowPhrases);
  const transport = useTransport();
  const isSurah = playing.kind === "surah";
  const favorite = toFavoriteTarget(status, playing);
  return (
    <div class="now-buttons" dir="ltr">
      {/* Placeholders for missing buttons keep the large one in the middle. */}
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
  const start = chooseStart(status)?.path === "/playback/resume-saved" ? resumeSaved : play;
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

function toFavoriteTarget(
  { source, reciter, surah_number }: PlaybackStatus,
  playing: NowPlaying,
): FavoriteTarget | undefined {
  if (playing.kind === "surah" && reciter) return { type: "surah", reciter, surah: surah_number };
  const isStream = playing.kind === "stream" && source?.type === "stream";
  return isStream ? { type: "stream", url: source.url, name: playing.title.slice(0, 100) } : undefined;
}
