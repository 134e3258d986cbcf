import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface SimplePhrases {
  title: string;
  about: string;
  howToLeave: string;
  limit: string;
  limitHint: string;
  /** `{percent}`. */
  percent: string;
  start: string;
  back: string;
  playing: string;
  paused: string;
  oneMoment: string;
  stoppedHint: string;
  nothing: string;
  nothingHint: string;
  previous: string;
  next: string;
  quieter: string;
  louder: string;
  /** `{percent}`: said by a screen reader after each step. */
  volume: string;
  choose: string;
  noTiles: string;
  gone: string;
  nextPrayer: string;
  /** `{duration}`: hours, minutes or both. */
  inDuration: string;
  /** `{hours}` and `{minutes}`. */
  hoursAndMinutes: string;
  hours: PluralForms;
  minutes: PluralForms;
  soon: string;
  leaveHint: string;
  leaveTitle: string;
  /** `{first}` and `{second}`. */
  leaveSum: string;
  leaveAnswer: string;
  leaveWrong: string;
  leaveNow: string;
}

const english: SimplePhrases = {
  title: "Simple view",
  about: "One page with large buttons for elders and children: listening, volume and the next prayer. No settings.",
  howToLeave: "To leave, hold the button at the bottom for three seconds, or solve a small sum.",
  limit: "Maximum volume",
  limitHint: "Limits the large buttons, in this browser only.",
  percent: "{percent} %",
  start: "Start the simple view",
  back: "More",
  playing: "Playing",
  paused: "Paused",
  oneMoment: "One moment, please…",
  stoppedHint: "Press the large button to listen.",
  nothing: "Peace be upon you",
  nothingHint: "Choose something to listen to.",
  previous: "Previous",
  next: "Next",
  quieter: "Quieter",
  louder: "Louder",
  volume: "Volume {percent} %",
  choose: "What would you like to listen to?",
  noTiles: "Add favorites and radio stations in the full view to see them here.",
  gone: "This is not on the memory card.",
  nextPrayer: "Next prayer",
  inDuration: "in {duration}",
  hoursAndMinutes: "{hours} and {minutes}",
  hours: { one: "# hour", other: "# hours" },
  minutes: { one: "# minute", other: "# minutes" },
  soon: "in less than a minute",
  leaveHint: "Leave: hold for three seconds",
  leaveTitle: "Leave the simple view?",
  leaveSum: "How much is {first} + {second}?",
  leaveAnswer: "Answer",
  leaveWrong: "Wrong answer. Try again.",
  leaveNow: "Leave",
};

const arabic: SimplePhrases = {
  title: "العرض المبسّط",
  about: "صفحة واحدة بأزرار كبيرة لكبار السن والأطفال: الاستماع ومستوى الصوت والصلاة القادمة، بلا إعدادات.",
  howToLeave: "للخروج منه اضغط الزر في أسفل الصفحة ثلاث ثوانٍ، أو أجب عن مسألة جمع صغيرة.",
  limit: "أعلى مستوى للصوت",
  limitHint: "لا تتجاوزه الأزرار الكبيرة، وهو خاص بهذا المتصفح.",
  percent: "٪{percent}",
  start: "ابدأ العرض المبسّط",
  back: "المزيد",
  playing: "يُتلى الآن",
  paused: "متوقف مؤقتًا",
  oneMoment: "لحظة من فضلك…",
  stoppedHint: "اضغط الزر الكبير للاستماع.",
  nothing: "السلام عليكم",
  nothingHint: "اختر ما تحب أن تسمعه.",
  previous: "السابق",
  next: "التالي",
  quieter: "أخفض",
  louder: "أعلى",
  volume: "مستوى الصوت ٪{percent}",
  choose: "ماذا تحب أن تسمع؟",
  noTiles: "تظهر هنا المفضلة والإذاعات بعد إضافتها في العرض الكامل.",
  gone: "هذه السورة ليست على بطاقة الذاكرة الآن.",
  nextPrayer: "الصلاة القادمة",
  inDuration: "بعد {duration}",
  hoursAndMinutes: "{hours} و{minutes}",
  hours: { one: "ساعة", two: "ساعتين", few: "# ساعات", many: "# ساعة", other: "# ساعة" },
  minutes: { one: "دقيقة", two: "دقيقتين", few: "# دقائق", many: "# دقيقة", other: "# دقيقة" },
  soon: "بعد أقل من دقيقة",
  leaveHint: "خروج: اضغط ثلاث ثوانٍ",
  leaveTitle: "هل تريد الخروج من العرض المبسّط؟",
  leaveSum: "كم يساوي {first} + {second}؟",
  leaveAnswer: "الجواب",
  leaveWrong: "ليس صحيحًا. حاول مرة أخرى.",
  leaveNow: "خروج",
};

export const simplePhrases: Translations<SimplePhrases> = { en: english, ar: arabic };
