import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface SchedulesPhrases {
  shortWeekdays: readonly [string, string, string, string, string, string, string];
  everyDay: string;
  /** `{first}` and `{last}`. */
  daysTo: string;
  daysJoint: string;
  lastDayJoint: string;
  partJoint: string;
  /** `{days}`. */
  onceOn: string;
  /** `{prayer}`, and `#` minutes. */
  beforePrayer: PluralForms;
  afterPrayer: PluralForms;
  /** `{prayer}`. */
  atPrayer: string;
  add: string;
  addFirst: string;
  none: string;
  noneHint: string;
  list: string;
  /** `{when}`. */
  next: string;
  off: string;
  noPlace: string;
  noClock: string;
  waitsForClock: string;
  neverAgain: string;
  /** `{when}`. */
  ranAt: string;
  runningNow: string;
  missed: string;
  /** `{when}` and `{error}`. */
  failed: string;
  notOnCard: string;
  goneTarget: string;
  byItself: string;
  edit: string;
  remove: string;
  removeTitle: string;
  /** `{name}`. */
  removeQuestion: string;
  keep: string;
  removed: string;
  /** `{volume}`. */
  atVolume: string;
  fadesIn: PluralForms;
  stopsAfter: PluralForms;
  newTitle: string;
  editTitle: string;
  back: string;
  gone: string;
  goneHint: string;
  when: string;
  kind: string;
  kindClock: string;
  kindPrayer: string;
  time: string;
  prayer: string;
  side: string;
  before: string;
  at: string;
  after: string;
  minutes: string;
  days: string;
  presets: string;
  mondayThursday: string;
  sundayToThursday: string;
  friday: string;
  once: string;
  onceHint: string;
  what: string;
  how: string;
  name: string;
  nameHint: string;
  ownVolume: string;
  ownVolumeHint: string;
  fadeIn: string;
  fadeInHint: string;
  noFadeIn: string;
  duration: string;
  untilEnd: string;
  inSeconds: PluralForms;
  inMinutes: PluralForms;
  save: string;
  cancel: string;
  saved: string;
  oldKept: string;
  missing: { days: string; time: string; target: string };
}

const english: SchedulesPhrases = {
  shortWeekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
  everyDay: "Every day",
  daysTo: "{first} to {last}",
  daysJoint: ", ",
  lastDayJoint: " and ",
  partJoint: ", ",
  onceOn: "Once: {days}",
  beforePrayer: { one: "# minute before {prayer}", other: "# minutes before {prayer}" },
  afterPrayer: { one: "# minute after {prayer}", other: "# minutes after {prayer}" },
  atPrayer: "At {prayer}",
  add: "New",
  addFirst: "Make the first one",
  none: "Nothing is planned yet",
  noneHint: "Let the player start by itself: Surat al-Kahf every Friday, or a recitation 20 minutes before Fajr.",
  list: "Planned",
  next: "Next: {when}",
  off: "Switched off",
  noPlace: "It waits for prayer times: the player does not know its place yet.",
  noClock: "The player does not know what time it is, so nothing starts by itself. Set its clock in the settings.",
  waitsForClock: "It waits until the player knows the time.",
  neverAgain: "No next time",
  ranAt: "Last started {when}",
  runningNow: "It is starting now",
  missed: "The last time was missed: the player was off or its clock was wrong.",
  failed: "It could not start {when}: {error}",
  notOnCard: "the surah is not on the memory card",
  goneTarget: "what it should play is no longer saved",
  byItself: "Starts by itself",
  edit: "Change",
  remove: "Remove",
  removeTitle: "Remove this schedule?",
  removeQuestion: "{name} will no longer start by itself.",
  keep: "Keep it",
  removed: "The schedule was removed.",
  atVolume: "volume {volume}",
  fadesIn: { one: "fades in over # second", other: "fades in over # seconds" },
  stopsAfter: { one: "stops after # minute", other: "stops after # minutes" },
  newTitle: "New schedule",
  editTitle: "Change the schedule",
  back: "To the schedules",
  gone: "There is no such schedule.",
  goneHint: "It may have been removed.",
  when: "When?",
  kind: "It starts",
  kindClock: "By the clock",
  kindPrayer: "By a prayer",
  time: "Time",
  prayer: "Prayer",
  side: "Before or after",
  before: "Before",
  at: "Exactly",
  after: "After",
  minutes: "Minutes",
  days: "Days",
  presets: "Often chosen",
  mondayThursday: "Monday and Thursday",
  sundayToThursday: "Sunday to Thursday",
  friday: "Friday",
  once: "Only once",
  onceHint: "After its first start it switches itself off.",
  what: "What?",
  how: "How?",
  name: "Name",
  nameHint: "Such as “Before Fajr”; may stay empty.",
  ownVolume: "Set the volume",
  ownVolumeHint: "Otherwise it stays as it is then.",
  fadeIn: "Grow louder slowly",
  fadeInHint: "Wakes gently.",
  noFadeIn: "At once",
  duration: "Stop after",
  untilEnd: "When it ends",
  inSeconds: { one: "# second", other: "# seconds" },
  inMinutes: { one: "# minute", other: "# minutes" },
  save: "Save",
  cancel: "Cancel",
  saved: "The schedule is saved.",
  oldKept: "The new schedule is saved, but the old one could not be removed. Remove it by hand.",
  missing: {
    days: "Choose at least one day.",
    time: "Choose a time.",
    target: "Choose what should happen.",
  },
};

const arabic: SchedulesPhrases = {
  shortWeekdays: ["أحد", "اثنين", "ثلاثاء", "أربعاء", "خميس", "جمعة", "سبت"],
  everyDay: "كل يوم",
  daysTo: "من {first} إلى {last}",
  daysJoint: " و",
  lastDayJoint: " و",
  partJoint: "، ",
  onceOn: "مرة واحدة: {days}",
  beforePrayer: {
    one: "قبل {prayer} بدقيقة",
    two: "قبل {prayer} بدقيقتين",
    few: "قبل {prayer} بـ# دقائق",
    other: "قبل {prayer} بـ# دقيقة",
  },
  afterPrayer: {
    one: "بعد {prayer} بدقيقة",
    two: "بعد {prayer} بدقيقتين",
    few: "بعد {prayer} بـ# دقائق",
    other: "بعد {prayer} بـ# دقيقة",
  },
  atPrayer: "عند {prayer}",
  add: "جديد",
  addFirst: "أنشئ أول موعد",
  none: "لا مواعيد بعد",
  noneHint: "دع المشغّل يبدأ وحده: سورة الكهف كل جمعة، أو تلاوة قبل الفجر بـ٢٠ دقيقة.",
  list: "المواعيد",
  next: "التالي: {when}",
  off: "متوقّف",
  noPlace: "ينتظر أوقات الصلاة: لا يعرف المشغّل مكانه بعد.",
  noClock: "لا يعرف المشغّل الوقت، فلا يبدأ شيء وحده. اضبط ساعته في الإعدادات.",
  waitsForClock: "ينتظر حتى يعرف المشغّل الوقت.",
  neverAgain: "لا موعد قادم",
  ranAt: "آخر بدء: {when}",
  runningNow: "يبدأ الآن",
  missed: "فات الموعد الأخير: كان المشغّل مطفأ أو ساعته غير صحيحة.",
  failed: "تعذّر البدء {when}: {error}",
  notOnCard: "السورة ليست على بطاقة الذاكرة",
  goneTarget: "ما يُفترض تشغيله لم يعد محفوظًا",
  byItself: "يبدأ وحده",
  edit: "تعديل",
  remove: "حذف",
  removeTitle: "أتحذف هذا الموعد؟",
  removeQuestion: "لن يبدأ {name} وحده بعد ذلك.",
  keep: "احتفظ به",
  removed: "حُذف الموعد.",
  atVolume: "الصوت {volume}",
  fadesIn: {
    one: "يعلو الصوت خلال ثانية",
    two: "يعلو الصوت خلال ثانيتين",
    few: "يعلو الصوت خلال # ثوانٍ",
    other: "يعلو الصوت خلال # ثانية",
  },
  stopsAfter: {
    one: "يتوقّف بعد دقيقة",
    two: "يتوقّف بعد دقيقتين",
    few: "يتوقّف بعد # دقائق",
    other: "يتوقّف بعد # دقيقة",
  },
  newTitle: "موعد جديد",
  editTitle: "تعديل الموعد",
  back: "إلى المواعيد",
  gone: "لا يوجد موعد كهذا.",
  goneHint: "ربما حُذف.",
  when: "متى؟",
  kind: "يبدأ",
  kindClock: "بالساعة",
  kindPrayer: "بالصلاة",
  time: "الوقت",
  prayer: "الصلاة",
  side: "قبلها أم بعدها",
  before: "قبل",
  at: "عندها",
  after: "بعد",
  minutes: "الدقائق",
  days: "الأيام",
  presets: "اختيارات شائعة",
  mondayThursday: "الاثنين والخميس",
  sundayToThursday: "من الأحد إلى الخميس",
  friday: "الجمعة",
  once: "مرة واحدة فقط",
  onceHint: "يتوقّف وحده بعد أول بدء.",
  what: "ماذا؟",
  how: "كيف؟",
  name: "الاسم",
  nameHint: "مثل «قبل الفجر»، ويمكن تركه فارغًا.",
  ownVolume: "ضبط مستوى الصوت",
  ownVolumeHint: "وإلا بقي كما هو حينها.",
  fadeIn: "يعلو الصوت تدريجيًا",
  fadeInHint: "إيقاظ لطيف.",
  noFadeIn: "فورًا",
  duration: "يتوقّف بعد",
  untilEnd: "عند انتهائه",
  inSeconds: { one: "ثانية", two: "ثانيتين", few: "# ثوانٍ", other: "# ثانية" },
  inMinutes: { one: "دقيقة", two: "دقيقتين", few: "# دقائق", other: "# دقيقة" },
  save: "حفظ",
  cancel: "إلغاء",
  saved: "حُفظ الموعد.",
  oldKept: "حُفظ الموعد الجديد، لكن تعذّر حذف القديم. احذفه بنفسك.",
  missing: {
    days: "اختر يومًا واحدًا على الأقل.",
    time: "اختر وقتًا.",
    target: "اختر ماذا يحدث.",
  },
};

export const schedulesPhrases: Translations<SchedulesPhrases> = { en: english, ar: arabic };
