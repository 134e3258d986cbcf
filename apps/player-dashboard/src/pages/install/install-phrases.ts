import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  title: "On your home screen",
  back: "Settings",
  about:
    "Use this page like an app: it opens in its own window, even while the player restarts. Do these steps once on each phone or computer.",
  installed: "This page already runs as an app here.",
  platform: "Your device",
  platforms: {
    iphone: "iPhone or iPad",
    android: "Android",
    windows: "Windows",
    mac: "Mac",
    linux: "Linux",
  },
  trustTitle: "Step 1: trust the player",
  trustAbout:
    "The player created its own certificate to protect your connection. Your device does not know it yet, so it shows a warning. The certificate is valid in local networks only, never for a site on the internet. Do this only with your own player.",
  trustDone: "This browser already trusts the connection. Continue with step 2.",
  trustNone: "This player has no certificate of its own. You can skip this step.",
  trustUnknown: "Could not check whether the player has a certificate.",
  download: "Download certificate",
  fingerprint: "Fingerprint (SHA-256)",
  fingerprintHint:
    "The player's own screen shows these characters for two minutes. Trust the certificate only if your phone or computer shows the same ones.",
  addTitle: "Step 2: add the page",
  addAbout: "After step 1, close the browser and open this page again.",
  addNow: "Add now",
  linkTitle: "Step 3: unlock it there",
  linkAbout:
    "Another phone of yours scans the QR code. In the page on the home screen, paste the link where it asks for a code.",
  linkShow: "Show QR code and link",
  linkCode: "QR code that unlocks the player",
  linkSecret: "This link unlocks the player. Show it to your household only.",
  linkCopy: "Copy link",
  linkCopied: "Link copied. Paste it in the page on the home screen.",
  linkHide: "Hide",
  copyTitle: "While the player restarts",
  copyKept: "This browser has stored the page. It opens even if the player does not respond.",
  copyWaiting: "Storing the page…",
  copyUnsupported: "The page is not stored yet. Trust the connection first (step 1).",
  copyRefused:
    "The page is not stored, most likely because the browser does not trust the connection (step 1). The browser reports:",
  copyIncomplete: "The page could not be stored completely. The browser tries again on your next visit.",
  steps: {
    iphone: {
      trust: [
        "Open this page in Safari and press “Download certificate”. Allow the download.",
        "Open Settings. At the top, press “Profile Downloaded”, then “Install”.",
        "Go to Settings, General, About, Certificate Trust Settings (at the very bottom).",
        "Switch on the certificate that begins with “Manara Player”.",
      ],
      add: ["In Safari, press the Share button (a square with an arrow).", "Choose “Add to Home Screen”, then “Add”."],
    },
    android: {
      trust: [
        "Press “Download certificate”. It is saved among your downloads.",
        "Open Settings and search for “CA certificate”. It is found under Security, Encryption and credentials, Install a certificate.",
        "Choose “CA certificate”, then “Install anyway”.",
        "Choose the downloaded file, ca.crt.",
      ],
      add: ["In Chrome, press the three dots at the top.", "Choose “Add to Home screen”, then “Install”."],
    },
    windows: {
      trust: [
        "Press “Download certificate”, and open the downloaded file ca.crt.",
        "Press “Install Certificate”, choose “Current User”, then “Next”.",
        "Choose “Place all certificates in the following store”, then “Browse” and “Trusted Root Certification Authorities”.",
        "Press “Next”, “Finish” and, when asked, “Yes”.",
      ],
      add: [
        "In Edge or Chrome, press the sign for installing at the right end of the address bar.",
        "Choose “Install”.",
      ],
    },
    mac: {
      trust: [
        "Press “Download certificate”, and open the downloaded file ca.crt. Keychain Access opens; add it to “login”.",
        "Find the certificate that begins with “Manara Player” and open it.",
        "Open “Trust”, and choose “Always Trust” beside “When using this certificate”.",
        "Close the window and type your password.",
      ],
      add: [
        "In Safari, open the File menu and choose “Add to Dock”.",
        "In Chrome, press the sign for installing in the address bar.",
      ],
    },
    linux: {
      trust: [
        "Press “Download certificate”.",
        "Chrome or Chromium: Settings, Privacy and security, Security, Manage certificates. Import the file ca.crt as a trusted certificate.",
        "Firefox: Settings, Privacy & Security, View Certificates, Authorities, Import. Tick “Trust this CA to identify websites”.",
      ],
      add: [
        "In Chrome or Chromium, press the sign for installing at the right end of the address bar.",
        "Firefox cannot install pages: keep it as a bookmark.",
      ],
    },
  },
};

const arabic: Phrases<typeof english> = {
  title: "على شاشتك الرئيسية",
  back: "الإعدادات",
  about:
    "ضع هذه الصفحة بين تطبيقاتك: تُفتح في نافذة خاصة بها، وتُفتح أيضًا أثناء إعادة تشغيل المشغّل. يلزم لذلك بضع خطوات، مرة واحدة لكل هاتف أو حاسوب.",
  installed: "تعمل هذه الصفحة هنا تطبيقًا مستقلًا.",
  platform: "جهازك",
  platforms: {
    iphone: "آيفون أو آيباد",
    android: "أندرويد",
    windows: "ويندوز",
    mac: "ماك",
    linux: "لينكس",
  },
  trustTitle: "الخطوة الأولى: الوثوق بالمشغّل",
  trustAbout:
    "أنشأ المشغّل شهادته بنفسه حتى لا يتنصّت أحد في شبكتك، وجهازك لا يعرفها بعد ولذلك يحذّرك. وهي صالحة للشبكات المحلية فقط، ولا تصلح لأي موقع على الإنترنت. افعل هذا مع مشغّل تملكه فقط.",
  trustDone: "هذا المتصفح يثق بالاتصال بالفعل. يمكنك الانتقال إلى الخطوة الثانية.",
  trustNone: "ليس لهذا المشغّل شهادة خاصة يقدّمها، فلا حاجة إلى هذه الخطوة.",
  trustUnknown: "لم يذكر المشغّل هل لديه شهادة.",
  download: "تنزيل الشهادة",
  fingerprint: "بصمتها (SHA-256)",
  fingerprintHint:
    "تعرض شاشة المشغّل نفسها هذه الأحرف والأرقام دقيقتين. لا تثق بالشهادة إلا إذا عرض هاتفك أو حاسوبك الأحرف والأرقام نفسها.",
  addTitle: "الخطوة الثانية: إضافة الصفحة",
  addAbout: "أغلق المتصفح مرة بعد الخطوة الأولى، ثم افتح هذه الصفحة من جديد.",
  addNow: "أضِفها الآن",
  linkTitle: "الخطوة الثالثة: افتح القفل هناك",
  linkAbout: "يمسح هاتفك الآخر رمز QR. أما الصفحة على الشاشة الرئيسية فألصق فيها الرابط حيث تطلب الرمز.",
  linkShow: "اعرض رمز QR والرابط",
  linkCode: "رمز QR يفتح قفل المشغّل",
  linkSecret: "هذا الرابط يفتح قفل المشغّل، فلا تعرضه إلا لأهل بيتك.",
  linkCopy: "انسخ الرابط",
  linkCopied: "نُسخ الرابط. ألصقه في الصفحة على الشاشة الرئيسية.",
  linkHide: "أخفِه",
  copyTitle: "أثناء إعادة تشغيل المشغّل",
  copyKept: "يحتفظ هذا المتصفح بنسخة من الصفحة، فتُفتح وإن لم يجب المشغّل.",
  copyWaiting: "يُعدّ هذا المتصفح نسخة من الصفحة…",
  copyUnsupported: "لا يحتفظ هذا المتصفح بنسخة من الصفحة بعد: لا بدّ من الوثوق بالاتصال أولًا (الخطوة الأولى).",
  copyRefused:
    "لا يحتفظ هذا المتصفح بنسخة من الصفحة بعد، والأرجح أنه لا يثق بالاتصال (الخطوة الأولى). وهذا نص ما قاله:",
  copyIncomplete: "لم تكتمل نسخة الصفحة، وتُعاد المحاولة في زيارتك القادمة.",
  steps: {
    iphone: {
      trust: [
        "افتح هذه الصفحة في سفاري واضغط «تنزيل الشهادة»، ثم اسمح بالتنزيل.",
        "افتح الإعدادات، واضغط في أعلاها «تم تنزيل ملف التعريف»، ثم «تثبيت».",
        "اذهب إلى الإعدادات، ثم عام، ثم حول، ثم إعدادات الثقة بالشهادات (في آخر الصفحة).",
        "فعّل الشهادة التي يبدأ اسمها بعبارة «Manara Player».",
      ],
      add: ["في سفاري، اضغط زر المشاركة (مربع فيه سهم).", "اختر «إضافة إلى الشاشة الرئيسية»، ثم «إضافة»."],
    },
    android: {
      trust: [
        "اضغط «تنزيل الشهادة»، فتُحفظ بين التنزيلات.",
        "افتح الإعدادات وابحث عن «شهادة CA». تجدها في الأمان، ثم التشفير وبيانات الاعتماد، ثم تثبيت شهادة.",
        "اختر «شهادة CA»، ثم «التثبيت على أي حال».",
        "اختر الملف الذي نزّلته: ca.crt.",
      ],
      add: ["في كروم، اضغط النقاط الثلاث في الأعلى.", "اختر «إضافة إلى الشاشة الرئيسية»، ثم «تثبيت»."],
    },
    windows: {
      trust: [
        "اضغط «تنزيل الشهادة»، ثم افتح الملف ca.crt.",
        "اضغط «تثبيت الشهادة»، واختر «المستخدم الحالي»، ثم «التالي».",
        "اختر «وضع كافة الشهادات في المخزن التالي»، ثم «استعراض»، ثم «المراجع المصدقة الجذر الموثوق بها».",
        "اضغط «التالي» ثم «إنهاء»، وأجب «نعم» عند السؤال.",
      ],
      add: ["في إيدج أو كروم، اضغط علامة التثبيت في طرف شريط العنوان.", "اختر «تثبيت»."],
    },
    mac: {
      trust: [
        "اضغط «تنزيل الشهادة»، ثم افتح الملف ca.crt. يفتح تطبيق سلاسل المفاتيح؛ أضفها إلى «login».",
        "ابحث عن الشهادة التي يبدأ اسمها بعبارة «Manara Player» وافتحها.",
        "افتح «الثقة»، واختر «الثقة دائمًا» بجانب «عند استخدام هذه الشهادة».",
        "أغلق النافذة واكتب كلمة السر.",
      ],
      add: ["في سفاري، افتح قائمة «ملف» واختر «إضافة إلى Dock».", "في كروم، اضغط علامة التثبيت في شريط العنوان."],
    },
    linux: {
      trust: [
        "اضغط «تنزيل الشهادة».",
        "كروم أو كروميوم: الإعدادات، ثم الخصوصية والأمان، ثم الأمان، ثم إدارة الشهادات. استورد الملف ca.crt شهادةً موثوقًا بها.",
        "فايرفوكس: الإعدادات، ثم الخصوصية والأمان، ثم عرض الشهادات، ثم السلطات، ثم استيراد. فعّل الثقة بها للتعرّف على المواقع.",
      ],
      add: [
        "في كروم أو كروميوم، اضغط علامة التثبيت في طرف شريط العنوان.",
        "لا يثبّت فايرفوكس الصفحات: احفظها في العلامات.",
      ],
    },
  },
};

export const installPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
