import type { Translations } from "../language/translations.ts";

interface NoRecitationsPhrases {
  noCardTitle: string;
  noCardHint: string;
  nothingTitle: string;
  nothingHint: string;
  exampleFile: string;
}

const english: NoRecitationsPhrases = {
  noCardTitle: "No memory card",
  noCardHint: "Put the card with the recitations into the player. It is read by itself.",
  nothingTitle: "No recitations on the card",
  nothingHint: "Make one folder per reciter, and begin each file's name with the number of its surah, such as:",
  exampleFile: "Mishary Alafasy/018.mp3",
};

const arabic: NoRecitationsPhrases = {
  noCardTitle: "لا توجد بطاقة ذاكرة",
  noCardHint: "أدخل البطاقة التي عليها التلاوات في المشغّل، وستُقرأ تلقائيًا.",
  nothingTitle: "لا تلاوات على البطاقة",
  nothingHint: "أنشئ مجلدًا لكل قارئ، وابدأ اسم كل ملف برقم سورته، مثل:",
  exampleFile: "Mishary Alafasy/018.mp3",
};

export const noRecitationsPhrases: Translations<NoRecitationsPhrases> = { en: english, ar: arabic };
