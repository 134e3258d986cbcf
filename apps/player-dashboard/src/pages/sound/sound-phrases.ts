import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface SoundPhrases {
  volume: string;
  maxVolume: string;
  maxVolumeHint: string;
  power: string;
  autoResume: string;
  autoResumeHint: string;
  lifting: string;
  liftingLabel: string;
  liftingHint: string;
  removals: Readonly<Record<"continue" | "pause" | "stop", string>>;
  radio: string;
  retry: string;
  retryHint: string;
  forever: string;
  retryMinutes: PluralForms;
  retryHours: PluralForms;
  privateStreams: string;
  privateStreamsHint: string;
  privateWarning: string;
}

const english: SoundPhrases = {
  volume: "Volume",
  maxVolume: "Never louder than",
  maxVolumeHint: "Holds for everyone: on this page, at the buttons, for cards, schedules and the adhan.",
  power: "After a power cut",
  autoResume: "Go on by itself",
  autoResumeHint: "If something was playing when the power went, it goes on from there when the power is back.",
  lifting: "Cards",
  liftingLabel: "When a card is lifted, playback",
  liftingHint: "A card can have its own rule; this one holds for all others.",
  removals: { continue: "Goes on", pause: "Pauses", stop: "Stops" },
  radio: "Radio",
  retry: "When a station falls silent",
  retryHint: "For how long the player keeps trying to reach it again. Then it stops.",
  forever: "Try for ever",
  retryMinutes: { one: "Try for # minute", other: "Try for # minutes" },
  retryHours: { one: "Try for # hour", other: "Try for # hours" },
  privateStreams: "Allow streams from my own network",
  privateStreamsHint: "Only needed when a computer at home or in the mosque sends the stream itself.",
  privateWarning:
    "Whoever may change this player can now make it call other devices in your network, such as the router. Turn it off when you do not need it.",
};

const arabic: SoundPhrases = {
  volume: "الصوت",
  maxVolume: "لا يعلو فوق",
  maxVolumeHint: "يسري على الجميع: في هذه الصفحة، وبالأزرار، وللبطاقات والمواعيد والأذان.",
  power: "بعد انقطاع الكهرباء",
  autoResume: "المتابعة تلقائيًا",
  autoResumeHint: "إن كان شيء يُشغَّل حين انقطعت الكهرباء، تابع المشغّل من حيث توقف عند عودتها.",
  lifting: "البطاقات",
  liftingLabel: "عند رفع البطاقة، التشغيل",
  liftingHint: "يمكن أن يكون لبطاقة حكمها الخاص، وهذا لسائر البطاقات.",
  removals: { continue: "يستمر", pause: "يُعلَّق", stop: "يتوقف" },
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

export const soundPhrases: Translations<SoundPhrases> = { en: english, ar: arabic };
