import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  /** What each `error` event means for a listener, and what to do about it. */
  events: {
    adhan: "The adhan could not be played as set. Check its recording and the sound.",
    audio: "No sound: the sound output stopped working. Check its cable, then press play.",
    card: "The memory card was removed. Insert it again to continue.",
    file: "This recording cannot be played. The file may be damaged.",
    nfc: "The card that was tapped could not do what it is set up for.",
    power: "The player could not go to sleep.",
    storage:
      "The player cannot save: its storage is full or read-only. Playback continues, but your position is not saved.",
    stream: "The station cannot be reached. Check its address and the internet connection.",
    token: "Many wrong tokens were tried on this player. If it was not you, check who uses your network.",
    wifi: "The player could not connect to the Wi-Fi network.",
  },
  soundDidNotStart: "No sound: the sound output did not start.",
  toDiagnostics: "See what is wrong",
};

const arabic: Phrases<typeof english> = {
  events: {
    adhan: "تعذّر تشغيل الأذان كما ضُبط. تحقّق من تسجيله ومن الصوت.",
    audio: "لا صوت: توقّف مخرج الصوت عن العمل. تحقّق من سلكه، ثم اضغط زر التشغيل.",
    card: "أُخرجت بطاقة الذاكرة. أعد إدخالها للمتابعة.",
    file: "تعذّر تشغيل هذا التسجيل. قد يكون الملف تالفًا.",
    nfc: "تعذّر على البطاقة الملموسة تنفيذ ما ضُبطت له.",
    power: "تعذّر إدخال المشغّل في وضع النوم.",
    storage: "تعذّر الحفظ: مساحة التخزين ممتلئة أو للقراءة فقط. يستمر التشغيل، ولكن لا يُحفظ موضعك.",
    stream: "تعذّر الاتصال بالإذاعة. تحقّق من عنوانها ومن الإنترنت.",
    token: "جُرّبت رموز خاطئة كثيرة على هذا المشغّل. إن لم تكن أنت، فتحقّق ممّن يستعمل شبكتك.",
    wifi: "تعذّر اتصال المشغّل بشبكة الواي فاي.",
  },
  soundDidNotStart: "لا صوت: تعذّر تشغيل مخرج الصوت.",
  toDiagnostics: "اعرف السبب",
};

export const errorPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
