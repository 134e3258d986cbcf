import type { ModeRequest } from "@player/service/contract/advance-mode";
import type { FavoriteBody } from "@player/service/contract/favorites";
import type { StationBody } from "@player/service/contract/stations";
import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import type { CommandTarget, StartTarget, Step, Target } from "@player/service/contract/target";
import type { Language } from "../language/language.ts";
import { counted, numberWords } from "../language/numbers.ts";
import { fill, isolated } from "../language/translations.ts";
import { targetsPhrases } from "./targets-phrases.ts";

/** The lists that a target's ids refer to; a list is undefined until it is loaded. */
export interface TargetLists {
  stations: readonly Pick<StationBody, "id" | "name">[] | undefined;
  favorites: readonly Pick<FavoriteBody, "id" | "type" | "reciter" | "surah" | "name" | "url">[] | undefined;
}

function surahWords(surah: number, language: Language): string {
  return (language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES)[surah - 1] ?? numberWords(surah, language);
}

/** Describes a target in one sentence. */
export function targetWords(target: Target, lists: TargetLists, language: Language): string {
  const steps = target.type === "sequence" ? target.steps : [target];
  const words = steps.map((step, at) => {
    const said = stepWords(step, lists, language);
    return at > 0 && step.type === "command" ? lowered(said) : said;
  });
  return words.join(targetsPhrases[language].stepJoint);
}

function stepWords(step: Step, lists: TargetLists, language: Language): string {
  if (step.type === "command") return commandWords(step, language);
  const { partJoint, atVolume } = targetsPhrases[language];
  const volume = step.volume !== undefined && fill(atVolume, { volume: numberWords(step.volume, language) });
  const mode = step.mode && lowered(modeWords(step.mode, language));
  return [startWords(step, lists, language), volume, mode].filter(Boolean).join(partJoint);
}

function startWords(start: StartTarget, lists: TargetLists, language: Language): string {
  const phrases = targetsPhrases[language];
  switch (start.type) {
    case "surah":
      return formatSurah(start, language);
    case "stream":
      return isolated(start.name || start.url);
    case "station": {
      const station = lists.stations?.find(({ id }) => id === start.id);
      return station ? isolated(station.name) : lists.stations ? phrases.goneStation : phrases.aStation;
    }
    case "favorite": {
      const favorite = lists.favorites?.find(({ id }) => id === start.id);
      return favorite ? favoriteWords(favorite, language) : lists.favorites ? phrases.goneFavorite : phrases.aFavorite;
    }
    case "file":
      return fileWords(start.path, language);
    case "resume":
      return phrases.resume;
    default:
      return start satisfies never;
  }
}

/** The leading number of a file in a reciter's folder is its surah, as the card's index reads it. */
const SURAH_FILE = /^([^/]+)\/(?:surah_)?(\d{1,3})(?!\d)[^/]*$/i;

function fileWords(path: string, language: Language): string {
  const [, reciter = "", number] = SURAH_FILE.exec(path) ?? [];
  const surah = Number(number);
  return SURAH_NAMES[surah - 1] ? formatSurah({ surah, reciter }, language) : isolated(path.split("/").at(-1) ?? path);
}

type FavoriteName = NonNullable<TargetLists["favorites"]>[number];

export function favoriteWords(favorite: FavoriteName, language: Language): string {
  return favorite.type === "surah" ? formatSurah(favorite, language) : isolated(favorite.name || favorite.url);
}

function formatSurah({ surah, reciter }: { surah: number; reciter: string }, language: Language): string {
  return fill(targetsPhrases[language].surahOf, { surah: surahWords(surah, language), reciter: isolated(reciter) });
}

function commandWords(target: CommandTarget, language: Language): string {
  const { commands, volumeTo, sleepIn, sleepOff } = targetsPhrases[language];
  switch (target.command) {
    case "volume":
      return fill(volumeTo, { volume: numberWords(target.value, language) });
    case "sleep_timer":
      return target.value === 0 ? sleepOff : counted(target.value, sleepIn, language);
    case "mode":
      return modeWords(target.value, language);
    case "toggle":
    case "pause":
    case "stop":
    case "next":
    case "prev":
      return commands[target.command];
    default:
      return target satisfies never;
  }
}

function modeWords({ mode, repeat, pause_s = 0, ab }: ModeRequest, language: Language): string {
  const { modes, hifz, times, endlessly, range, pause, partJoint } = targetsPhrases[language];
  const isHifz = mode === "hifz_repeat" || mode === "hifz_ab";
  if (!isHifz) return modes[mode];
  const count = repeat ?? (mode === "hifz_ab" ? 1 : 0);
  const parts = [
    ab && mode === "hifz_ab" && fill(range, { from: surahWords(ab.from, language), to: surahWords(ab.to, language) }),
    count === 0 ? endlessly : counted(count, times, language),
    pause_s > 0 && counted(pause_s, pause, language),
  ];
  return fill(hifz, { what: parts.filter(Boolean).join(partJoint) });
}

/** Inside a sentence. Arabic has no capitals. */
function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
