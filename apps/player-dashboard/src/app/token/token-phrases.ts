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
    needed: "To change something, this browser needs the player's token. You are asked once.",
    refused: "The token in this browser is no longer the player's. Enter the new one.",
    label: "Token",
    where:
      "64 letters and digits. The player showed it on its console at the first start; “manara-player token” shows it again. A QR code on the player's screen opens this page with it.",
    malformed: "A token has 64 characters: digits and the letters a to f.",
    wrong: "That is not this player's token.",
    noAnswer: "The player did not answer. Try again.",
    unlock: "Unlock",
    later: "Not now",
  },
  ar: {
    title: "افتح قفل المشغّل",
    needed: "لتغيير شيء يحتاج هذا المتصفح إلى رمز المشغّل. يُطلب منك مرة واحدة.",
    refused: "الرمز المحفوظ في هذا المتصفح لم يعد رمز المشغّل. أدخل الرمز الجديد.",
    label: "الرمز",
    where:
      "٦٤ حرفًا ورقمًا. أظهره المشغّل على شاشة الأوامر عند أول تشغيل، ويظهره الأمر «manara-player token» مرة أخرى. ورمز QR على شاشة المشغّل يفتح هذه الصفحة به.",
    malformed: "الرمز ٦٤ خانة: أرقام والحروف من a إلى f.",
    wrong: "هذا ليس رمز هذا المشغّل.",
    noAnswer: "لم يجب المشغّل. حاول مرة أخرى.",
    unlock: "افتح القفل",
    later: "ليس الآن",
  },
};
