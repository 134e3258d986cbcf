import type { AdhanChange } from "@player/service/contract/adhan";
import { commonPhrases } from "../language/common-phrases.ts";
import type { Language } from "../language/language.ts";
import { fill } from "../language/translations.ts";
import { PRAYERS } from "../prayer/prayers.ts";
import { playbackPhrases } from "./playback-phrases.ts";

export interface Call {
  /** The file that plays; empty for the built-in tone. */
  track: string;
  /** Undefined when no adhan was announced: a schedule plays the tone, too. */
  adhan: AdhanChange["prayer"] | undefined;
}

/** What interrupts other playback, in words. The tone is never called an adhan. */
export function callWords({ track, adhan }: Call, language: Language): { title: string; state: string } {
  const phrases = playbackPhrases[language];
  const prayer = adhan && adhan !== "test" ? commonPhrases[language].prayers[PRAYERS.indexOf(adhan)] : undefined;
  if (track !== "") {
    return { title: prayer ? fill(phrases.adhanOf, { prayer }) : phrases.adhan, state: phrases.adhanPlays };
  }
  if (adhan === undefined) return { title: phrases.tone, state: phrases.tonePlays };
  return { title: prayer ? fill(phrases.timeFor, { prayer }) : phrases.tone, state: phrases.toneNotAdhan };
}
