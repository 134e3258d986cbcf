import type { ClockText } from "./wording.ts";
import type { Language } from "./words.ts";

/** What is heard, in up to three lines of falling size. */
export interface Heading {
  title: string;
  caption: string;
  detail: string;
}

/** How far a file has been heard. */
export interface Progress {
  permille: number;
  position: string;
  duration: string;
}

interface Playing {
  clock: string;
  heading: Heading;
  progress: Progress | undefined;
}

export interface NowPlayingModel extends Playing {
  screen: "now_playing";
  language: Language;
  state: "playing" | "paused" | "live";
}

export interface HifzModel extends Playing {
  screen: "hifz";
  language: Language;
  /** How much of the ring is closed. */
  permille: number;
  done: string;
  target: string;
  /** The surahs from A to B; "" when one surah is repeated. */
  range: string;
  /** What the listener is told in the silence between two repetitions; "" when there is none. */
  gap: string;
}

export interface BufferingModel {
  screen: "buffering";
  language: Language;
  clock: string;
  heading: Heading;
}

export interface IdleModel {
  screen: "idle";
  language: Language;
  /** Undefined while nobody knows the time. */
  clock: ClockText | undefined;
  date: string;
  hijri: string;
  next: { name: string; time: string; countdown: string } | undefined;
  /** What stands in the place of the next prayer when there is none. */
  hint: string;
  /** The five prayers of the day. */
  times: readonly { name: string; time: string; isNext: boolean }[];
}

export interface AdhanModel {
  screen: "adhan";
  language: Language;
  clock: string;
  intro: string;
  title: string;
  caption: string;
}

export interface CardModel {
  screen: "card";
  language: Language;
  clock: string;
  /** "" for a card that nobody has registered. */
  name: string;
  uid: string;
}

export interface UpdateModel {
  screen: "update";
  language: Language;
  progress: number;
  percentage: string;
  phase: string;
}

export interface SetupModel {
  screen: "setup";
  language: Language;
  how: { by: "access_point"; ssid: string; address: string } | { by: "pairing"; url: string; left: string };
}

export interface FailuresModel {
  screen: "failures";
  language: Language;
  failures: readonly { component: string; error: string }[];
  /** How many do not fit; "" when all do. */
  more: string;
}

/**
 * Everything that can be seen, in the words and the precision in which it is seen: two equal models are the same picture.
 */
export type ScreenModel =
  | UpdateModel
  | SetupModel
  | FailuresModel
  | AdhanModel
  | CardModel
  | BufferingModel
  | HifzModel
  | NowPlayingModel
  | IdleModel;
