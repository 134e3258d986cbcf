import type { Translations } from "../app/language/translations.ts";

export interface ShellPhrases {
  product: string;
  skip: string;
  rail: string;
  foldRail: string;
  unfoldRail: string;
  chat: string;
  groups: { work: string; find: string; act: string; fleet: string; records: string };
  places: {
    overview: string;
    inbox: string;
    alerts: string;
    cases: string;
    approvals: string;
    hunt: string;
    detections: string;
    attack: string;
    indicators: string;
    playbooks: string;
    runs: string;
    endpoints: string;
    devices: string;
    agents: string;
    reports: string;
    ledger: string;
    audit: string;
    settings: string;
  };
  modes: { dummy: string; dry_run: string; real: string };
  modeMeanings: { dummy: string; dry_run: string; real: string };
  showcase: string;
  unreachable: string;
  /** `{time}` */
  databaseLost: string;
  databaseUp: string;
  databaseDown: string;
  live: string;
  connecting: string;
  notLive: string;
  /** `{seconds}` */
  resumes: string;
  account: string;
  signOut: string;
  theme: string;
  language: string;
  zone: string;
  goTo: string;
  view: string;
  close: string;
  loading: string;
  notFound: string;
  notFoundText: string;
  notAllowed: string;
  /** `{permission}` */
  notAllowedText: string;
  onlyAdministrators: string;
  onlyAllSites: string;
  failed: string;
  failedText: string;
  retry: string;
  newVersion: string;
  yourSettings: string;
  /** `{command}` */
  commandFailed: string;
  unavailable: string;
  noAnswerText: string;
  noDatabaseText: string;
  askedAgain: string;
}

const english: ShellPhrases = {
  product: "Manara SOC",
  skip: "Skip to the page",
  rail: "Pages",
  foldRail: "Fold the rail",
  unfoldRail: "Unfold the rail",
  chat: "Chat",
  groups: { work: "Work", find: "Find", act: "Act", fleet: "Fleet and agents", records: "Records" },
  places: {
    overview: "Overview",
    inbox: "Inbox",
    alerts: "Alerts",
    cases: "Cases",
    approvals: "Approvals",
    hunt: "Hunt",
    detections: "Detections",
    attack: "ATT&CK",
    indicators: "Indicators",
    playbooks: "Playbooks",
    runs: "Runs",
    endpoints: "Endpoints",
    devices: "Devices",
    agents: "Agents",
    reports: "Reports",
    ledger: "Ledger",
    audit: "Audit",
    settings: "Settings",
  },
  modes: { dummy: "DUMMY", dry_run: "DRY RUN", real: "REAL" },
  modeMeanings: {
    dummy: "Invented data. Changes are refused.",
    dry_run: "Your changes are previews. Nothing leaves this platform.",
    real: "Changes are stored, and actions reach real systems.",
  },
  showcase: "Showcase data",
  unreachable: "The service does not answer. The page shows what it knew last.",
  databaseLost: "The database does not answer. The page shows what it knew at {time}.",
  databaseUp: "Database up",
  databaseDown: "Database down",
  live: "Live",
  connecting: "Connecting…",
  notLive: "Not live",
  resumes: "The limit of requests is reached. Resumes in {seconds} s.",
  account: "Account",
  signOut: "Sign out",
  theme: "Light or dark",
  language: "العربية",
  zone: "Switch the time zone",
  goTo: "Go to",
  view: "View",
  close: "Close",
  loading: "Loading…",
  notFound: "There is nothing at this address",
  notFoundText:
    "The address is wrong, what was here no longer exists, or the console has no page for it yet and the API has.",
  notAllowed: "You may not see this page",
  notAllowedText: "It needs the permission {permission}. An administrator can give it to you.",
  onlyAdministrators: "It is for administrators.",
  onlyAllSites: "It shows what belongs to no single site, and you work for some sites only.",
  failed: "This page has failed",
  failedText: "The rest of the console still works. Open the page again; if it fails again, report what it says.",
  retry: "Try again",
  newVersion: "A new version of the console is installed. Reload the page.",
  yourSettings: "Your settings",
  commandFailed: "“{command}” has failed",
  unavailable: "The console is not available",
  noAnswerText: "The service does not answer. Your network, or the service itself, is down.",
  noDatabaseText: "The service runs, but it cannot read who you are: its database does not answer.",
  askedAgain: "This page asks again every 5 seconds and opens the console as soon as it can.",
};

const arabic: ShellPhrases = {
  product: "منارة SOC",
  skip: "انتقل إلى الصفحة",
  rail: "الصفحات",
  foldRail: "اطوِ الشريط",
  unfoldRail: "افتح الشريط",
  chat: "المحادثة",
  groups: { work: "العمل", find: "البحث", act: "الاستجابة", fleet: "الأجهزة والوكلاء", records: "المحفوظات" },
  places: {
    overview: "نظرة عامة",
    inbox: "الوارد",
    alerts: "التنبيهات",
    cases: "القضايا",
    approvals: "الموافقات",
    hunt: "البحث في السجلات",
    detections: "الكشف",
    attack: "ATT&CK",
    indicators: "المؤشرات",
    playbooks: "الكتيّبات",
    runs: "التشغيلات",
    endpoints: "الأجهزة الطرفية",
    devices: "الأجهزة",
    agents: "الوكلاء",
    reports: "التقارير",
    ledger: "السجل الموثّق",
    audit: "سجل التدقيق",
    settings: "الإعدادات",
  },
  modes: { dummy: "تجريبي", dry_run: "تشغيل جاف", real: "حقيقي" },
  modeMeanings: {
    dummy: "بيانات مختلقة. التغييرات مرفوضة.",
    dry_run: "تغييراتك معاينات فقط. لا شيء يغادر هذه المنصة.",
    real: "تُحفظ التغييرات، وتصل الإجراءات إلى أنظمة حقيقية.",
  },
  showcase: "بيانات عرض",
  unreachable: "الخدمة لا تستجيب. تعرض الصفحة آخر ما عرفته.",
  databaseLost: "قاعدة البيانات لا تستجيب. تعرض الصفحة ما عرفته في {time}.",
  databaseUp: "قاعدة البيانات تعمل",
  databaseDown: "قاعدة البيانات متوقفة",
  live: "مباشر",
  connecting: "جارٍ الاتصال…",
  notLive: "غير مباشر",
  resumes: "بلغ عدد الطلبات حدّه. يُستأنف بعد {seconds} ث.",
  account: "الحساب",
  signOut: "تسجيل الخروج",
  theme: "فاتح أو داكن",
  language: "English",
  zone: "تبديل المنطقة الزمنية",
  goTo: "انتقال",
  view: "العرض",
  close: "إغلاق",
  loading: "جارٍ التحميل…",
  notFound: "لا شيء في هذا العنوان",
  notFoundText: "العنوان خاطئ، أو لم يعد ما كان هنا موجودًا، أو لا صفحة له في الواجهة بعد وهو متاح في API.",
  notAllowed: "لا يحق لك رؤية هذه الصفحة",
  notAllowedText: "تحتاج إلى الصلاحية {permission}. يستطيع المدير منحها لك.",
  onlyAdministrators: "هي للمديرين.",
  onlyAllSites: "تعرض ما لا يخص موقعًا بعينه، وأنت تعمل لبعض المواقع فقط.",
  failed: "تعطّلت هذه الصفحة",
  failedText: "بقية الواجهة تعمل. افتح الصفحة من جديد؛ وإن تعطّلت ثانية فأبلغ بما تقوله.",
  retry: "أعد المحاولة",
  newVersion: "ثُبّت إصدار جديد من الواجهة. أعد تحميل الصفحة.",
  yourSettings: "إعداداتك",
  commandFailed: "تعذّر تنفيذ «{command}»",
  unavailable: "الواجهة غير متاحة",
  noAnswerText: "الخدمة لا تستجيب. شبكتك، أو الخدمة نفسها، متوقفة.",
  noDatabaseText: "الخدمة تعمل، لكنها لا تستطيع أن تعرف من أنت: قاعدة بياناتها لا تستجيب.",
  askedAgain: "تسأل هذه الصفحة كل 5 ثوانٍ، وتفتح الواجهة حالما تستطيع.",
};

export const shellPhrases: Translations<ShellPhrases> = { en: english, ar: arabic };
