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
  addFirst: "Add a schedule",
  none: "No schedules yet",
  noneHint: "Play something automatically: Surat al-Kahf every Friday, or a recitation 20 minutes before Fajr.",
  list: "Schedules",
  next: "Next: {when}",
  off: "Off",
  noPlace: "Waiting for prayer times: set the player's location first.",
  noClock: "Schedules are not running, because the player's clock is not set. Set the time in the settings.",
  waitsForClock: "Waiting until the clock is set.",
  neverAgain: "Will not run again",
  ranAt: "Last started {when}",
  runningNow: "Starting now",
  missed: "The last run was missed: the player was off or its clock was wrong.",
  failed: "Could not start {when}: {error}",
  notOnCard: "the surah is not on the memory card",
  goneTarget: "what it plays is no longer saved",
  byItself: "On",
  edit: "Change",
  remove: "Remove",
  removeTitle: "Remove this schedule?",
  removeQuestion: "{name} will no longer run.",
  keep: "Keep it",
  removed: "Schedule removed.",
  atVolume: "volume {volume}",
  fadesIn: { one: "fades in over # second", other: "fades in over # seconds" },
  stopsAfter: { one: "stops after # minute", other: "stops after # minutes" },
  newTitle: "New schedule",
  editTitle: "Edit schedule",
  back: "Back to schedules",
  gone: "Schedule not found",
  goneHint: "It may have been removed.",
  when: "When?",
  kind: "Starts",
  kindClock: "At a time",
  kindPrayer: "At a prayer",
  time: "Time",
  prayer: "Prayer",
  side: "Before or after",
  before: "Before",
  at: "At prayer time",
  after: "After",
  minutes: "Minutes",
  days: "Days",
  presets: "Quick choices",
  mondayThursday: "Monday and Thursday",
  sundayToThursday: "Sunday to Thursday",
  friday: "Friday",
  once: "Only once",
  onceHint: "Turns itself off after it has run once.",
  what: "What?",
  how: "How?",
  name: "Name",
  nameHint: "Optional, for example “Before Fajr”.",
  ownVolume: "Set the volume",
  ownVolumeHint: "If off, the volume does not change.",
  fadeIn: "Fade in",
  fadeInHint: "Starts quietly and gets louder.",
  noFadeIn: "Off",
  duration: "Stop after",
  untilEnd: "At the end",
  inSeconds: { one: "# second", other: "# seconds" },
  inMinutes: { one: "# minute", other: "# minutes" },
  save: "Save",
  cancel: "Cancel",
  saved: "Schedule saved.",
  oldKept: "The new schedule is saved, but the old one could not be removed. Remove it yourself.",
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
  addFirst: "أضف موعدًا",
  none: "لا مواعيد بعد",
  noneHint: "شغّل ما تريد تلقائيًا: سورة الكهف كل جمعة، أو تلاوة قبل الفجر بـ٢٠ دقيقة.",
  list: "المواعيد",
  next: "التالي: {when}",
  off: "متوقّف",
  noPlace: "ينتظر أوقات الصلاة: حدّد موقع المشغّل أولًا.",
  noClock: "المواعيد متوقفة لأن ساعة المشغّل غير مضبوطة. اضبطها في الإعدادات.",
  waitsForClock: "ينتظر ضبط الساعة.",
  neverAgain: "لا موعد قادم",
  ranAt: "آخر بدء: {when}",
  runningNow: "يبدأ الآن",
  missed: "فات الموعد الأخير: كان المشغّل مطفأ أو ساعته غير صحيحة.",
  failed: "تعذّر البدء {when}: {error}",
  notOnCard: "السورة ليست على بطاقة الذاكرة",
  goneTarget: "ما يُفترض تشغيله لم يعد محفوظًا",
  byItself: "مفعّل",
  edit: "تعديل",
  remove: "حذف",
  removeTitle: "أتحذف هذا الموعد؟",
  removeQuestion: "لن يعمل {name} بعد ذلك.",
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
  gone: "الموعد غير موجود",
  goneHint: "ربما حُذف.",
  when: "متى؟",
  kind: "يبدأ",
  kindClock: "في وقت محدد",
  kindPrayer: "حسب الصلاة",
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
  onceHint: "يتوقّف تلقائيًا بعد أول تشغيل.",
  what: "ماذا؟",
  how: "كيف؟",
  name: "الاسم",
  nameHint: "مثل «قبل الفجر»، ويمكن تركه فارغًا.",
  ownVolume: "ضبط مستوى الصوت",
  ownVolumeHint: "وإلا بقي كما هو حينها.",
  fadeIn: "رفع الصوت تدريجيًا",
  fadeInHint: "إيقاظ لطيف.",
  noFadeIn: "بلا تدرّج",
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
