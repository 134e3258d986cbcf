import type { Translations } from "../../../app/language/translations.ts";

export interface SignInPhrases {
  title: string;
  again: string;
  product: string;
  saying: string;
  left: string;
  ended: string;
  username: string;
  password: string;
  code: string;
  codeHint: string;
  /** `{username}` */
  factorTitle: string;
  back: string;
  signIn: string;
  signingIn: string;
  key: string;
  passkey: string;
  /** `{provider}` */
  provider: string;
  or: string;
  /** The provider's page opens in another tab, so that this page keeps what was typed. */
  providerTab: string;
  breakGlass: string;
  breakGlassText: string;
  otherUser: string;
  language: string;
  methodsFailed: string;
  notSigned: string;
  troubles: {
    password: string;
    factor: string;
    /** `{time}` */
    tooMany: string;
    noAnswer: string;
    unavailable: string;
    provider: string;
    noKey: string;
  };
}

const english: SignInPhrases = {
  title: "Sign in",
  again: "Sign in again",
  product: "Manara SOC",
  saying: "The tower that watches.",
  left: "You are signed out.",
  ended: "Your session has ended. Sign in again: the page is as you left it.",
  username: "Username",
  password: "Password",
  code: "Code of your app, or recovery code",
  codeHint: "Six digits of your authenticator app. A recovery code works once.",
  factorTitle: "Second factor of {username}",
  back: "Back",
  signIn: "Sign in",
  signingIn: "Signing in…",
  key: "Use a security key",
  passkey: "Sign in with a passkey",
  provider: "Sign in with {provider}",
  or: "or",
  providerTab: "The provider opens in another tab. Come back here afterwards: the page is as you left it.",
  breakGlass: "Emergency access",
  breakGlassText: "Only the administrator of last resort signs in with a password. Each use raises an alert.",
  otherUser: "Sign out and leave this page",
  language: "العربية",
  methodsFailed: "The service did not say which other ways to sign in there are.",
  notSigned: "No key was used. Try again, or choose another way.",
  troubles: {
    password: "The username or the password is wrong.",
    factor: "This factor is wrong or was used already. Wait for the next code, or use another factor.",
    tooMany: "Too many attempts. Try again after {time}.",
    noAnswer: "The service did not answer. Check your connection and try again.",
    unavailable: "The service cannot check sign-ins at the moment, because its database does not answer. Try again.",
    provider: "Passwords and passkeys are switched off for you. Sign in with your provider.",
    noKey: "You have no security key here. Use a code of your app, or a recovery code.",
  },
};

const arabic: SignInPhrases = {
  title: "تسجيل الدخول",
  again: "سجّل الدخول من جديد",
  product: "منارة SOC",
  saying: "البرج الذي يراقب.",
  left: "خرجت من النظام.",
  ended: "انتهت جلستك. سجّل الدخول من جديد: الصفحة كما تركتها.",
  username: "اسم المستخدم",
  password: "كلمة المرور",
  code: "رمز تطبيقك، أو رمز استعادة",
  codeHint: "ستة أرقام من تطبيق المصادقة. رمز الاستعادة يعمل مرة واحدة.",
  factorTitle: "العامل الثاني للمستخدم {username}",
  back: "رجوع",
  signIn: "دخول",
  signingIn: "جارٍ الدخول…",
  key: "استخدم مفتاح أمان",
  passkey: "الدخول بمفتاح مرور",
  provider: "الدخول عبر {provider}",
  or: "أو",
  providerTab: "يُفتح مزوّد الدخول في لسان آخر. عُد إلى هنا بعد ذلك: الصفحة كما تركتها.",
  breakGlass: "دخول الطوارئ",
  breakGlassText: "لا يدخل بكلمة مرور إلا مدير الطوارئ. كل استخدام يُصدر تنبيهًا.",
  otherUser: "اخرج واترك هذه الصفحة",
  language: "English",
  methodsFailed: "لم تذكر الخدمة طرق الدخول الأخرى.",
  notSigned: "لم يُستخدم مفتاح. حاول مجددًا، أو اختر طريقة أخرى.",
  troubles: {
    password: "اسم المستخدم أو كلمة المرور خطأ.",
    factor: "هذا العامل خطأ أو استُخدم من قبل. انتظر الرمز التالي، أو استخدم عاملًا آخر.",
    tooMany: "محاولات كثيرة. حاول بعد {time}.",
    noAnswer: "لم تستجب الخدمة. تحقق من اتصالك وحاول مجددًا.",
    unavailable: "لا تستطيع الخدمة التحقق من الدخول الآن لأن قاعدة بياناتها لا تستجيب. حاول مجددًا.",
    provider: "كلمات المرور ومفاتيح المرور موقوفة لك. ادخل عبر المزوّد.",
    noKey: "ليس لك مفتاح أمان هنا. استخدم رمز تطبيقك، أو رمز استعادة.",
  },
};

export const signInPhrases: Translations<SignInPhrases> = { en: english, ar: arabic };
