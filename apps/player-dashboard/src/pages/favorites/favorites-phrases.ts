import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface FavoritesPhrases {
  /** `{name}`; the same of the next four. */
  play: string;
  remove: string;
  removeTitle: string;
  removeHint: string;
  removeIt: string;
  keepIt: string;
  played: PluralForms;
  neverPlayed: string;
  missing: string;
  stream: string;
  playing: string;
  emptyTitle: string;
  emptyHint: string;
}

const english: FavoritesPhrases = {
  play: "Play {name}",
  remove: "Remove {name}",
  removeTitle: "Remove this favorite?",
  removeHint: "{name}: only the heart and its count go. Nothing is erased from the card.",
  removeIt: "Remove",
  keepIt: "Keep it",
  played: { one: "Heard once", other: "Heard # times" },
  neverPlayed: "Not heard yet",
  missing: "Not on the card now",
  stream: "Station",
  playing: "Playing now",
  emptyTitle: "No favorites yet",
  emptyHint: "Tap the heart beside a surah or a station, and it waits for you here.",
};

const arabic: FavoritesPhrases = {
  play: "شغّل {name}",
  remove: "أزل {name}",
  removeTitle: "أتريد إزالتها من المفضلة؟",
  removeHint: "{name}: لا يزول إلا القلب وعدد المرّات، ولا يُمحى شيء من البطاقة.",
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
  playing: "تُسمع الآن",
  emptyTitle: "لا مفضلة بعد",
  emptyHint: "المس القلب بجانب سورة أو إذاعة، فتجدها هنا.",
};

export const favoritesPhrases: Translations<FavoritesPhrases> = { en: english, ar: arabic };
