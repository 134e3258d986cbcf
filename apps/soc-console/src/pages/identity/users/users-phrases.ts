import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

interface UsersPhrases {
  users: string;
  newUser: string;
  edit: string;
  /** `{name}` */
  editTitle: string;
  fields: {
    username: string;
    role: string;
    email: string;
    sites: string;
    state: string;
    created: string;
    changed: string;
  };
  usernameHint: string;
  password: string;
  passwordHint: string;
  newPassword: string;
  newPasswordHint: string;
  emailHint: string;
  sitesHint: string;
  active: string;
  disabled: string;
  you: string;
  create: string;
  save: string;
  created: string;
  changed: string;
  deactivate: string;
  /** `{name}` */
  deactivateTitle: string;
  deactivateText: string;
  activate: string;
  deactivated: string;
  activated: string;
  sessions: string;
  noSessions: string;
  /** `{since}`, `{used}` */
  sessionTimes: string;
  current: string;
  end: string;
  endAll: string;
  /** `{name}` */
  endAllTitle: string;
  endAllText: string;
  ended: PluralForms;
  factors: string;
  factorsText: string;
  removeFactors: string;
  /** `{name}` */
  removeFactorsTitle: string;
  removeFactorsText: string;
  factorsRemoved: PluralForms;
  empty: string;
  emptyText: string;
  alerts: string;
}

const english: UsersPhrases = {
  users: "Users",
  newUser: "New user",
  edit: "Change role and sites",
  editTitle: "Change {name}",
  fields: {
    username: "Username",
    role: "Role",
    email: "E-mail",
    sites: "Sites",
    state: "State",
    created: "Created",
    changed: "Changed",
  },
  usernameHint: "Letters, digits and . _ @ + -. It cannot be changed later.",
  password: "First password",
  passwordHint: "At least 8 characters. The user changes it in “Me”.",
  newPassword: "New password",
  newPasswordHint: "Empty keeps the present one. A new one ends every session of the user.",
  emailHint: "Optional. Assignments may name it.",
  sitesHint: "A user of some sites sees nothing of the others.",
  active: "can sign in",
  disabled: "deactivated",
  you: "you",
  create: "Create",
  save: "Save",
  created: "The user can sign in now.",
  changed: "Changed.",
  deactivate: "Deactivate",
  deactivateTitle: "Deactivate {name}?",
  deactivateText:
    "Sessions, tokens and API keys of the user end at once. What the user has written stays, and you can activate the user again.",
  activate: "Activate",
  deactivated: "Deactivated. Nothing of this user works any more.",
  activated: "The user can sign in again.",
  sessions: "Sessions",
  noSessions: "Not signed in anywhere.",
  sessionTimes: "since {since}, last used {used}",
  current: "this browser",
  end: "End",
  endAll: "End all",
  endAllTitle: "End all sessions of {name}?",
  endAllText: "All sessions and tokens of the user end. The user can sign in again.",
  ended: { one: "# session ended.", other: "# sessions ended." },
  factors: "Second factor",
  factorsText: "A user who has lost phone and recovery codes signs in with the password alone after you remove them.",
  removeFactors: "Remove second factors",
  removeFactorsTitle: "Remove the second factors of {name}?",
  removeFactorsText:
    "Make sure that it is really this person who asks. Every session ends, and the password alone signs in until a new factor is added.",
  factorsRemoved: {
    one: "# second factor removed.",
    other: "# second factors removed.",
  },
  empty: "No users",
  emptyText: "Create the first one.",
  alerts: "Alerts of this user",
};

const arabic: UsersPhrases = {
  users: "المستخدمون",
  newUser: "مستخدم جديد",
  edit: "غيّر الدور والمواقع",
  editTitle: "تغيير {name}",
  fields: {
    username: "اسم المستخدم",
    role: "الدور",
    email: "البريد",
    sites: "المواقع",
    state: "الحالة",
    created: "أُنشئ",
    changed: "تغيّر",
  },
  usernameHint: "حروف لاتينية وأرقام و . _ @ + -. لا يتغير لاحقًا.",
  password: "كلمة المرور الأولى",
  passwordHint: "ثمانية أحرف على الأقل. يغيّرها المستخدم في «أنا».",
  newPassword: "كلمة مرور جديدة",
  newPasswordHint: "الفراغ يبقي الحالية. كلمة جديدة تنهي كل جلسات المستخدم.",
  emailHint: "اختياري. قد تذكره الإسنادات.",
  sitesHint: "مستخدم بعض المواقع لا يرى شيئًا من سواها.",
  active: "يستطيع الدخول",
  disabled: "معطّل",
  you: "أنت",
  create: "أنشئ",
  save: "احفظ",
  created: "يستطيع المستخدم الدخول الآن.",
  changed: "تم التغيير.",
  deactivate: "عطّل",
  deactivateTitle: "تعطيل {name}؟",
  deactivateText: "تنتهي جلسات المستخدم ورموزه ومفاتيحه فورًا. يبقى ما كتبه، ويمكنك تفعيله من جديد.",
  activate: "فعّل",
  deactivated: "عُطّل. لم يعد شيء لهذا المستخدم يعمل.",
  activated: "يستطيع المستخدم الدخول من جديد.",
  sessions: "الجلسات",
  noSessions: "غير داخل من أي مكان.",
  sessionTimes: "منذ {since}، آخر استخدام {used}",
  current: "هذا المتصفح",
  end: "أنهِ",
  endAll: "أنهِ الكل",
  endAllTitle: "إنهاء كل جلسات {name}؟",
  endAllText: "تنتهي كل جلسات المستخدم ورموزه. ويستطيع الدخول من جديد.",
  ended: {
    zero: "لم تنته أي جلسة.",
    one: "انتهت جلسة واحدة.",
    two: "انتهت جلستان.",
    few: "انتهت # جلسات.",
    other: "انتهت # جلسة.",
  },
  factors: "العامل الثاني",
  factorsText: "من فقد هاتفه ورموز الاستعادة يدخل بكلمة المرور وحدها بعد أن تزيل عوامله.",
  removeFactors: "أزل العوامل الثانية",
  removeFactorsTitle: "إزالة العوامل الثانية من {name}؟",
  removeFactorsText: "تأكد أن الطالب هو الشخص نفسه. تنتهي كل الجلسات، وتكفي كلمة المرور وحدها حتى يُضاف عامل جديد.",
  factorsRemoved: {
    zero: "لم يكن للمستخدم عامل ثانٍ.",
    one: "أُزيل عامل واحد.",
    two: "أُزيل عاملان.",
    few: "أُزيلت # عوامل.",
    other: "أُزيل # عاملًا.",
  },
  empty: "لا مستخدمين",
  emptyText: "أنشئ الأول.",
  alerts: "تنبيهات هذا المستخدم",
};

export const usersPhrases: Translations<UsersPhrases> = { en: english, ar: arabic };
