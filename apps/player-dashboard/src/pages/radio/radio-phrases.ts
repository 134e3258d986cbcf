import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface RadioPhrases {
  add: string;
  addFirst: string;
  none: string;
  noneHint: string;
  stations: string;
  /** `{station}`, here and in the next ones. */
  play: string;
  favorite: string;
  remove: string;
  /** `{when}`. */
  playedAt: string;
  neverPlayed: string;
  neverWorked: string;
  playsNow: string;
  removeTitle: string;
  removeQuestion: string;
  removeYes: string;
  keep: string;
  removed: string;

  now: string;
  connecting: string;
  buffering: string;
  silent: string;
  nextTry: PluralForms;
  playing: string;
  paused: string;
  stop: string;
  resume: string;
  saveThis: string;

  addTitle: string;
  name: string;
  nameHint: string;
  address: string;
  addressHint: string;
  tryIt: string;
  tryHint: string;
  save: string;
  cancel: string;
  saved: string;
  renamed: string;
  nameMissing: string;
  addressMissing: string;
}

const english: RadioPhrases = {
  add: "Add a station",
  addFirst: "Add your first station",
  none: "No stations yet",
  noneHint: "Save the web address of a radio station, such as a Qur'an station, to play it with one tap.",
  stations: "Stations",
  play: "Play {station}",
  favorite: "Favorite: {station}",
  remove: "Remove {station}",
  playedAt: "Last played {when}",
  neverPlayed: "Never played",
  neverWorked: "Never connected",
  playsNow: "Playing",
  removeTitle: "Remove this station?",
  removeQuestion: "{station} is removed from the list. Cards and schedules that use it will stop working.",
  removeYes: "Remove",
  keep: "Keep it",
  removed: "Station removed.",

  now: "Now on the radio",
  connecting: "Connecting…",
  buffering: "Buffering…",
  silent: "The station is not responding.",
  nextTry: { one: "Trying again in # second", other: "Trying again in # seconds" },
  playing: "Playing",
  paused: "Paused",
  stop: "Stop",
  resume: "Go on",
  saveThis: "Save this station",

  addTitle: "Add a station",
  name: "Name",
  nameHint: "Any name you like.",
  address: "Web address of the stream",
  addressHint: "Starts with http:// or https://. Look for “listen live” on the station's website.",
  tryIt: "Try it",
  tryHint: "“Try it” plays the station without saving it.",
  save: "Save",
  cancel: "Cancel",
  saved: "Station saved.",
  renamed: "This address was already saved. It now has the new name.",
  nameMissing: "Give the station a name.",
  addressMissing: "Enter the station's web address.",
};

const arabic: RadioPhrases = {
  add: "أضف إذاعة",
  addFirst: "أضف أول إذاعة",
  none: "لا إذاعات بعد",
  noneHint: "احفظ عنوان إذاعة على الشبكة، كإذاعة القرآن الكريم، لتسمعها بلمسة واحدة.",
  stations: "الإذاعات",
  play: "شغّل {station}",
  favorite: "في المفضلة: {station}",
  remove: "احذف {station}",
  playedAt: "آخر استماع: {when}",
  neverPlayed: "لم تُسمع بعد",
  neverWorked: "لم يتم الاتصال بها",
  playsNow: "تعمل الآن",
  removeTitle: "أتحذف هذه الإذاعة؟",
  removeQuestion: "تُحذف {station} من القائمة، ولن تجدها البطاقات والمواعيد التي تشغّلها.",
  removeYes: "حذف",
  keep: "احتفظ بها",
  removed: "حُذفت الإذاعة.",

  now: "في الإذاعة الآن",
  connecting: "جارٍ الاتصال…",
  buffering: "جارٍ التحميل…",
  silent: "الإذاعة لا تستجيب.",
  nextTry: {
    zero: "المحاولة التالية الآن",
    one: "المحاولة التالية بعد ثانية",
    two: "المحاولة التالية بعد ثانيتين",
    few: "المحاولة التالية بعد # ثوانٍ",
    other: "المحاولة التالية بعد # ثانية",
  },
  playing: "تعمل الآن",
  paused: "موقوفة مؤقتًا",
  stop: "إيقاف",
  resume: "متابعة",
  saveThis: "احفظ هذه الإذاعة",

  addTitle: "إضافة إذاعة",
  name: "الاسم",
  nameHint: "الاسم الذي تختاره لها.",
  address: "عنوان البث على الشبكة",
  addressHint: "يبدأ بـ \u2066http://\u2069 أو \u2066https://\u2069، وتجده في موقع الإذاعة، غالبًا باسم «البث المباشر».",
  tryIt: "جرّبه",
  tryHint: "«جرّبه» يشغّل العنوان دون حفظه.",
  save: "حفظ",
  cancel: "إلغاء",
  saved: "حُفظت الإذاعة.",
  renamed: "هذا العنوان محفوظ من قبل، وصار له الاسم الجديد.",
  nameMissing: "أعطِ الإذاعة اسمًا.",
  addressMissing: "أدخل عنوان الإذاعة.",
};

export const radioPhrases: Translations<RadioPhrases> = { en: english, ar: arabic };
