import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  seconds: { one: "# second", other: "# seconds" },
  bufferingRetry: "Buffering. Trying again in {seconds}",
  buffering: "Buffering…",
  paused: "Paused",
  stopped: "Stopped",
  playing: "Playing",
  gap: "Your turn",
  gapNext: "Your turn · {seconds} s",
  hifzDone: "All rounds are done",
  drillEnded: "The hifz drill has ended.",
  adhanPlays: "The adhan is playing",
  tonePlays: "The built-in tone is playing",
  toneNotAdhan: "A short tone instead of the adhan",
  adhan: "Adhan",
  adhanOf: "Adhan · {prayer}",
  tone: "Tone",
  /** `{prayer}`: the title while the tone replaces its adhan. */
  timeFor: "Time for {prayer}",
  resumeSaved: "Resume",
  rounds: "{done} of {target} rounds",
  ofTarget: "of {target}",
  endless: "endless",
  roundsSoFar: { one: "# round so far", other: "# rounds so far" },
  /** `{from}` and `{to}`: names of surahs. */
  range: "{from} to {to}",
};

const arabic: Phrases<typeof english> = {
  seconds: { one: "ثانية واحدة", two: "ثانيتين", few: "# ثوانٍ", many: "# ثانية", other: "# ثانية" },
  bufferingRetry: "جارٍ التحميل، المحاولة التالية بعد {seconds}",
  buffering: "جارٍ التحميل…",
  paused: "متوقّف مؤقتًا",
  stopped: "متوقّف",
  playing: "يُتلى الآن",
  gap: "دورك الآن",
  gapNext: "دورك الآن · {seconds} ث",
  hifzDone: "اكتملت المرّات كلّها",
  drillEnded: "انتهى تمرين الحفظ.",
  adhanPlays: "الأذان ينطلق الآن",
  tonePlays: "النغمة المدمجة تعمل الآن",
  toneNotAdhan: "نغمة قصيرة وليست أذانًا",
  adhan: "الأذان",
  adhanOf: "أذان {prayer}",
  tone: "نغمة",
  timeFor: "حان وقت {prayer}",
  resumeSaved: "استئناف",
  rounds: "{done} من {target}",
  ofTarget: "من {target}",
  endless: "بلا نهاية",
  roundsSoFar: {
    zero: "لم تُسمع بعد",
    one: "سُمعت مرّة واحدة",
    two: "سُمعت مرّتين",
    few: "سُمعت # مرّات",
    many: "سُمعت # مرّة",
    other: "سُمعت # مرّة",
  },
  range: "من {from} إلى {to}",
};

export const playbackPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
