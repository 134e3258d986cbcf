import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";
import type { Trouble } from "../token/unlock.ts";
import type { PairingHint } from "./pairing.ts";

interface TokenPhrases extends Record<PairingHint, string>, Record<Trouble, string> {
  title: string;
  needed: string;
  refused: string;
  /** Fills `{seconds}`: for how long a person holds the button. */
  seconds: PluralForms;
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
    seconds: { one: "# second", other: "# seconds" },
    scan: "Scan the QR code on the player's screen with your phone's camera: it opens this page unlocked. If the screen shows two QR codes, scan the second one.",
    holdForDigits:
      "Without a camera: hold the player's button for {seconds}. Its screen then also shows six digits to type here.",
    onScreen: "The player's screen shows a QR code and six digits. Scan the QR code, or type the digits here.",
    holdForScreen:
      "Hold the player's button for {seconds}. Its screen then shows a QR code to scan and six digits to type here.",
    holdForSound:
      "Hold the player's button for {seconds}, then count its tones: six groups, one for each digit. Ten tones mean 0. Type the six digits here.",
    runCommand: "Or run the command “{command}” on the player itself. It prints six digits to type here.",
    otherPhone:
      "On a phone that is already unlocked, open Settings and “On your home screen”: that page shows a QR code to scan and a link to paste here.",
    tokenToo: "Or enter the token, 64 letters and digits. The command “manara-player token” on the player shows it.",
    malformed: "Type the six digits of the code, or paste the link or the token.",
    wrong: "Wrong code or token. Check it and try again.",
    closed: "This code is no longer valid. Get a new one.",
    tooMany: "Too many wrong codes. Wait until this code has expired, then get a new one.",
    noAnswer: "The player did not respond. Try again.",
    unlock: "Unlock",
    later: "Not now",
  },
  ar: {
    title: "افتح قفل المشغّل",
    needed: "لا يغيّر إعدادات المشغّل إلا صاحبه. تفتح قفله مرة واحدة في هذا المتصفح.",
    refused: "لم يعد مفتاح هذا المتصفح صالحًا. افتح قفل المشغّل من جديد.",
    label: "الرمز",
    seconds: { one: "ثانية واحدة", two: "ثانيتين", few: "# ثوانٍ", other: "# ثانية" },
    scan: "امسح رمز QR المعروض على شاشة المشغّل بكاميرا هاتفك، فتُفتح هذه الصفحة دون قفل. إن عرضت الشاشة رمزين فامسح الثاني.",
    holdForDigits: "بلا كاميرا: اضغط زر المشغّل {seconds}، فتعرض شاشته أيضًا ستة أرقام لتكتبها هنا.",
    onScreen: "تعرض شاشة المشغّل رمز QR وستة أرقام. امسح رمز QR أو اكتب الأرقام هنا.",
    holdForScreen: "اضغط زر المشغّل {seconds}، فتعرض شاشته رمز QR لتمسحه وستة أرقام لتكتبها هنا.",
    holdForSound:
      "اضغط زر المشغّل {seconds}، ثم عُدّ نغماته: ست مجموعات، لكل رقم مجموعة، وعشر نغمات تعني صفرًا. اكتب الأرقام الستة هنا.",
    runCommand: "أو نفّذ الأمر «{command}» على المشغّل نفسه، فيطبع ستة أرقام لتكتبها هنا.",
    otherPhone:
      "من هاتف مفتوح القفل، افتح الإعدادات ثم «على شاشتك الرئيسية»: تعرض تلك الصفحة رمز QR لتمسحه ورابطًا لتلصقه هنا.",
    tokenToo: "أو أدخل الرمز الطويل، وهو ٦٤ حرفًا ورقمًا يعرضها الأمر «manara-player token» على المشغّل.",
    malformed: "اكتب أرقام الرمز الستة، أو ألصق الرابط أو الرمز الطويل.",
    wrong: "الرمز خاطئ. تحقق منه وحاول مرة أخرى.",
    closed: "انتهت صلاحية هذا الرمز. احصل على رمز جديد.",
    tooMany: "محاولات خاطئة كثيرة. انتظر حتى تنتهي صلاحية هذا الرمز، ثم احصل على رمز جديد.",
    noAnswer: "لم يستجب المشغّل. حاول مرة أخرى.",
    unlock: "افتح القفل",
    later: "ليس الآن",
  },
};
