import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  clock: "The player's clock",
  noClockWarning:
    "The adhan and schedules do not play until the clock is set. Connect the player to the internet, or set the clock below.",
  /** `{temperature}` in degrees Celsius. */
  chip: "The clock chip keeps the time without power ({temperature} °C).",
  phoneSame: "The player and this device show the same time.",
  phoneAhead: {
    one: "This device is # second ahead of the player.",
    other: "This device is # seconds ahead of the player.",
  },
  phoneBehind: {
    one: "This device is # second behind the player.",
    other: "This device is # seconds behind the player.",
  },
  phoneFar: "This device and the player differ by more than an hour. Check which one is correct.",
  setFromPhone: "Use this device's time",
  setFromPhoneHint: "When the player is online, it sets its clock automatically.",
  wasSet: "The clock is set.",
  form: "Time format",
  twelve: "5:42 PM",
  twentyFour: "17:42",
  zone: "Time zone",
  zoneLabel: "City",
  zoneHint: "Choose a city in your time zone. Daylight saving time is automatic.",
  moroccoHint:
    "In Ramadan, Morocco sets its clocks back by an hour. The player cannot do this automatically: choose Reykjavik for that month, and Casablanca after it. Adhans sound at the right moment either way.",
  usePhoneZone: "Use this device's time zone: {zone}",
  otherZones: "My time zone is not listed",
  ownRule: "Custom rule: {rule}",
  rule: "POSIX rule",
  ruleHint:
    "Advanced. For example, <+03>-3 is three hours ahead of UTC, and CET-1CEST,M3.5.0,M10.5.0/3 has daylight saving time.",
  ruleEmpty: "Enter a rule such as <+03>-3.",
  useRule: "Use this rule",
  zoneSaved: "Time zone saved.",
};

const arabic: Phrases<typeof english> = {
  clock: "ساعة المشغّل",
  noClockWarning: "لن يعمل الأذان ولا المواعيد حتى تُضبط الساعة. صِل المشغّل بالإنترنت، أو اضبط الساعة أدناه.",
  chip: "تحفظ شريحة الساعة الوقت دون كهرباء ({temperature}° م).",
  phoneSame: "المشغّل وهذا الجهاز يعرضان الوقت نفسه.",
  phoneAhead: {
    one: "هذا الجهاز متقدم على المشغّل بثانية واحدة.",
    two: "هذا الجهاز متقدم على المشغّل بثانيتين.",
    few: "هذا الجهاز متقدم على المشغّل بـ# ثوانٍ.",
    other: "هذا الجهاز متقدم على المشغّل بـ# ثانية.",
  },
  phoneBehind: {
    one: "هذا الجهاز متأخر عن المشغّل بثانية واحدة.",
    two: "هذا الجهاز متأخر عن المشغّل بثانيتين.",
    few: "هذا الجهاز متأخر عن المشغّل بـ# ثوانٍ.",
    other: "هذا الجهاز متأخر عن المشغّل بـ# ثانية.",
  },
  phoneFar: "الفرق بين هذا الجهاز والمشغّل أكثر من ساعة. تحقق أيهما الصحيح.",
  setFromPhone: "استخدم وقت هذا الجهاز",
  setFromPhoneHint: "مع الإنترنت يضبط المشغّل ساعته بنفسه، وما تضبطه هنا يبقى إلى ذلك الحين.",
  wasSet: "ضُبطت الساعة.",
  form: "صيغة الوقت",
  twelve: "٥:٤٢ م",
  twentyFour: "١٧:٤٢",
  zone: "المنطقة الزمنية",
  zoneLabel: "مكان المشغّل",
  zoneHint: "اختر مدينة في منطقتك الزمنية. التوقيت الصيفي تلقائي.",
  moroccoHint:
    "في رمضان يؤخّر المغرب ساعته ساعة واحدة، ولا يفعل المشغّل ذلك تلقائيًا: اختر ريكيافيك (Reykjavik) في ذلك الشهر، ثم الدار البيضاء (Casablanca) بعده. أما الأذان ففي وقته في الحالين.",
  usePhoneZone: "استعمل منطقة هذا الجهاز: {zone}",
  otherZones: "منطقتي ليست في القائمة",
  ownRule: "قاعدة خاصة: {rule}",
  rule: "قاعدة POSIX",
  ruleHint:
    "لمن يعرفها: \u2066<+03>-3\u2069 متقدمة ثلاث ساعات على التوقيت العالمي، و\u2066CET-1CEST,M3.5.0,M10.5.0/3\u2069 فيها توقيت صيفي.",
  ruleEmpty: "أدخل قاعدة مثل \u2066<+03>-3\u2069.",
  useRule: "استعمل هذه القاعدة",
  zoneSaved: "حُفظت المنطقة الزمنية.",
};

export const timePhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
