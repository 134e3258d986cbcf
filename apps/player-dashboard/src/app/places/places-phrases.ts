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
  cityHint: "In English or Arabic. If yours is not there, the nearest large one is fine.",
  results: "Cities found",
  found: { one: "# city found", other: "# cities found" },
  nothing: "No such city in the list. Try a larger one nearby, or enter coordinates.",
  nearYou: "By this phone's time zone you may be near:",
  usePhone: "Use this phone's location",
  asking: "Asking this phone…",
  denied: "This phone does not share its location with this page. Choose a city instead.",
  unknown: "This phone does not know where it is. Choose a city instead.",
  typeCoordinates: "Enter coordinates",
  latitude: "Latitude",
  latitudeHint: "Degrees north, such as 31.95; south of the equator with a minus.",
  longitude: "Longitude",
  longitudeHint: "Degrees east, such as 35.93; west of Greenwich with a minus.",
  badLatitude: "A number from -90 to 90.",
  badLongitude: "A number from -180 to 180.",
  useCoordinates: "Use these",
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
  nothing: "لا توجد مدينة كهذه في القائمة. جرّب مدينة أكبر قريبة منك، أو أدخل الإحداثيات.",
  nearYou: "بحسب المنطقة الزمنية لهذا الهاتف قد تكون قريبًا من:",
  usePhone: "استخدم موقع هذا الهاتف",
  asking: "نسأل الهاتف…",
  denied: "لا يشارك هذا الهاتف موقعه مع هذه الصفحة. اختر مدينة بدلًا من ذلك.",
  unknown: "لا يعرف هذا الهاتف مكانه. اختر مدينة بدلًا من ذلك.",
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
