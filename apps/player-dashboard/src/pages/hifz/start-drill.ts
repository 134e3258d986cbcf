import type { SurahsBody } from "@player/service/contract/library";
import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { buildModeRequest, type Drill, findFirstSurah, playsFirst } from "./drill.ts";

/** Sets the mode and plays the first surah. Returns whether both succeeded. */
export function useStartDrill() {
  const { api, live, commands } = useApp();
  const [isStarting, setStarting] = useState(false);

  async function start({ reciter, available, paths }: SurahsBody, drill: Drill): Promise<boolean> {
    const path = paths[findFirstSurah(drill, available) - 1];
    const status = live.playback.truth.peek();
    if (!path || !status) return false;
    const setMode = () => api.post("/playback/mode", buildModeRequest(drill));
    const play = () => api.post("/playback/play", { path });
    const [first, second] = playsFirst(drill, reciter, status) ? [play, setMode] : [setMode, play];
    setStarting(true);
    const isDone = await commands.run(async () => {
      await first();
      await second();
    });
    setStarting(false);
    return isDone;
  }

  return { start, isStarting };
}
