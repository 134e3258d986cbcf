import type { SurahsBody } from "@player/service/contract/library";
import { useApp, usePhrases } from "../../app/app.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { simplePhrases } from "./simple-phrases.ts";
import type { Tile } from "./tiles.ts";

/** Starts what a tile shows. */
export function usePlayTile(): (tile: Tile) => Promise<boolean> {
  const { api, commands, notices } = useApp();
  const { gone } = usePhrases(simplePhrases);

  const { playFile, playStream } = useTransport();

  async function playSurah({ reciter, surah }: Extract<Tile, { kind: "surah" }>): Promise<boolean> {
    let path: string | null | undefined;
    const isFound = await commands.run(async () => {
      const { paths } = await api.get<SurahsBody>(`/library/surahs?reciter=${encodeURIComponent(reciter)}`);
      path = paths[surah - 1];
    });
    if (path) return playFile(path, { reciter, surah_number: surah });
    if (isFound) notices.show("refused", gone);
    return false;
  }

  return (tile) => (tile.kind === "stream" ? playStream(tile.url) : playSurah(tile));
}
