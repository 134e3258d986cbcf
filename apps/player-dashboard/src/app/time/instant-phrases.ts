import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  todayAt: "today at {time}",
  tomorrowAt: "tomorrow at {time}",
  yesterdayAt: "yesterday at {time}",
  dayAt: "{day} at {time}",
  weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
};

const arabic: Phrases<typeof english> = {
  todayAt: "اليوم الساعة {time}",
  tomorrowAt: "غدًا الساعة {time}",
  yesterdayAt: "أمس الساعة {time}",
  dayAt: "{day} الساعة {time}",
  weekdays: ["الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"],
};

export const instantPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
