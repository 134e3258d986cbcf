import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { AgentNow } from "./agent-now.ts";
import type { Agent } from "./agents-client.ts";

interface AgentsPhrases {
  agents: string;
  investigations: string;
  views: string;
  columns: { name: string; now: string; instances: string; sites: string; runs: string; lastActive: string };
  now: Readonly<Record<AgentNow, string>>;
  /** What the state means for the next investigation. */
  nowTexts: Readonly<Record<AgentNow, string>>;
  tasks: Readonly<Record<Agent["type"], string>>;
  running: PluralForms;
  waiting: PluralForms;
  /** `{width}` */
  width: string;
  widthZero: string;
  dropped: PluralForms;
  empty: string;
  emptyText: string;
  anyStatus: string;
  status: string;
  lastError: string;
  mayUse: string;
  mayChange: string;
  onlyReads: string;
  insideOnly: string;
  noTools: string;
  capabilities: string;
  classes: string;
  everywhere: string;
  unknownSite: string;
  lastResults: string;
  noResults: string;
  allResults: string;
  never: string;
  enable: string;
  disable: string;
  previewEnable: string;
  previewDisable: string;
  scale: string;
  scaleHint: string;
  deploy: string;
  deployHint: string;
  chooseSite: string;
  /** `{site}` */
  undeploy: string;
  /** `{name}` */
  enabled: string;
  disabled: string;
  changed: string;
}

const english: AgentsPhrases = {
  agents: "Agents",
  investigations: "Investigations",
  views: "Views",
  columns: {
    name: "Agent",
    now: "Now",
    instances: "Instances",
    sites: "Sites",
    runs: "Runs 24 h",
    lastActive: "Last active",
  },
  now: { disabled: "Off", parked: "Parked", failed: "Failed", working: "Working", ready: "Ready" },
  nowTexts: {
    disabled: "Takes part in no investigation until it is enabled.",
    parked: "Has no instance, so it starts no run. Give it one to let it work again.",
    failed: "Its last run failed. It still takes part; enabling it clears the failure.",
    working: "Leads an investigation at this moment.",
    ready: "Takes part in the next investigation that it fits.",
  },
  tasks: {
    triage: "Rates a new alert, links alerts that belong together and opens a case when one is needed.",
    enrichment: "Adds what the platform knows about the hosts, users and addresses of an alert.",
    correlation: "Finds alerts and cases that share a host, a user, a device or an indicator within a time.",
    threat_intel: "Compares the observables of a case with the known indicators and records new ones.",
    threat_hunt: "Searches the logs for earlier traces of what a case has found.",
    malware: "Judges files and processes by their hashes, origins and behaviour in the logs.",
    phishing: "Examines reported mails, their senders and links, and finds other recipients.",
    identity: "Looks for stolen accounts: unusual sign-ins, new factors, new consents and new privileges.",
    network: "Examines the connections of a host: destinations, volumes, intervals and lateral movement.",
    endpoint: "Examines what happened on an endpoint and whether it is isolated.",
    cloud: "Examines changes in cloud tenants: roles, keys, public resources and audit settings.",
    cps_guard: "Judges what an event means for physical processes and which devices are concerned.",
    firmware: "Compares attested measurements with the firmware catalog and finds devices with the same unknown one.",
    response: "Proposes and starts the playbook that fits a case; critical ones wait for a person's approval.",
    report: "Writes the report of a case from its facts, each sentence with its evidence.",
    supervisor: "Plans an investigation, chooses the agents for it and joins their findings to one verdict.",
  },
  running: { one: "# investigation runs", other: "# investigations run" },
  waiting: { one: "# waits", other: "# wait" },
  width: "{width} at a time",
  widthZero: "none can run: SupervisorAgent or TriageAgent is off",
  dropped: { one: "# was dropped in 24 h", other: "# were dropped in 24 h" },
  empty: "There are no agents",
  emptyText: "Every platform has sixteen agents. An empty list means that you may see none of them.",
  anyStatus: "Any state",
  status: "State",
  lastError: "Last failure",
  mayUse: "What it may use",
  mayChange: "changes something",
  onlyReads: "reads",
  insideOnly: "It works only inside the platform: no tool can be called in its name.",
  noTools: "With your permissions it may use no tool.",
  capabilities: "Skills",
  classes: "Asset classes",
  everywhere: "Everywhere: it is deployed to no site in particular.",
  unknownSite: "a site that you may not see",
  lastResults: "Last results",
  noResults: "It has taken part in no investigation yet.",
  allResults: "All its investigations",
  never: "never",
  enable: "Enable",
  disable: "Disable",
  previewEnable: "Preview enabling",
  previewDisable: "Preview disabling",
  scale: "Instances",
  scaleHint: "0 parks the agent. At most 10.",
  deploy: "Deploy to a site",
  deployHint: "Only sites that have one of its asset classes.",
  chooseSite: "Choose a site",
  undeploy: "Remove from {site}",
  enabled: "{name} is enabled.",
  disabled: "{name} is disabled.",
  changed: "{name} is changed.",
};

const arabic: AgentsPhrases = {
  agents: "الوكلاء",
  investigations: "التحقيقات",
  views: "طرق العرض",
  columns: {
    name: "الوكيل",
    now: "الآن",
    instances: "النسخ",
    sites: "المواقع",
    runs: "تشغيلات 24 س",
    lastActive: "آخر نشاط",
  },
  now: { disabled: "متوقف", parked: "مركون", failed: "فشل", working: "يعمل", ready: "جاهز" },
  nowTexts: {
    disabled: "لا يشارك في أي تحقيق حتى يُفعَّل.",
    parked: "ليست له نسخة، فلا يبدأ أي تشغيل. أعطه نسخة ليعمل من جديد.",
    failed: "فشل تشغيله الأخير. ما زال يشارك؛ وتفعيله يمحو الفشل.",
    working: "يقود تحقيقًا في هذه اللحظة.",
    ready: "يشارك في التحقيق التالي الذي يناسبه.",
  },
  tasks: {
    triage: "يقيّم التنبيه الجديد ويربط التنبيهات المتصلة ويفتح قضية عند الحاجة.",
    enrichment: "يضيف ما تعرفه المنصة عن أجهزة التنبيه ومستخدميه وعناوينه.",
    correlation: "يجد التنبيهات والقضايا التي تشترك في جهاز أو مستخدم أو مؤشر خلال مدة.",
    threat_intel: "يقارن ملاحظات القضية بالمؤشرات المعروفة ويسجّل الجديد منها.",
    threat_hunt: "يبحث في السجلات عن آثار سابقة لما وجدته القضية.",
    malware: "يحكم على الملفات والعمليات ببصماتها ومصادرها وسلوكها في السجلات.",
    phishing: "يفحص الرسائل المبلَّغ عنها ومرسليها وروابطها، ويجد متلقين آخرين.",
    identity: "يبحث عن الحسابات المسروقة: دخول غير معتاد، وعوامل وموافقات وصلاحيات جديدة.",
    network: "يفحص اتصالات الجهاز: الوجهات والأحجام والفواصل والحركة الجانبية.",
    endpoint: "يفحص ما حدث على الجهاز الطرفي وهل هو معزول.",
    cloud: "يفحص التغييرات في السحابة: الأدوار والمفاتيح والموارد العامة وإعدادات التدقيق.",
    cps_guard: "يحكم على معنى الحدث للعمليات الفيزيائية وعلى الأجهزة المعنية.",
    firmware: "يقارن القياسات الموثقة بفهرس البرامج الثابتة ويجد الأجهزة ذات المجهول نفسه.",
    response: "يقترح الدليل المناسب للقضية ويبدؤه؛ والحرج منها ينتظر موافقة إنسان.",
    report: "يكتب تقرير القضية من وقائعها، وكل جملة مع دليلها.",
    supervisor: "يخطط التحقيق ويختار وكلاءه ويجمع نتائجهم في حكم واحد.",
  },
  running: { one: "تحقيق واحد جارٍ", two: "تحقيقان جاريان", few: "# تحقيقات جارية", other: "# تحقيقًا جاريًا" },
  waiting: { one: "# ينتظر", other: "# تنتظر" },
  width: "{width} في الوقت نفسه",
  widthZero: "لا يمكن تشغيل أي منها: SupervisorAgent أو TriageAgent متوقف",
  dropped: { one: "أُسقط # خلال 24 س", other: "أُسقط # خلال 24 س" },
  empty: "لا يوجد وكلاء",
  emptyText: "لكل منصة ستة عشر وكيلًا. القائمة الفارغة تعني أنه لا يحق لك رؤية أي منهم.",
  anyStatus: "أي حالة",
  status: "الحالة",
  lastError: "آخر فشل",
  mayUse: "ما يحق له استخدامه",
  mayChange: "يغيّر شيئًا",
  onlyReads: "يقرأ",
  insideOnly: "يعمل داخل المنصة فقط: لا يمكن استدعاء أداة باسمه.",
  noTools: "بصلاحياتك لا يحق له استخدام أي أداة.",
  capabilities: "المهارات",
  classes: "أصناف الأصول",
  everywhere: "في كل مكان: لم يُنشر في موقع بعينه.",
  unknownSite: "موقع لا يحق لك رؤيته",
  lastResults: "آخر النتائج",
  noResults: "لم يشارك في أي تحقيق بعد.",
  allResults: "كل تحقيقاته",
  never: "أبدًا",
  enable: "تفعيل",
  disable: "إيقاف",
  previewEnable: "معاينة التفعيل",
  previewDisable: "معاينة الإيقاف",
  scale: "النسخ",
  scaleHint: "الصفر يركن الوكيل. عشر نسخ على الأكثر.",
  deploy: "نشر في موقع",
  deployHint: "المواقع التي فيها أحد أصناف أصوله فقط.",
  chooseSite: "اختر موقعًا",
  undeploy: "إزالة من {site}",
  enabled: "{name} مفعَّل.",
  disabled: "{name} متوقف.",
  changed: "تغيّر {name}.",
};

export const agentsPhrases: Translations<AgentsPhrases> = { en: english, ar: arabic };
