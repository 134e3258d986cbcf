import { translations } from "../../../app/language/translations.ts";

export const stepUpPhrases = translations({
  title: ["Show your second factor", "أظهر عاملك الثاني"],
  why: [
    "What you asked for needs a second factor of the last five minutes. It is sent as soon as you have shown one.",
    "ما طلبته يحتاج إلى عامل ثانٍ خلال الدقائق الخمس الأخيرة. يُرسل فور إظهارك واحدًا.",
  ],
  code: ["Code of your app, or recovery code", "رمز تطبيقك، أو رمز استعادة"],
  codeHint: [
    "Six digits of your authenticator app. A recovery code works once.",
    "ستة أرقام من تطبيق المصادقة. رمز الاستعادة يعمل مرة واحدة.",
  ],
  confirm: ["Continue", "متابعة"],
  key: ["Use a security key", "استخدم مفتاح أمان"],
  cancel: ["Cancel", "إلغاء"],
  none: ["You have no second factor", "ليس لك عامل ثانٍ"],
  noneText: ["Add one in your settings, and repeat what you asked for.", "أضف واحدًا في إعداداتك، ثم كرّر ما طلبته."],
  add: ["Add a second factor", "أضف عاملًا ثانيًا"],
  notSigned: ["No key was used. Try again, or enter a code.", "لم يُستخدم مفتاح. حاول مجددًا، أو أدخل رمزًا."],
  wrong: [
    "This factor is wrong or was used already. Wait for the next code, or use another factor.",
    "هذا العامل خطأ أو استُخدم من قبل. انتظر الرمز التالي، أو استخدم عاملًا آخر.",
  ],
  tooMany: ["Too many attempts. Try again after {time}.", "محاولات كثيرة. حاول بعد {time}."],
});
