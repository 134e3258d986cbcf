import type { PlaybackStatus } from "@player/service/contract/playback";
import { useApp, usePhrases } from "../app.ts";
import { endsDrill } from "./drill.ts";
import { playbackPhrases } from "./playback-phrases.ts";

type CurrentRecitation = Pick<PlaybackStatus, "reciter" | "surah_number">;

/** The request of the large button: it continues the last playback, even after a stop. */
export function chooseStart({
  state,
  hasResumeState,
  track,
  source,
}: Pick<PlaybackStatus, "state" | "hasResumeState" | "track" | "source">): { path: string; body?: object } | undefined {
  if (state === "paused") return { path: "/playback/resume" };
  if (state !== "stopped") return { path: "/playback/pause" };
  // A stream saves no position, so the saved one belongs to an earlier recitation.
  if (source?.type === "stream") return { path: "/playback/play", body: { url: source.url } };
  if (hasResumeState) return { path: "/playback/resume-saved" };
  return track ? { path: "/playback/play", body: { path: track } } : undefined;
}

/** The playback controls. Each shows its effect immediately and reverts it when the device refuses. */
export function useTransport() {
  const { api, live, commands, notices } = useApp();
  const { drillEnded } = usePhrases(playbackPhrases);
  const { playback } = live;

  const ask = (change: Partial<PlaybackStatus>, path: string, body?: object) =>
    commands.run(() => playback.attempt(change, () => api.post(path, body)));

  function toggle(): void {
    const status = playback.view.value;
    const start = status && chooseStart(status);
    if (!start) return;
    const isPausing = start.path === "/playback/pause";
    void ask({ state: isPausing ? "paused" : "playing" }, start.path, start.body);
  }

  async function endDrill(known: CurrentRecitation): Promise<void> {
    const status = playback.truth.peek();
    if (!status || !endsDrill(status, known)) return;
    await api.post("/playback/mode", { mode: "off" });
    notices.show("news", drillEnded);
  }

  return {
    toggle,
    stop: () => ask({ state: "stopped" }, "/playback/stop"),
    next: () => ask({}, "/playback/next"),
    previous: () => ask({}, "/playback/prev"),
    resumeSaved: () => ask({}, "/playback/resume-saved"),
    /** Plays a surah from the card. Shows what is known about it before the device has opened it. */
    playFile: (path: string, known: CurrentRecitation) => {
      const source = { type: "surah", reciter: known.reciter, surah: known.surah_number } as const;
      return commands.run(() =>
        playback.attempt({ state: "playing", mode: "file", track: path, source, ...known }, async () => {
          await endDrill(known);
          await api.post("/playback/play", { path });
        }),
      );
    },
    playTrack: (path: string) => ask({}, "/playback/play", { path }),
    playStream: (url: string) => ask({}, "/playback/play", { url }),
    seek: (position: number) => commands.run(() => api.post("/playback/seek", { position })),
    setVolume: (volume: number) => ask({ volume }, "/playback/volume", { volume }),
    setAdvance: (advance_mode: PlaybackStatus["advance_mode"]) =>
      ask({ advance_mode }, "/playback/mode", { mode: advance_mode }),
    setSleepTimer: (minutes: number) =>
      ask({ sleep_timer_s: minutes === 0 ? null : minutes * 60 }, "/playback/sleep-timer", { minutes }),
  };
}
