import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";

interface PlacesPhrases {
  city: string;
  cityHint: string;
  results: string;
  found: PluralForms;
  nothing: string;
  nearYou: string;
  usePhone: string;
  asking: string;
  denied: string;
  unknown: string;
  typeCoordinates: string;
  latitude: string;
  latitudeHint: string;
  longitude: string;
  longitudeHint: string;
  badLatitude: string;
  badLongitude: string;
  useCoordinates: string;
  /** `{name}` and `{country}`. */
  inCountry: string;
  /** `{name}`. */
  near: string;
  /** `{degrees}`. */
  north: string;
  south: string;
  east: string;
  west: string;
  /** `{lat}` and `{lng}`. */
  coordinates: string;
}

const english: PlacesPhrases = {
  city: "City",
  cityHint: "In English or Arabic. If your city is not listed, choose the nearest large one.",
  results: "Cities found",
  found: { one: "# city found", other: "# cities found" },
  nothing: "City not found. Try a larger city nearby, or enter coordinates.",
  nearYou: "Suggestions from this device's time zone:",
  usePhone: "Use this device's location",
  asking: "Finding your location…",
  denied: "This page is not allowed to use this device's location. Choose a city instead.",
  unknown: "This device could not find its location. Choose a city instead.",
  typeCoordinates: "Enter coordinates",
  latitude: "Latitude",
  latitudeHint: "Degrees north, for example 31.95. Use a minus for south.",
  longitude: "Longitude",
  longitudeHint: "Degrees east, for example 35.93. Use a minus for west.",
  badLatitude: "Enter a number from -90 to 90.",
  badLongitude: "Enter a number from -180 to 180.",
  useCoordinates: "Use these coordinates",
  inCountry: "{name}, {country}",
  near: "Near {name}",
  north: "{degrees}° N",
  south: "{degrees}° S",
  east: "{degrees}° E",
  west: "{degrees}° W",
  coordinates: "{lat}, {lng}",
};

const arabic: PlacesPhrases = {
  city: "المدينة",
  cityHint: "بالعربية أو الإنجليزية. إن لم تجد مدينتك فأقرب مدينة كبيرة تكفي.",
  results: "المدن الموجودة",
  found: {
    zero: "لا توجد مدن",
    one: "وُجدت مدينة واحدة",
    two: "وُجدت مدينتان",
    few: "وُجدت # مدن",
    many: "وُجدت # مدينة",
    other: "وُجدت # مدينة",
  },
  nothing: "لم يُعثر على المدينة. جرّب مدينة أكبر قريبة منك، أو أدخل الإحداثيات.",
  nearYou: "بحسب المنطقة الزمنية لهذا الجهاز قد تكون قريبًا من:",
  usePhone: "استخدم موقع هذا الجهاز",
  asking: "جارٍ تحديد موقعك…",
  denied: "لا يشارك هذا الجهاز موقعه مع هذه الصفحة. اختر مدينة بدلًا من ذلك.",
  unknown: "تعذّر على هذا الجهاز تحديد موقعه. اختر مدينة بدلًا من ذلك.",
  typeCoordinates: "أدخل الإحداثيات",
  latitude: "خط العرض",
  latitudeHint: "درجات شمال خط الاستواء، مثل ٣١٫٩٥، وجنوبه بعلامة ناقص.",
  longitude: "خط الطول",
  longitudeHint: "درجات شرق غرينتش، مثل ٣٥٫٩٣، وغربها بعلامة ناقص.",
  badLatitude: "عدد من ‎-٩٠ إلى ٩٠.",
  badLongitude: "عدد من ‎-١٨٠ إلى ١٨٠.",
  useCoordinates: "استخدمها",
  inCountry: "{name}، {country}",
  near: "بالقرب من {name}",
  north: "{degrees}° شمالًا",
  south: "{degrees}° جنوبًا",
  east: "{degrees}° شرقًا",
  west: "{degrees}° غربًا",
  coordinates: "{lat}، {lng}",
};

export const placesPhrases: Translations<PlacesPhrases> = { en: english, ar: arabic };
