import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

interface MePhrases {
  title: string;
  account: string;
  username: string;
  role: string;
  email: string;
  sites: string;
  dummy: string;
  dryRun: string;
  sessions: string;
  sessionsHint: string;
  thisOne: string;
  /** `{time}` */
  signedIn: string;
  /** `{time}` */
  lastUsed: string;
  nameDevice: string;
  deviceName: string;
  deviceNameHint: string;
  end: string;
  endOthers: string;
  ended: PluralForms;
  sessionsFailed: string;
  retry: string;
  password: string;
  passwordHint: string;
  current: string;
  next: string;
  nextHint: string;
  repeat: string;
  different: string;
  change: string;
  changed: string;
  changedPreview: string;
  cancel: string;
  save: string;
  look: string;
  lookHint: string;
  language: string;
  theme: string;
  themes: { system: string; light: string; dark: string };
  density: string;
  densities: { normal: string; comfortable: string; compact: string };
  zone: string;
  zones: { utc: string; browser: string };
}

const english: MePhrases = {
  title: "Your settings",
  account: "Account",
  username: "Username",
  role: "Role",
  email: "E-mail",
  sites: "Sites",
  dummy: "Dummy mode: your account is invented and cannot be changed.",
  dryRun: "Dry run: changes of factors and of the password are previews.",
  sessions: "Where you are signed in",
  sessionsHint: "End what you do not recognise, then change your password.",
  thisOne: "this browser",
  signedIn: "since {time}",
  lastUsed: "last used {time}",
  nameDevice: "Name this device",
  deviceName: "Name of the device",
  deviceNameHint: "Empty removes the name.",
  end: "End",
  endOthers: "End all others",
  ended: { one: "# session ended.", other: "# sessions ended." },
  sessionsFailed: "Your sessions could not be read",
  retry: "Try again",
  password: "Password",
  passwordHint: "A new password ends all your other sessions.",
  current: "Current password",
  next: "New password",
  nextHint: "At least 8 characters. A sentence that only you know is best.",
  repeat: "New password again",
  different: "The two are different.",
  change: "Change the password",
  changed: "The password is changed. Your other sessions have ended.",
  changedPreview: "Dry run: the password is the same as before.",
  cancel: "Cancel",
  save: "Save",
  look: "Look",
  lookHint: "For this browser.",
  language: "Language",
  theme: "Theme",
  themes: { system: "As the system", light: "Light", dark: "Dark" },
  density: "Rows",
  densities: { normal: "Normal", comfortable: "Comfortable", compact: "Compact" },
  zone: "Time zone",
  zones: { utc: "UTC", browser: "Zone of this browser" },
};

const arabic: MePhrases = {
  title: "إعداداتك",
  account: "الحساب",
  username: "اسم المستخدم",
  role: "الدور",
  email: "البريد",
  sites: "المواقع",
  dummy: "الوضع التجريبي: حسابك مختلق ولا يتغير.",
  dryRun: "تشغيل جاف: تغييرات العوامل وكلمة المرور معاينات فقط.",
  sessions: "أين أنت داخل",
  sessionsHint: "أنهِ ما لا تعرفه، ثم غيّر كلمة مرورك.",
  thisOne: "هذا المتصفح",
  signedIn: "منذ {time}",
  lastUsed: "آخر استخدام {time}",
  nameDevice: "سمِّ هذا الجهاز",
  deviceName: "اسم الجهاز",
  deviceNameHint: "الفراغ يحذف الاسم.",
  end: "إنهاء",
  endOthers: "أنهِ كل ما عداها",
  ended: {
    zero: "لم تنته أي جلسة.",
    one: "انتهت جلسة واحدة.",
    two: "انتهت جلستان.",
    few: "انتهت # جلسات.",
    other: "انتهت # جلسة.",
  },
  sessionsFailed: "تعذرت قراءة جلساتك",
  retry: "أعد المحاولة",
  password: "كلمة المرور",
  passwordHint: "كلمة مرور جديدة تنهي كل جلساتك الأخرى.",
  current: "كلمة المرور الحالية",
  next: "كلمة المرور الجديدة",
  nextHint: "ثمانية أحرف على الأقل. والأفضل جملة لا يعرفها غيرك.",
  repeat: "كلمة المرور الجديدة ثانية",
  different: "الاثنتان مختلفتان.",
  change: "غيّر كلمة المرور",
  changed: "تغيرت كلمة المرور. انتهت جلساتك الأخرى.",
  changedPreview: "تشغيل جاف: كلمة المرور كما كانت.",
  cancel: "إلغاء",
  save: "احفظ",
  look: "المظهر",
  lookHint: "لهذا المتصفح.",
  language: "اللغة",
  theme: "السمة",
  themes: { system: "كالنظام", light: "فاتح", dark: "داكن" },
  density: "الصفوف",
  densities: { normal: "عادية", comfortable: "مريحة", compact: "متراصة" },
  zone: "المنطقة الزمنية",
  zones: { utc: "UTC", browser: "منطقة هذا المتصفح" },
};

export const mePhrases: Translations<MePhrases> = { en: english, ar: arabic };
