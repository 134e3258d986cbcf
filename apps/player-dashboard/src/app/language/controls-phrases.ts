import type { Translations } from "./translations.ts";

interface ControlsPhrases {
  close: string;
  /** Said of a button that will ask for the token. */
  locked: string;
  less: string;
  moreOf: string;
  loading: string;
  tryAgain: string;
}

export const controlsPhrases: Translations<ControlsPhrases> = {
  en: {
    close: "Close",
    locked: "locked, asks for the token",
    less: "Less",
    moreOf: "More",
    loading: "Asking the player…",
    tryAgain: "Try again",
  },
  ar: {
    close: "إغلاق",
    locked: "مقفل، يطلب الرمز",
    less: "أقل",
    moreOf: "أكثر",
    loading: "نسأل المشغّل…",
    tryAgain: "أعد المحاولة",
  },
};
