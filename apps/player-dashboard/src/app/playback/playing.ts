import { isCall } from "@player/service/contract/call";
import type { FavoriteBody } from "@player/service/contract/favorites";
import type { PlaybackStatus } from "@player/service/contract/playback";
import type { StationBody } from "@player/service/contract/stations";
import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import { useEffect } from "preact/hooks";
import { useApp, useLanguage } from "../app.ts";
import type { Language } from "../language/language.ts";
import { lastOf } from "../live/resource.ts";

export interface NowPlaying {
  /** `call`: the adhan or the built-in tone, which interrupts other playback. */
  kind: "surah" | "stream" | "file" | "call" | "nothing";
  title: string;
  /** The name in the other script, for a surah. */
  otherTitle: string;
  /** The reciter, or the stream's own title. */
  aside: string;
}

const NOTHING: NowPlaying = { kind: "nothing", title: "", otherTitle: "", aside: "" };

/** What is playing, by its name: a surah, a station, or a file. */
export function describePlaying(
  status: PlaybackStatus,
  language: Language,
  streamName: (url: string) => string,
): NowPlaying {
  const { surah_number, reciter, source, title, track } = status;
  if (isCall(status)) return { ...NOTHING, kind: "call", title: fileNameOf(track) };
  const at = surah_number - 1;
  const [names, others] = language === "ar" ? [SURAH_NAMES_AR, SURAH_NAMES] : [SURAH_NAMES, SURAH_NAMES_AR];
  const surah = names[at];
  if (surah) return { kind: "surah", title: surah, otherTitle: others[at] ?? "", aside: reciter };
  if (source?.type === "stream") {
    return { kind: "stream", title: streamName(source.url) || hostOf(source.url), otherTitle: "", aside: title };
  }
  return track ? { kind: "file", title: fileNameOf(track), otherTitle: "", aside: reciter } : NOTHING;
}

function fileNameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}

/** A stream without a name is shown by its host. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}

type NamedStream = Pick<StationBody | FavoriteBody, "url" | "name">;

/** The device knows a stream by its address; its name is kept with the stations and the favorites. */
export function findStreamName(url: string, lists: readonly (readonly NamedStream[] | undefined)[]): string {
  return lists.flatMap((list) => list ?? []).find((named) => named.url === url)?.name ?? "";
}

export function usePlaying(): NowPlaying {
  const { live } = useApp();
  const language = useLanguage();
  const status = live.playback.view.value;
  const isStream = status?.source?.type === "stream";
  useEffect(() => {
    if (!isStream) return;
    const leaveStations = live.stations.watch();
    const leaveFavorites = live.favorites.watch();
    return () => {
      leaveStations();
      leaveFavorites();
    };
  }, [live, isStream]);
  if (!status) return NOTHING;
  const lists = [lastOf(live.stations.reading.value), lastOf(live.favorites.reading.value)];
  return describePlaying(status, language, (url) => findStreamName(url, lists));
}

/** What resumes after the adhan; empty when it has no name. */
export function formatSourceTitle(source: PlaybackStatus["source"], language: Language): string {
  if (source?.type === "surah") return (language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES)[source.surah - 1] ?? "";
  return source?.type === "stream" ? hostOf(source.url) : "";
}
