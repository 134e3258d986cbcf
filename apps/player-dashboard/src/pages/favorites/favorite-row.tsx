import type { FavoriteBody } from "@player/service/contract/favorites";
import type { SurahsBody } from "@player/service/contract/library";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { fill } from "../../app/language/translations.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { IconButton } from "../../design/button.tsx";
import { favoriteAside, favoriteTitle, isPlaying } from "./favorite-words.ts";
import { favoritesPhrases } from "./favorites-phrases.ts";

export function FavoriteRow({ favorite, onRemove }: { favorite: FavoriteBody; onRemove: () => void }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(favoritesPhrases);
  const { pause } = usePhrases(commonPhrases);
  const transport = useTransport();
  const play = usePlayFavorite();
  const status = live.playback.view.value;
  const isCurrent = status !== undefined && isPlaying(favorite, status);
  const isOn = isCurrent && status.state !== "paused";
  const name = favoriteTitle(favorite, language);
  return (
    <li class={favorite.available ? "favorite" : "favorite favorite-missing"} aria-current={isCurrent || undefined}>
      <IconButton
        icon={isOn ? "pause" : "play"}
        kind={isCurrent ? "primary" : "plain"}
        label={isOn ? pause : fill(phrases.play, { name })}
        disabled={!favorite.available}
        needsToken
        onClick={() => (isCurrent ? transport.toggle() : play(favorite))}
      />
      <div class="row-words">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span class="row-aside">
          {favoriteAside(favorite, language).map((words, at) => (
            <bdi key={words}>
              {at > 0 && " · "}
              {words}
            </bdi>
          ))}
        </span>
      </div>
      <IconButton icon="bin" label={fill(phrases.remove, { name })} needsToken onClick={onRemove} />
    </li>
  );
}

/** A favorite has reciter and surah only; the path of the file is requested when it is played. */
function usePlayFavorite() {
  const { api, commands } = useApp();
  const { playStream, playFile } = useTransport();

  async function playSurah({ reciter, surah }: FavoriteBody): Promise<void> {
    let path: string | null | undefined;
    await commands.run(async () => {
      const { paths } = await api.get<SurahsBody>(`/library/surahs?reciter=${encodeURIComponent(reciter)}`);
      path = paths[surah - 1];
    });
    if (path) await playFile(path, { reciter, surah_number: surah });
  }

  return (favorite: FavoriteBody) => void (favorite.type === "stream" ? playStream(favorite.url) : playSurah(favorite));
}
