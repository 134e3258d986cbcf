import type { Phrases } from "./phrases.ts";

export const arabic: Phrases = {
  language: "ar",
  languageName: "العربية",
  product: "منارة",
  productAside: "Manara Player",

  loading: "نسأل المشغّل عن حاله…",
  away: "المشغّل لا يجيب.",
  refused: "تعذّر على المشغّل أن يجيب: {error}",
  awayHint: "تعيد هذه الصفحة المحاولة تلقائيًا كل ١٠ ثوانٍ.",
  lastKnown: "وفي الأسفل آخر ما قاله.",
  tryNow: "حاول الآن",

  runningFor: "مدة التشغيل",
  lessThanAMinute: "أقل من دقيقة",
  days: { one: "يوم واحد", two: "يومان", few: "# أيام", many: "# يومًا", other: "# يوم" },
  hours: { one: "ساعة واحدة", two: "ساعتان", few: "# ساعات", many: "# ساعة", other: "# ساعة" },
  minutes: { one: "دقيقة واحدة", two: "دقيقتان", few: "# دقائق", many: "# دقيقة", other: "# دقيقة" },
  durationOfTwo: "{larger} و{smaller}",

  partsNotStarted: {
    one: "قطعة واحدة لم تبدأ",
    two: "قطعتان لم تبدآ",
    few: "# قطع لم تبدأ",
    other: "# قطعة لم تبدأ",
  },
  warningsCounted: { one: "تنبيه واحد", two: "تنبيهان", few: "# تنبيهات", many: "# تنبيهًا", other: "# تنبيه" },
  allStarted: "بدأت جميع القطع",

  startUp: "بدء التشغيل",
  everythingStarted: "بدأ كل ما ينتمي إلى هذا المشغّل.",
  everythingStartedHint: "إذا لم تبدأ قطعة ما فستُذكر هنا مع ما يعنيه ذلك لك.",
  warnings: "تنبيهات",
  parts: {
    sound: { didNotStart: "لم يبدأ مخرج الصوت", meaning: "لن يُسمع شيء حتى يبدأ." },
    reader: { didNotStart: "لم يبدأ قارئ البطاقات", meaning: "لن ينتبه المشغّل إلى البطاقات حتى يبدأ." },
    clock: { didNotStart: "لم تبدأ شريحة الساعة", meaning: "قد يفقد المشغّل الوقت عند انقطاع الكهرباء." },
    screen: { didNotStart: "لم تبدأ الشاشة", meaning: "ستبقى مظلمة." },
    card: { didNotStart: "لم تبدأ بطاقة الذاكرة", meaning: "لا يمكن تشغيل التسجيلات التي عليها." },
    battery: { didNotStart: "لم يبدأ مقياس البطارية", meaning: "لا يُعرف كم بقي في البطارية." },
    buttons: { didNotStart: "لم تبدأ الأزرار", meaning: "الضغط عليها لا يفعل شيئًا." },
    network: { didNotStart: "لم تبدأ شبكة الواي فاي", meaning: "لا يمكن الوصول إلى المشغّل إلا بالكابل، إن أمكن." },
  },
  unknownPart: "لم تبدأ القطعة «{component}»",
  reason: "السبب المذكور:",

  readings: "القراءات",
  version: "الإصدار",
  freeMemory: "الذاكرة المتاحة",
  byteUnits: [{ other: "# بايت" }, { other: "# كيلوبايت" }, { other: "# ميغابايت" }, { other: "# غيغابايت" }],
  storage: "مخزن الإعدادات",
  storageUsed: "الخانات المستعملة: {used} من {total}",
  storageFree: "المتاح: {free} · المحفوظ: {size}",

  refreshes: "تتجدد هذه القراءات تلقائيًا.",
};
