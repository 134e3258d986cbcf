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
  tokenScan: string;
  tokenType: string;
  placeTitle: string;
  placeText: string;
  placeIs: string;
  /** `{method}` and `{asr}`. */
  methodThere: string;
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
  adhanIsOn: string;
  doneTitle: string;
  /** `{prayer}` and `{time}`. */
  nextAdhan: string;
  nextPrayer: string;
  willPlay: string;
  adhanOff: string;
  lookAt: string;
  toPlayer: string;
  toPrayer: string;
}

const english: WelcomePhrases = {
  progress: "Step {step} of {all}",
  back: "Back",
  next: "Next",
  skip: "Skip the guide",
  languageTitle: "Welcome",
  languageText: "Two minutes, and the player knows your prayer times. Which language do you read?",
  tokenTitle: "Is this your player?",
  tokenText: "Only its owner may change it. The player proves that with a token, which this browser asks for once.",
  tokenScan: "Easiest: press the button on the player and scan the code on its screen with this phone.",
  tokenType: "Or type it in here.",
  placeTitle: "Where is the player?",
  placeText: "Prayer times follow the sun. The place stays on the player; nobody else learns of it.",
  placeIs: "Your place",
  methodThere: "Usual method there: {method}, Asr {asr}",
  zoneThere: "Time zone: {zone}",
  laterChange: "All of this can be changed later.",
  usePlace: "Use this place",
  otherPlace: "Another place",
  keepPlace: "Keep this place",
  timeTitle: "Is this the right time?",
  timeOfPlayer: "The player's clock",
  timeRight: "The same as on this phone.",
  timeWrong: "This phone shows another time.",
  takeTime: "Take this phone's time",
  zoneDiffers: "The player's time zone is {player}, this phone's is {phone}.",
  takeZone: "Take this phone's time zone",
  clockStyle: "How do you read the clock?",
  adhanTitle: "Shall the player call to prayer?",
  adhanText: "The adhan sounds by itself, also while something else plays; that goes on afterwards.",
  switchOn: "Yes, switch the adhan on",
  withoutAdhan: "No adhan",
  whichPrayers: "For which prayers?",
  adhanIsOn: "Call to prayer",
  doneTitle: "The player is ready",
  nextAdhan: "Next adhan: {prayer}, {time}",
  nextPrayer: "Next prayer: {prayer}, {time}",
  willPlay: "The adhan will play.",
  adhanOff: "The adhan is off. You can switch it on under Prayer at any time.",
  lookAt: "Worth knowing",
  toPlayer: "To the player",
  toPrayer: "See prayer times",
};

const arabic: WelcomePhrases = {
  progress: "الخطوة {step} من {all}",
  back: "رجوع",
  next: "التالي",
  skip: "تخطَّ الدليل",
  languageTitle: "أهلًا وسهلًا",
  languageText: "دقيقتان ويعرف المشغّل أوقات صلاتك. بأي لغة تقرأ؟",
  tokenTitle: "هل هذا المشغّل لك؟",
  tokenText: "لا يغيّره إلا صاحبه. يثبت ذلك رمز يطلبه هذا المتصفح مرة واحدة.",
  tokenScan: "الأسهل: اضغط زر المشغّل وامسح الرمز الظاهر على شاشته بهذا الهاتف.",
  tokenType: "أو اكتبه هنا.",
  placeTitle: "أين المشغّل؟",
  placeText: "أوقات الصلاة تتبع الشمس. يبقى المكان على المشغّل ولا يعرفه أحد سواك.",
  placeIs: "مكانك",
  methodThere: "الطريقة المعتادة هناك: {method}، العصر: {asr}",
  zoneThere: "المنطقة الزمنية: {zone}",
  laterChange: "يمكن تغيير كل هذا لاحقًا.",
  usePlace: "استخدم هذا المكان",
  otherPlace: "مكان آخر",
  keepPlace: "أبقِ هذا المكان",
  timeTitle: "هل هذا هو الوقت الصحيح؟",
  timeOfPlayer: "ساعة المشغّل",
  timeRight: "كما في هذا الهاتف.",
  timeWrong: "يعرض هذا الهاتف وقتًا آخر.",
  takeTime: "خذ وقت هذا الهاتف",
  zoneDiffers: "المنطقة الزمنية للمشغّل {player}، ولهذا الهاتف {phone}.",
  takeZone: "خذ المنطقة الزمنية لهذا الهاتف",
  clockStyle: "كيف تقرأ الساعة؟",
  adhanTitle: "هل يرفع المشغّل الأذان؟",
  adhanText: "يُرفع الأذان تلقائيًا، ولو كان شيء آخر يُسمع، ثم يُستأنف ما كان.",
  switchOn: "نعم، فعّل الأذان",
  withoutAdhan: "بلا أذان",
  whichPrayers: "لأي الصلوات؟",
  adhanIsOn: "الأذان",
  doneTitle: "المشغّل جاهز",
  nextAdhan: "الأذان القادم: {prayer}، {time}",
  nextPrayer: "الصلاة القادمة: {prayer}، {time}",
  willPlay: "سيُرفع الأذان.",
  adhanOff: "الأذان متوقف. يمكنك تفعيله متى شئت من صفحة الصلاة.",
  lookAt: "يحسن أن تعرف",
  toPlayer: "إلى المشغّل",
  toPrayer: "اعرض أوقات الصلاة",
};

export const welcomePhrases: Translations<WelcomePhrases> = { en: english, ar: arabic };
