import type { Translations } from "../../app/language/translations.ts";

interface WelcomePhrases {
  /** `{step}` and `{all}`. */
  progress: string;
  back: string;
  next: string;
  skip: string;
  languageTitle: string;
  languageText: string;
  tokenTitle: string;
  tokenText: string;
  wifiTitle: string;
  wifiText: string;
  placeTitle: string;
  placeText: string;
  placeIs: string;
  /** `{zone}`. */
  zoneThere: string;
  laterChange: string;
  usePlace: string;
  otherPlace: string;
  keepPlace: string;
  timeTitle: string;
  timeOfPlayer: string;
  timeRight: string;
  timeWrong: string;
  takeTime: string;
  /** `{player}` and `{phone}`: time zones. */
  zoneDiffers: string;
  takeZone: string;
  clockStyle: string;
  adhanTitle: string;
  adhanText: string;
  switchOn: string;
  withoutAdhan: string;
  whichPrayers: string;
  /** `{time}`. */
  todayAt: string;
  /** `{date}`: the Hijri date. */
  hijriToday: string;
  adhanIsOn: string;
  doneTitle: string;
  /** `{prayer}` and `{time}`. */
  nextAdhan: string;
  nextPrayer: string;
  willPlay: string;
  adhanOff: string;
  lookAt: string;
  toPlayer: string;
  addRecording: string;
  toPrayer: string;
}

const english: WelcomePhrases = {
  progress: "Step {step} of {all}",
  back: "Back",
  next: "Next",
  skip: "Skip set-up",
  languageTitle: "Welcome",
  languageText: "Set-up takes two minutes. Choose your language.",
  tokenTitle: "Is this your player?",
  tokenText: "Only the owner can change it. You unlock it once on this phone.",
  wifiTitle: "Connect the player to your Wi-Fi",
  wifiText: "Your phone then reaches the player in your own network. Without Wi-Fi, continue with “Next”.",
  placeTitle: "Where is the player?",
  placeText: "Prayer times depend on your location. Your location never leaves the player.",
  placeIs: "Your location",
  zoneThere: "Time zone: {zone}",
  laterChange: "You can change all of this later.",
  usePlace: "Use this location",
  otherPlace: "Choose another",
  keepPlace: "Keep this location",
  timeTitle: "Is this the right time?",
  timeOfPlayer: "The player's clock",
  timeRight: "Same as on this device.",
  timeWrong: "This device shows a different time.",
  takeTime: "Use this device's time",
  zoneDiffers: "The player's time zone is {player}, this device's is {phone}.",
  takeZone: "Use this device's time zone",
  clockStyle: "Time format",
  adhanTitle: "Play the adhan at prayer times?",
  adhanText: "The adhan interrupts whatever is playing, which then resumes.",
  switchOn: "Yes, play the adhan",
  withoutAdhan: "No adhan",
  whichPrayers: "For which prayers?",
  todayAt: "Today at {time}",
  hijriToday: "The player counts today as {date}. You can correct it on the Prayer page, under Calculation.",
  adhanIsOn: "Adhan",
  doneTitle: "The player is ready",
  nextAdhan: "Next adhan: {prayer}, {time}",
  nextPrayer: "Next prayer: {prayer}, {time}",
  willPlay: "The adhan will play.",
  adhanOff: "The adhan is off. You can switch it on at any time on the Prayer page.",
  lookAt: "Check this first",
  toPlayer: "Start listening",
  addRecording: "Add an adhan recording",
  toPrayer: "See prayer times",
};

const arabic: WelcomePhrases = {
  progress: "الخطوة {step} من {all}",
  back: "رجوع",
  next: "التالي",
  skip: "تخطَّ الإعداد",
  languageTitle: "أهلًا وسهلًا",
  languageText: "يستغرق الإعداد دقيقتين. اختر لغتك.",
  tokenTitle: "هل هذا المشغّل لك؟",
  tokenText: "لا يغيّر إعداداته إلا صاحبه. افتح قفله مرة واحدة على هذا الهاتف.",
  wifiTitle: "وصّل المشغّل بشبكة بيتك",
  wifiText: "بعد ذلك يصل هاتفك إلى المشغّل من شبكة بيتك. وإن لم تكن لديك شبكة فاضغط «التالي».",
  placeTitle: "أين المشغّل؟",
  placeText: "تعتمد أوقات الصلاة على موقعك، وموقعك لا يغادر المشغّل.",
  placeIs: "مكانك",
  zoneThere: "المنطقة الزمنية: {zone}",
  laterChange: "يمكن تغيير كل هذا لاحقًا.",
  usePlace: "استخدم هذا المكان",
  otherPlace: "مكان آخر",
  keepPlace: "أبقِ هذا المكان",
  timeTitle: "هل هذا هو الوقت الصحيح؟",
  timeOfPlayer: "ساعة المشغّل",
  timeRight: "كما في هذا الجهاز.",
  timeWrong: "يعرض هذا الجهاز وقتًا آخر.",
  takeTime: "استخدم وقت هذا الجهاز",
  zoneDiffers: "المنطقة الزمنية للمشغّل {player}، ولهذا الجهاز {phone}.",
  takeZone: "استخدم المنطقة الزمنية لهذا الجهاز",
  clockStyle: "صيغة الوقت",
  adhanTitle: "هل تريد تشغيل الأذان في أوقات الصلاة؟",
  adhanText: "يقطع الأذان ما يُشغَّل، ثم يُستأنف بعده.",
  switchOn: "نعم، فعّل الأذان",
  withoutAdhan: "بلا أذان",
  whichPrayers: "لأي الصلوات؟",
  todayAt: "اليوم {time}",
  hijriToday: "اليوم عند المشغّل {date}. يمكنك تصحيحه من صفحة الصلاة، في «طريقة الحساب».",
  adhanIsOn: "الأذان",
  doneTitle: "المشغّل جاهز",
  nextAdhan: "الأذان القادم: {prayer}، {time}",
  nextPrayer: "الصلاة القادمة: {prayer}، {time}",
  willPlay: "سيُرفع الأذان.",
  adhanOff: "الأذان متوقف. يمكنك تفعيله متى شئت من صفحة الصلاة.",
  lookAt: "تحقق من هذا أولًا",
  toPlayer: "ابدأ الاستماع",
  addRecording: "أضف تسجيلًا للأذان",
  toPrayer: "اعرض أوقات الصلاة",
};

export const welcomePhrases: Translations<WelcomePhrases> = { en: english, ar: arabic };
