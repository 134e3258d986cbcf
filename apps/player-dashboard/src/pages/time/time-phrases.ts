import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface TimePhrases {
  clock: string;
  noClockWarning: string;
  /** `{temperature}` in degrees Celsius. */
  chip: string;
  phoneSame: string;
  phoneAhead: PluralForms;
  phoneBehind: PluralForms;
  phoneFar: string;
  setFromPhone: string;
  setFromPhoneHint: string;
  wasSet: string;
  form: string;
  twelve: string;
  twentyFour: string;
  zone: string;
  zoneLabel: string;
  zoneHint: string;
  /** `{zone}`. */
  usePhoneZone: string;
  otherZones: string;
  /** `{rule}`. */
  ownRule: string;
  rule: string;
  ruleHint: string;
  ruleEmpty: string;
  useRule: string;
  zoneSaved: string;
}

const english: TimePhrases = {
  clock: "The player's clock",
  noClockWarning:
    "Until the player knows the time, no adhan and no schedule plays. Connect it to the internet, or set the clock below.",
  chip: "Its clock chip keeps the time without power ({temperature} °C).",
  phoneSame: "The player and this phone agree.",
  phoneAhead: {
    one: "This phone is # second ahead of the player.",
    other: "This phone is # seconds ahead of the player.",
  },
  phoneBehind: {
    one: "This phone is # second behind the player.",
    other: "This phone is # seconds behind the player.",
  },
  phoneFar: "This phone and the player are more than an hour apart. Which of them is right?",
  setFromPhone: "Set by this phone",
  setFromPhoneHint: "With internet the player sets its clock by itself, and what you set here lasts until then.",
  wasSet: "The player has the time of this phone.",
  form: "How the time is written",
  twelve: "5:42 PM",
  twentyFour: "17:42",
  zone: "Time zone",
  zoneLabel: "Where the player stands",
  zoneHint: "Choose the city whose clocks go as yours do. Summer time is taken care of.",
  usePhoneZone: "Use this phone's: {zone}",
  otherZones: "My zone is not in the list",
  ownRule: "Own rule: {rule}",
  rule: "POSIX rule",
  ruleHint: "For those who know: <+03>-3 is three hours ahead of UTC; CET-1CEST,M3.5.0,M10.5.0/3 has summer time.",
  ruleEmpty: "Enter a rule such as <+03>-3.",
  useRule: "Use this rule",
  zoneSaved: "The player goes by its new time zone.",
};

const arabic: TimePhrases = {
  clock: "ساعة المشغّل",
  noClockWarning: "لن يُرفع أذان ولن يعمل موعد حتى يعرف المشغّل الوقت. صِله بالإنترنت، أو اضبط ساعته أدناه.",
  chip: "تحفظ شريحة الساعة الوقت دون كهرباء ({temperature}° م).",
  phoneSame: "المشغّل وهذا الهاتف متفقان.",
  phoneAhead: {
    one: "هذا الهاتف متقدم على المشغّل بثانية واحدة.",
    two: "هذا الهاتف متقدم على المشغّل بثانيتين.",
    few: "هذا الهاتف متقدم على المشغّل بـ# ثوانٍ.",
    other: "هذا الهاتف متقدم على المشغّل بـ# ثانية.",
  },
  phoneBehind: {
    one: "هذا الهاتف متأخر عن المشغّل بثانية واحدة.",
    two: "هذا الهاتف متأخر عن المشغّل بثانيتين.",
    few: "هذا الهاتف متأخر عن المشغّل بـ# ثوانٍ.",
    other: "هذا الهاتف متأخر عن المشغّل بـ# ثانية.",
  },
  phoneFar: "بين هذا الهاتف والمشغّل أكثر من ساعة. أيهما الصحيح؟",
  setFromPhone: "اضبطه على هذا الهاتف",
  setFromPhoneHint: "مع الإنترنت يضبط المشغّل ساعته بنفسه، وما تضبطه هنا يبقى إلى ذلك الحين.",
  wasSet: "أصبح للمشغّل وقت هذا الهاتف.",
  form: "كيف يُكتب الوقت",
  twelve: "٥:٤٢ م",
  twentyFour: "١٧:٤٢",
  zone: "المنطقة الزمنية",
  zoneLabel: "مكان المشغّل",
  zoneHint: "اختر المدينة التي تسير ساعتها كساعتك. والتوقيت الصيفي محسوب.",
  usePhoneZone: "استعمل منطقة هذا الهاتف: {zone}",
  otherZones: "منطقتي ليست في القائمة",
  ownRule: "قاعدة خاصة: {rule}",
  rule: "قاعدة POSIX",
  ruleHint:
    "لمن يعرفها: \u2066<+03>-3\u2069 متقدمة ثلاث ساعات على التوقيت العالمي، و\u2066CET-1CEST,M3.5.0,M10.5.0/3\u2069 فيها توقيت صيفي.",
  ruleEmpty: "أدخل قاعدة مثل \u2066<+03>-3\u2069.",
  useRule: "استعمل هذه القاعدة",
  zoneSaved: "يسير المشغّل على منطقته الزمنية الجديدة.",
};

export const timePhrases: Translations<TimePhrases> = { en: english, ar: arabic };
