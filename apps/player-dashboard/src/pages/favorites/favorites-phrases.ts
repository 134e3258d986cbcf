import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  /** `{name}`; the same of the next four. */
  play: "Play {name}",
  remove: "Remove {name}",
  removeTitle: "Remove this favorite?",
  removeHint: "{name} is removed from your favorites, with its play count. Nothing is deleted from the card.",
  removeIt: "Remove",
  keepIt: "Keep it",
  played: { one: "Played once", other: "Played # times" },
  neverPlayed: "Never played",
  missing: "Not on the card",
  stream: "Station",
  emptyTitle: "No favorites yet",
  emptyHint: "Tap the heart next to a surah or a station to add it here.",
};

const arabic: Phrases<typeof english> = {
  play: "شغّل {name}",
  remove: "أزل {name}",
  removeTitle: "أتريد إزالتها من المفضلة؟",
  removeHint: "تُزال {name} من المفضلة مع عدد مرّات تشغيلها، ولا يُحذف شيء من البطاقة.",
  removeIt: "أزل",
  keepIt: "أبقها",
  played: {
    zero: "لم تُسمع بعد",
    one: "سُمعت مرّة واحدة",
    two: "سُمعت مرّتين",
    few: "سُمعت # مرّات",
    many: "سُمعت # مرّة",
    other: "سُمعت # مرّة",
  },
  neverPlayed: "لم تُسمع بعد",
  missing: "ليست على البطاقة الآن",
  stream: "إذاعة",
  emptyTitle: "المفضلة فارغة",
  emptyHint: "المس القلب بجانب سورة أو إذاعة لإضافتها هنا.",
};

export const favoritesPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
