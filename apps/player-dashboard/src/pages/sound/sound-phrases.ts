import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  volume: "Volume",
  maxVolume: "Maximum volume",
  maxVolumeHint: "Applies everywhere: this page, buttons, cards, schedules and the adhan.",
  power: "After a power cut",
  autoResume: "Resume automatically",
  autoResumeHint: "If something was playing when the power failed, it resumes when the power is back.",
  lifting: "Cards",
  liftingLabel: "When a card is removed, playback",
  liftingHint: "A card can have its own setting. This one applies to all other cards.",
  removals: { continue: "Continues", pause: "Pauses", stop: "Stops" },
  radio: "Radio",
  retry: "If a station stops responding",
  retryHint: "How long the player tries to reconnect before it stops.",
  forever: "Keep trying",
  retryMinutes: { one: "Try for # minute", other: "Try for # minutes" },
  retryHours: { one: "Try for # hour", other: "Try for # hours" },
  privateStreams: "Allow streams from my own network",
  privateStreamsHint: "Only needed for a stream from a computer at home or in the mosque.",
  privateWarning:
    "Anyone who can control this player can now make it connect to other devices in your network, such as the router. Turn this off when you do not need it.",
};

const arabic: Phrases<typeof english> = {
  volume: "الصوت",
  maxVolume: "أعلى مستوى للصوت",
  maxVolumeHint: "يسري على الجميع: في هذه الصفحة، وبالأزرار، وللبطاقات والمواعيد والأذان.",
  power: "بعد انقطاع الكهرباء",
  autoResume: "المتابعة تلقائيًا",
  autoResumeHint: "إن كان شيء يُشغَّل حين انقطعت الكهرباء، تابع المشغّل من حيث توقف عند عودتها.",
  lifting: "البطاقات",
  liftingLabel: "عند رفع البطاقة، التشغيل",
  liftingHint: "يمكن أن يكون لبطاقة حكمها الخاص، وهذا لسائر البطاقات.",
  removals: { continue: "يستمر", pause: "يتوقّف مؤقتًا", stop: "يتوقف" },
  radio: "الإذاعة",
  retry: "إذا انقطعت الإذاعة",
  retryHint: "المدة التي يظل المشغّل يحاول فيها الوصول إليها، ثم يتوقف.",
  forever: "يحاول دون توقف",
  retryMinutes: {
    one: "يحاول دقيقة واحدة",
    two: "يحاول دقيقتين",
    few: "يحاول # دقائق",
    many: "يحاول # دقيقة",
    other: "يحاول # دقيقة",
  },
  retryHours: {
    one: "يحاول ساعة واحدة",
    two: "يحاول ساعتين",
    few: "يحاول # ساعات",
    many: "يحاول # ساعة",
    other: "يحاول # ساعة",
  },
  privateStreams: "السماح بالبث من شبكتي",
  privateStreamsHint: "لا حاجة إليه إلا إذا كان حاسوب في البيت أو المسجد يبث بنفسه.",
  privateWarning:
    "يستطيع الآن من يملك تغيير إعدادات هذا المشغّل أن يجعله يتصل بأجهزة أخرى في شبكتك، كجهاز التوجيه. أوقفه حين لا تحتاج إليه.",
};

export const soundPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
