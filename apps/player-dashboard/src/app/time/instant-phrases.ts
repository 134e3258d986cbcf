import type { Translations } from "../language/translations.ts";

interface InstantPhrases {
  /** `{time}`, and `{day}`. */
  todayAt: string;
  tomorrowAt: string;
  yesterdayAt: string;
  dayAt: string;
  weekdays: readonly [string, string, string, string, string, string, string];
}

const english: InstantPhrases = {
  todayAt: "today at {time}",
  tomorrowAt: "tomorrow at {time}",
  yesterdayAt: "yesterday at {time}",
  dayAt: "{day} at {time}",
  weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
};

const arabic: InstantPhrases = {
  todayAt: "اليوم الساعة {time}",
  tomorrowAt: "غدًا الساعة {time}",
  yesterdayAt: "أمس الساعة {time}",
  dayAt: "{day} الساعة {time}",
  weekdays: ["الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"],
};

export const instantPhrases: Translations<InstantPhrases> = { en: english, ar: arabic };
