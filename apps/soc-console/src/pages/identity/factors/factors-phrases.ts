import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

interface FactorsPhrases {
  title: string;
  hint: string;
  none: string;
  required: string;
  app: string;
  key: string;
  passkey: string;
  cloned: string;
  /** `{time}` */
  added: string;
  /** `{time}` */
  used: string;
  neverUsed: string;
  codesLeft: PluralForms;
  renewCodes: string;
  addApp: string;
  addKey: string;
  rename: string;
  remove: string;
  /** `{name}` */
  removeTitle: string;
  removeText: string;
  name: string;
  appNameHint: string;
  keyNameHint: string;
  password: string;
  passwordHint: string;
  passwordOrProvider: string;
  cancel: string;
  save: string;
  next: string;
  scan: string;
  secret: string;
  copySecret: string;
  copyUri: string;
  copied: string;
  notCopied: string;
  qr: string;
  code: string;
  codeHint: string;
  confirm: string;
  touch: string;
  useKey: string;
  notMade: string;
  codesTitle: string;
  codesText: string;
  copyCodes: string;
  print: string;
  kept: string;
  done: string;
  preview: string;
  failed: string;
  retry: string;
  dutyTitle: string;
  /** `{role}` */
  dutyText: string;
  dutyShow: string;
  dutyAfter: string;
  enter: string;
  signOut: string;
}

const english: FactorsPhrases = {
  title: "Second factors",
  hint: "Beside your password. Keep at least two, so that a lost phone does not lock you out.",
  none: "You have no second factor. Your password alone opens your account.",
  required: "Your role must have one.",
  app: "Authenticator app",
  key: "Security key",
  passkey: "Passkey",
  cloned: "A copy of this key exists, so it is refused. Remove it.",
  added: "added {time}",
  used: "used {time}",
  neverUsed: "never used",
  codesLeft: { one: "# recovery code left", other: "# recovery codes left" },
  renewCodes: "New recovery codes",
  addApp: "Add an app",
  addKey: "Add a security key",
  rename: "Rename",
  remove: "Remove",
  removeTitle: "Remove {name}?",
  removeText: "It no longer signs you in. This cannot be undone.",
  name: "Name",
  appNameHint: "Such as: phone",
  keyNameHint: "Such as: work laptop",
  password: "Your password",
  passwordHint: "The first factor needs it, so that a stolen session cannot add one.",
  passwordOrProvider: "The first factor needs it. Leave it empty if you sign in through a provider.",
  cancel: "Cancel",
  save: "Save",
  next: "Continue",
  scan: "Scan this with your app, or type the secret. It is shown only now.",
  secret: "Secret",
  copySecret: "Copy the secret",
  copyUri: "Copy the address for an app on this computer",
  copied: "Copied.",
  notCopied: "The browser does not allow copying. Select the text and copy it.",
  qr: "QR code with the secret",
  code: "Code",
  codeHint: "The six digits that the app shows now.",
  confirm: "Confirm",
  touch: "Your browser asks for the key next. A key that asks for a PIN, finger or face is a passkey, too.",
  useKey: "Continue with the key",
  notMade: "No key was added. Try again; a key that is here already cannot be added twice.",
  codesTitle: "Recovery codes",
  codesText: "Each replaces one code, once. They are shown only now: keep them where your phone is not.",
  copyCodes: "Copy",
  print: "Print",
  kept: "I have kept these codes",
  done: "Done",
  preview: "Dry run: nothing was changed. In real mode the factor would be kept.",
  failed: "Your factors could not be read",
  retry: "Try again",
  dutyTitle: "Your role needs a second factor",
  dutyText:
    "Users with the role {role} must have a second factor before they can use the console. Add one now: it takes a minute.",
  dutyShow: "Show your second factor to open the console.",
  dutyAfter: "Your second factor is set up. Keep the recovery codes, then go on.",
  enter: "Open the console",
  signOut: "Sign out",
};

const arabic: FactorsPhrases = {
  title: "العوامل الثانية",
  hint: "إلى جانب كلمة مرورك. احتفظ باثنين على الأقل، حتى لا يمنعك هاتف ضائع من الدخول.",
  none: "ليس لك عامل ثانٍ. كلمة مرورك وحدها تفتح حسابك.",
  required: "دورك يجب أن يكون له واحد.",
  app: "تطبيق مصادقة",
  key: "مفتاح أمان",
  passkey: "مفتاح مرور",
  cloned: "توجد نسخة من هذا المفتاح، لذلك يُرفض. احذفه.",
  added: "أضيف {time}",
  used: "استُخدم {time}",
  neverUsed: "لم يُستخدم",
  codesLeft: {
    zero: "لم يبق رمز استعادة",
    one: "بقي رمز استعادة واحد",
    two: "بقي رمزا استعادة",
    few: "بقيت # رموز استعادة",
    other: "بقي # رمز استعادة",
  },
  renewCodes: "رموز استعادة جديدة",
  addApp: "أضف تطبيقًا",
  addKey: "أضف مفتاح أمان",
  rename: "أعد التسمية",
  remove: "احذف",
  removeTitle: "أتحذف {name}؟",
  removeText: "لن يُدخلك بعد ذلك. لا رجوع عن هذا.",
  name: "الاسم",
  appNameHint: "مثل: الهاتف",
  keyNameHint: "مثل: حاسوب العمل",
  password: "كلمة مرورك",
  passwordHint: "يحتاجها العامل الأول، حتى لا تضيف جلسة مسروقة عاملًا.",
  passwordOrProvider: "يحتاجها العامل الأول. اتركها فارغة إن كنت تدخل عبر مزوّد.",
  cancel: "إلغاء",
  save: "احفظ",
  next: "متابعة",
  scan: "امسح هذا بتطبيقك، أو اكتب السر. لا يُعرض إلا الآن.",
  secret: "السر",
  copySecret: "انسخ السر",
  copyUri: "انسخ العنوان لتطبيق على هذا الحاسوب",
  copied: "نُسخ.",
  notCopied: "لا يسمح المتصفح بالنسخ. حدّد النص وانسخه.",
  qr: "رمز QR فيه السر",
  code: "الرمز",
  codeHint: "الأرقام الستة التي يعرضها التطبيق الآن.",
  confirm: "تأكيد",
  touch: "يطلب متصفحك المفتاح بعد ذلك. المفتاح الذي يطلب رقمًا سريًا أو بصمة أو وجهًا هو مفتاح مرور أيضًا.",
  useKey: "تابع بالمفتاح",
  notMade: "لم يُضف مفتاح. حاول مجددًا؛ والمفتاح الموجود هنا لا يُضاف مرتين.",
  codesTitle: "رموز الاستعادة",
  codesText: "كل رمز يحل محل رمز واحد، مرة واحدة. لا تُعرض إلا الآن: احفظها بعيدًا عن هاتفك.",
  copyCodes: "نسخ",
  print: "طباعة",
  kept: "حفظت هذه الرموز",
  done: "تم",
  preview: "تشغيل جاف: لم يتغير شيء. في الوضع الحقيقي كان العامل سيُحفظ.",
  failed: "تعذرت قراءة عواملك",
  retry: "أعد المحاولة",
  dutyTitle: "دورك يحتاج إلى عامل ثانٍ",
  dutyText: "على أصحاب الدور {role} أن يكون لهم عامل ثانٍ قبل استخدام الواجهة. أضف واحدًا الآن: لا يستغرق إلا دقيقة.",
  dutyShow: "أظهر عاملك الثاني لفتح الواجهة.",
  dutyAfter: "أُعدّ عاملك الثاني. احفظ رموز الاستعادة ثم تابع.",
  enter: "افتح الواجهة",
  signOut: "تسجيل الخروج",
};

export const factorsPhrases: Translations<FactorsPhrases> = { en: english, ar: arabic };
