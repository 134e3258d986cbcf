import type { ClockText } from "./wording.ts";
import type { Language } from "./words.ts";

/** What is playing, in up to three lines of decreasing size. */
export interface Heading {
  title: string;
  caption: string;
  detail: string;
}

/** How much of a file has been played. */
export interface Progress {
  permille: number;
  position: string;
  duration: string;
}

interface PlayingScreen {
  clock: string;
  heading: Heading;
  progress: Progress | undefined;
}

export interface NowPlayingModel extends PlayingScreen {
  screen: "now_playing";
  language: Language;
  state: "playing" | "paused" | "live";
}

export interface HifzModel extends PlayingScreen {
  screen: "hifz";
  language: Language;
  /** The filled part of the ring. */
  permille: number;
  done: string;
  target: string;
  /** The surahs from A to B; "" when one surah is repeated. */
  range: string;
  /** The hint for the listener in the silence between two repetitions; "" when there is none. */
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
  /** Undefined while the time is unknown. */
  clock: ClockText | undefined;
  date: string;
  hijri: string;
  next: { name: string; time: string; countdown: string } | undefined;
  /** The text that replaces the next prayer when there is none. */
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
  /** "" for a card that is not registered. */
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
  how:
    | {
        by: "access_point";
        ssid: string;
        /** By this code a phone joins the network. */
        wifi: string;
        url: string;
        /** What the phone opens: the address, with the token while a person may pair. */
        link: string;
        /** The six digits for the dashboard; "" when there are none. */
        code: string;
      }
    | { by: "pairing"; url: string; code: string; left: string };
}

/** A key is held that erases everything when it is released too late. */
export interface ResetModel {
  screen: "reset";
  language: Language;
  title: string;
  /** The seconds that are left; "" when they have passed. */
  left: string;
  detail: string;
}

/** The fingerprint of the device's authority, for the comparison with the one that a phone shows. */
export interface CertificateModel {
  screen: "certificate";
  language: Language;
  clock: string;
  /** Four lines of eight bytes. */
  lines: readonly string[];
}

export interface FailuresModel {
  screen: "failures";
  language: Language;
  failures: readonly { component: string; error: string }[];
  /** The number that does not fit; "" when all fit. */
  more: string;
}

/**
 * Everything visible, as text and in the precision of the screen: two equal models give the same picture.
 */
export type ScreenModel =
  | UpdateModel
  | ResetModel
  | SetupModel
  | FailuresModel
  | AdhanModel
  | CardModel
  | CertificateModel
  | BufferingModel
  | HifzModel
  | NowPlayingModel
  | IdleModel;
