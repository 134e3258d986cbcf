import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  noCardTitle: "No memory card",
  noCardHint: "Insert the memory card. Its recitations appear here.",
  nothingTitle: "No recitations on the card",
  nothingHint:
    "Or fill the card on a computer: make one folder for each reciter, and start each file name with the number of the surah, for example:",
  exampleFile: "Mishary Alafasy/018.mp3",
};

const arabic: Phrases<typeof english> = {
  noCardTitle: "لا توجد بطاقة ذاكرة",
  noCardHint: "أدخل بطاقة الذاكرة، وستظهر تلاواتها هنا.",
  nothingTitle: "لا تلاوات على البطاقة",
  nothingHint: "أو املأ البطاقة على حاسوب: أنشئ مجلدًا لكل قارئ، وابدأ اسم كل ملف برقم سورته، مثل:",
  exampleFile: "Mishary Alafasy/018.mp3",
};

export const noRecitationsPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
