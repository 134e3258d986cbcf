import type { SurahsBody } from "@player/service/contract/library";
import { useApp, usePhrases } from "../../app/app.ts";
import { simplePhrases } from "./simple-phrases.ts";
import type { Tile } from "./tiles.ts";

/** Starts what a tile shows. */
export function usePlayTile(): (tile: Tile) => Promise<boolean> {
  const { api, commands, notices } = useApp();
  const { gone } = usePhrases(simplePhrases);

  async function findSource(tile: Tile): Promise<{ url: string } | { path: string } | undefined> {
    if (tile.kind === "stream") return { url: tile.url };
    const reciter = encodeURIComponent(tile.reciter);
    const { paths } = await api.get<SurahsBody>(`/library/surahs?reciter=${reciter}`);
    const path = paths[tile.surah - 1];
    return path ? { path } : undefined;
  }

  return (tile) =>
    commands.run(async () => {
      const place = await findSource(tile);
      if (place) await api.post("/playback/play", place);
      else notices.show("refused", gone);
    });
}
