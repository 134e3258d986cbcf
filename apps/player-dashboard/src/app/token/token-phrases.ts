import type { Translations } from "../language/translations.ts";

interface TokenPhrases {
  title: string;
  needed: string;
  refused: string;
  label: string;
  where: string;
  malformed: string;
  wrong: string;
  noAnswer: string;
  unlock: string;
  later: string;
}

export const tokenPhrases: Translations<TokenPhrases> = {
  en: {
    title: "Unlock this player",
    needed: "To make changes, enter the player's token. You only do this once in this browser.",
    refused: "The saved token is no longer valid. Enter the new one.",
    label: "Token",
    where:
      "64 letters and digits. The player showed it on its console at the first start. The command “manara-player token” shows it again. Or scan the QR code on the player's screen.",
    malformed: "The token must have 64 characters: digits and the letters a to f.",
    wrong: "Wrong token. Check it and try again.",
    noAnswer: "The player did not respond. Try again.",
    unlock: "Unlock",
    later: "Not now",
  },
  ar: {
    title: "افتح قفل المشغّل",
    needed: "لإجراء تغييرات أدخل رمز المشغّل، مرة واحدة فقط في هذا المتصفح.",
    refused: "لم يعد الرمز المحفوظ صالحًا. أدخل الرمز الجديد.",
    label: "الرمز",
    where:
      "٦٤ حرفًا ورقمًا. أظهره المشغّل على شاشة الأوامر عند أول تشغيل، ويظهره الأمر «manara-player token» مرة أخرى. ورمز QR على شاشة المشغّل يفتح هذه الصفحة به.",
    malformed: "الرمز ٦٤ خانة: أرقام والحروف من a إلى f.",
    wrong: "الرمز خاطئ. تحقق منه وحاول مرة أخرى.",
    noAnswer: "لم يستجب المشغّل. حاول مرة أخرى.",
    unlock: "افتح القفل",
    later: "ليس الآن",
  },
};
