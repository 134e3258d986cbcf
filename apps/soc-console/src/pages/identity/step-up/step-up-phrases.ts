import type { Phrases, Translations } from "../../../app/language/translations.ts";

const english = {
  title: "Show your second factor",
  why: "What you asked for needs a second factor of the last five minutes. It is sent as soon as you have shown one.",
  code: "Code of your app, or recovery code",
  codeHint: "Six digits of your authenticator app. A recovery code works once.",
  confirm: "Continue",
  key: "Use a security key",
  cancel: "Cancel",
  none: "You have no second factor",
  noneText: "Add one in your settings, and repeat what you asked for.",
  add: "Add a second factor",
  notSigned: "No key was used. Try again, or enter a code.",
  wrong: "This factor is wrong or was used already. Wait for the next code, or use another factor.",
  tooMany: "Too many attempts. Try again after {time}.",
};

const arabic: Phrases<typeof english> = {
  title: "أظهر عاملك الثاني",
  why: "ما طلبته يحتاج إلى عامل ثانٍ خلال الدقائق الخمس الأخيرة. يُرسل فور إظهارك واحدًا.",
  code: "رمز تطبيقك، أو رمز استعادة",
  codeHint: "ستة أرقام من تطبيق المصادقة. رمز الاستعادة يعمل مرة واحدة.",
  confirm: "متابعة",
  key: "استخدم مفتاح أمان",
  cancel: "إلغاء",
  none: "ليس لك عامل ثانٍ",
  noneText: "أضف واحدًا في إعداداتك، ثم كرّر ما طلبته.",
  add: "أضف عاملًا ثانيًا",
  notSigned: "لم يُستخدم مفتاح. حاول مجددًا، أو أدخل رمزًا.",
  wrong: "هذا العامل خطأ أو استُخدم من قبل. انتظر الرمز التالي، أو استخدم عاملًا آخر.",
  tooMany: "محاولات كثيرة. حاول بعد {time}.",
};

export const stepUpPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
