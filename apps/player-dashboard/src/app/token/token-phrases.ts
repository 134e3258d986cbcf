import type { Translations } from "../language/translations.ts";
import type { PairingHint } from "./pairing.ts";
import type { Trouble } from "./unlock.ts";

interface TokenPhrases extends Record<PairingHint, string>, Record<Trouble, string> {
  title: string;
  needed: string;
  refused: string;
  label: string;
  tokenToo: string;
  unlock: string;
  later: string;
}

export const tokenPhrases: Translations<TokenPhrases> = {
  en: {
    title: "Unlock this player",
    needed: "Only the owner can make changes. You unlock the player once in this browser.",
    refused: "This browser's key is no longer valid. Unlock the player again.",
    label: "Code or token",
    onScreen: "The player's screen shows a QR code and six digits. Scan the QR code, or type the digits here.",
    holdForScreen:
      "Hold the player's button for two seconds. Its screen then shows a QR code to scan and six digits to type here.",
    holdForSound:
      "Hold the player's button for two seconds, then count its tones: six groups, one for each digit. Ten tones mean 0. Type the six digits here.",
    onConsole: "The player's console shows six digits. Type them here.",
    holdForConsole: "Hold the player's button for two seconds. Its console then shows six digits to type here.",
    noCode:
      "On a phone that is already unlocked, open Settings and “On your home screen”: that page shows a code to type here.",
    tokenToo: "Or enter the token, 64 letters and digits. The command “manara-player token” on the player shows it.",
    malformed: "Type the six digits of the code, or the 64 characters of the token.",
    wrong: "Wrong code or token. Check it and try again.",
    closed: "This code is no longer valid. Get a new one.",
    tooMany: "Too many wrong codes. Hold the player's button for a new code, or try again later.",
    noAnswer: "The player did not respond. Try again.",
    unlock: "Unlock",
    later: "Not now",
  },
  ar: {
    title: "افتح قفل المشغّل",
    needed: "لا يغيّر إعدادات المشغّل إلا صاحبه. تفتح قفله مرة واحدة في هذا المتصفح.",
    refused: "لم يعد مفتاح هذا المتصفح صالحًا. افتح قفل المشغّل من جديد.",
    label: "الرمز",
    onScreen: "تعرض شاشة المشغّل رمز QR وستة أرقام. امسح رمز QR أو اكتب الأرقام هنا.",
    holdForScreen: "اضغط زر المشغّل ثانيتين، فتعرض شاشته رمز QR لتمسحه وستة أرقام لتكتبها هنا.",
    holdForSound:
      "اضغط زر المشغّل ثانيتين، ثم عُدّ نغماته: ست مجموعات، لكل رقم مجموعة، وعشر نغمات تعني صفرًا. اكتب الأرقام الستة هنا.",
    onConsole: "تعرض شاشة أوامر المشغّل ستة أرقام. اكتبها هنا.",
    holdForConsole: "اضغط زر المشغّل ثانيتين، فتعرض شاشة أوامره ستة أرقام لتكتبها هنا.",
    noCode: "من هاتف مفتوح القفل، افتح الإعدادات ثم «على شاشتك الرئيسية»: تعرض تلك الصفحة رمزًا لتكتبه هنا.",
    tokenToo: "أو أدخل الرمز الطويل، وهو ٦٤ حرفًا ورقمًا يعرضها الأمر «manara-player token» على المشغّل.",
    malformed: "اكتب أرقام الرمز الستة، أو الرمز الطويل وهو ٦٤ خانة.",
    wrong: "الرمز خاطئ. تحقق منه وحاول مرة أخرى.",
    closed: "انتهت صلاحية هذا الرمز. احصل على رمز جديد.",
    tooMany: "محاولات خاطئة كثيرة. اضغط زر المشغّل ثانيتين لرمز جديد، أو حاول لاحقًا.",
    noAnswer: "لم يستجب المشغّل. حاول مرة أخرى.",
    unlock: "افتح القفل",
    later: "ليس الآن",
  },
};
