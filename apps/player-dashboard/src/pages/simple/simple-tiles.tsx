import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import type { Language } from "../../app/language/language.ts";
import { formatDigits } from "../../app/language/times.ts";
import { Icon } from "../../design/icons.tsx";
import { simplePhrases } from "./simple-phrases.ts";
import { isPlaying, type Tile } from "./tiles.ts";
import { usePlayTile } from "./use-play-tile.ts";

export function SimpleTiles({ tiles, isKnown }: { tiles: readonly Tile[]; isKnown: boolean }) {
  const phrases = usePhrases(simplePhrases);
  return (
    <section class="simple-choices" aria-labelledby="simple-choose">
      <h2 id="simple-choose" class="simple-heading">
        {phrases.choose}
      </h2>
      {tiles.length === 0 && isKnown && <p class="simple-aside">{phrases.noTiles}</p>}
      <ul class="simple-tiles">
        {tiles.map((tile, place) => (
          <li key={tile.key}>
            <TileButton tile={tile} place={place} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Each position has its own colour, so that users who cannot read find a tile again. */
function TileButton({ tile, place }: { tile: Tile; place: number }) {
  const { live } = useApp();
  const language = useLanguage();
  const play = usePlayTile();
  const status = live.playback.view.value;
  const isCurrent = status !== undefined && status.state !== "stopped" && isPlaying(tile, status.source);
  const { name, aside } = describeTile(tile, language);
  return (
    <button
      type="button"
      class={`simple-tile simple-tile-${place}`}
      aria-current={isCurrent ? "true" : undefined}
      onClick={() => void play(tile)}
    >
      <span class="simple-picture">
        <svg class="simple-star" viewBox="0 0 48 48" aria-hidden="true">
          <path d="M9 9h30v30H9zM24 2.8 45.2 24 24 45.2 2.8 24z" />
        </svg>
        {tile.kind === "surah" ? (
          <span aria-hidden="true">{formatDigits(String(tile.surah), language)}</span>
        ) : (
          <Icon name="radio" />
        )}
      </span>
      <span class="simple-tile-words">
        <strong class={tile.kind === "surah" && language === "ar" ? "simple-quran" : undefined} dir="auto">
          {name}
        </strong>
        {aside && <span dir="auto">{aside}</span>}
      </span>
      {isCurrent && (
        <span class="simple-playing">
          <Icon name="volume" />
        </span>
      )}
    </button>
  );
}

function describeTile(tile: Tile, language: Language): { name: string; aside: string } {
  if (tile.kind === "stream") return { name: tile.name, aside: "" };
  const names = language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES;
  return { name: names[tile.surah - 1] ?? "", aside: tile.reciter };
}
