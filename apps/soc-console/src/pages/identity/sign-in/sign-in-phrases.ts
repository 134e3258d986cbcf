import { translations } from "../../../app/language/translations.ts";

export const signInPhrases = translations({
  title: ["Sign in", "تسجيل الدخول"],
  again: ["Sign in again", "سجّل الدخول من جديد"],
  product: ["Manara SOC", "منارة SOC"],
  saying: ["The tower that watches.", "البرج الذي يراقب."],
  left: ["You are signed out.", "خرجت من النظام."],
  ended: [
    "Your session has ended. Sign in again: the page is as you left it.",
    "انتهت جلستك. سجّل الدخول من جديد: الصفحة كما تركتها.",
  ],
  username: ["Username", "اسم المستخدم"],
  password: ["Password", "كلمة المرور"],
  code: ["Code of your app, or recovery code", "رمز تطبيقك، أو رمز استعادة"],
  codeHint: [
    "Six digits of your authenticator app. A recovery code works once.",
    "ستة أرقام من تطبيق المصادقة. رمز الاستعادة يعمل مرة واحدة.",
  ],
  factorTitle: ["Second factor of {username}", "العامل الثاني للمستخدم {username}"],
  back: ["Back", "رجوع"],
  signIn: ["Sign in", "دخول"],
  signingIn: ["Signing in…", "جارٍ الدخول…"],
  key: ["Use a security key", "استخدم مفتاح أمان"],
  passkey: ["Sign in with a passkey", "الدخول بمفتاح مرور"],
  provider: ["Sign in with {provider}", "الدخول عبر {provider}"],
  or: ["or", "أو"],
  /** The provider's page opens in another tab, so that this page keeps what was typed. */
  providerTab: [
    "The provider opens in another tab. Come back here afterwards: the page is as you left it.",
    "يُفتح مزوّد الدخول في لسان آخر. عُد إلى هنا بعد ذلك: الصفحة كما تركتها.",
  ],
  breakGlass: ["Emergency access", "دخول الطوارئ"],
  breakGlassText: [
    "Only the administrator of last resort signs in with a password. Each use raises an alert.",
    "لا يدخل بكلمة مرور إلا مدير الطوارئ. كل استخدام يُصدر تنبيهًا.",
  ],
  otherUser: ["Sign out and leave this page", "اخرج واترك هذه الصفحة"],
  language: ["العربية", "English"],
  methodsFailed: [
    "The service did not say which other ways to sign in there are.",
    "لم تذكر الخدمة طرق الدخول الأخرى.",
  ],
  notSigned: ["No key was used. Try again, or choose another way.", "لم يُستخدم مفتاح. حاول مجددًا، أو اختر طريقة أخرى."],
  troubles: {
    password: ["The username or the password is wrong.", "اسم المستخدم أو كلمة المرور خطأ."],
    factor: [
      "This factor is wrong or was used already. Wait for the next code, or use another factor.",
      "هذا العامل خطأ أو استُخدم من قبل. انتظر الرمز التالي، أو استخدم عاملًا آخر.",
    ],
    tooMany: ["Too many attempts. Try again after {time}.", "محاولات كثيرة. حاول بعد {time}."],
    noAnswer: [
      "The service did not answer. Check your connection and try again.",
      "لم تستجب الخدمة. تحقق من اتصالك وحاول مجددًا.",
    ],
    unavailable: [
      "The service cannot check sign-ins at the moment, because its database does not answer. Try again.",
      "لا تستطيع الخدمة التحقق من الدخول الآن لأن قاعدة بياناتها لا تستجيب. حاول مجددًا.",
    ],
    provider: [
      "Passwords and passkeys are switched off for you. Sign in with your provider.",
      "كلمات المرور ومفاتيح المرور موقوفة لك. ادخل عبر المزوّد.",
    ],
    noKey: [
      "You have no security key here. Use a code of your app, or a recovery code.",
      "ليس لك مفتاح أمان هنا. استخدم رمز تطبيقك، أو رمز استعادة.",
    ],
  },
});

export type SignInPhrases = (typeof signInPhrases)["en"];
