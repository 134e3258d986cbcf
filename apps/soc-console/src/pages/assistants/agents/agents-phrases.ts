import { translations } from "../../../app/language/translations.ts";

export const agentsPhrases = translations({
  agents: ["Agents", "الوكلاء"],
  investigations: ["Investigations", "التحقيقات"],
  columns: {
    name: ["Agent", "الوكيل"],
    now: ["Now", "الآن"],
    instances: ["Instances", "النسخ"],
    sites: ["Sites", "المواقع"],
    runs: ["Runs 24 h", "تشغيلات 24 س"],
    lastActive: ["Last active", "آخر نشاط"],
  },
  now: {
    disabled: ["Off", "متوقف"],
    parked: ["Parked", "مركون"],
    failed: ["Failed", "فشل"],
    working: ["Working", "يعمل"],
    ready: ["Ready", "جاهز"],
  },
  /** What the state means for the next investigation. */
  nowTexts: {
    disabled: ["Takes part in no investigation until it is enabled.", "لا يشارك في أي تحقيق حتى يُفعَّل."],
    parked: [
      "Has no instances, so it starts no runs. Add one to resume.",
      "ليست له نسخة، فلا يبدأ أي تشغيل. أعطه نسخة ليعمل من جديد.",
    ],
    failed: [
      "Its last run failed. It still takes part; enabling it clears the failure.",
      "فشل تشغيله الأخير. ما زال يشارك؛ وتفعيله يمحو الفشل.",
    ],
    working: ["Currently leads an investigation.", "يقود تحقيقًا في هذه اللحظة."],
    ready: ["Available for the next matching investigation.", "يشارك في التحقيق التالي الذي يناسبه."],
  },
  tasks: {
    triage: [
      "Rates a new alert, links related alerts and opens a case if needed.",
      "يقيّم التنبيه الجديد ويربط التنبيهات المتصلة ويفتح قضية عند الحاجة.",
    ],
    enrichment: [
      "Adds known facts about the hosts, users and addresses of an alert.",
      "يضيف ما تعرفه المنصة عن أجهزة التنبيه ومستخدميه وعناوينه.",
    ],
    correlation: [
      "Finds alerts and cases that share a host, a user, a device or an indicator within a time.",
      "يجد التنبيهات والقضايا التي تشترك في جهاز أو مستخدم أو مؤشر خلال مدة.",
    ],
    threat_intel: [
      "Compares the observables of a case with the known indicators and records new ones.",
      "يقارن ملاحظات القضية بالمؤشرات المعروفة ويسجّل الجديد منها.",
    ],
    threat_hunt: [
      "Searches the logs for earlier traces of a case's findings.",
      "يبحث في السجلات عن آثار سابقة لما وجدته القضية.",
    ],
    malware: [
      "Assesses files and processes by their hashes, origins and behaviour in the logs.",
      "يحكم على الملفات والعمليات ببصماتها ومصادرها وسلوكها في السجلات.",
    ],
    phishing: [
      "Examines reported mails, their senders and links, and finds other recipients.",
      "يفحص الرسائل المبلَّغ عنها ومرسليها وروابطها، ويجد متلقين آخرين.",
    ],
    identity: [
      "Detects compromised accounts: unusual sign-ins, new factors, new consents and new privileges.",
      "يبحث عن الحسابات المسروقة: دخول غير معتاد، وعوامل وموافقات وصلاحيات جديدة.",
    ],
    network: [
      "Examines the connections of a host: destinations, volumes, intervals and lateral movement.",
      "يفحص اتصالات الجهاز: الوجهات والأحجام والفواصل والحركة الجانبية.",
    ],
    endpoint: [
      "Examines what happened on an endpoint and whether it is isolated.",
      "يفحص ما حدث على الجهاز الطرفي وهل هو معزول.",
    ],
    cloud: [
      "Examines changes in cloud tenants: roles, keys, public resources and audit settings.",
      "يفحص التغييرات في السحابة: الأدوار والمفاتيح والموارد العامة وإعدادات التدقيق.",
    ],
    cps_guard: [
      "Assesses the effect of an event on physical processes and devices.",
      "يحكم على معنى الحدث للعمليات الفيزيائية وعلى الأجهزة المعنية.",
    ],
    firmware: [
      "Compares attested measurements with the firmware catalog and finds devices with the same unknown firmware.",
      "يقارن القياسات الموثقة بفهرس البرامج الثابتة ويجد الأجهزة ذات المجهول نفسه.",
    ],
    response: [
      "Proposes and starts the playbook that fits a case; critical ones require approval.",
      "يقترح الدليل المناسب للقضية ويبدؤه؛ والحرج منها ينتظر موافقة إنسان.",
    ],
    report: [
      "Writes the report of a case from its facts, each sentence with its evidence.",
      "يكتب تقرير القضية من وقائعها، وكل جملة مع دليلها.",
    ],
    supervisor: [
      "Plans an investigation, selects its agents and combines their findings into one verdict.",
      "يخطط التحقيق ويختار وكلاءه ويجمع نتائجهم في حكم واحد.",
    ],
  },
  running: [
    { one: "# investigation running", other: "# investigations running" },
    { one: "تحقيق واحد جارٍ", two: "تحقيقان جاريان", few: "# تحقيقات جارية", other: "# تحقيقًا جاريًا" },
  ],
  waiting: [
    { one: "# queued", other: "# queued" },
    { one: "# ينتظر", other: "# تنتظر" },
  ],
  width: ["{width} concurrent", "{width} في الوقت نفسه"],
  widthZero: [
    "none can run: SupervisorAgent or TriageAgent is disabled",
    "لا يمكن تشغيل أي منها: SupervisorAgent أو TriageAgent متوقف",
  ],
  dropped: [
    { one: "# dropped in 24 h", other: "# dropped in 24 h" },
    { one: "أُسقط # خلال 24 س", other: "أُسقط # خلال 24 س" },
  ],
  empty: ["There are no agents", "لا يوجد وكلاء"],
  emptyText: [
    "Every platform has sixteen agents. An empty list means that you may not see them.",
    "لكل منصة ستة عشر وكيلًا. القائمة الفارغة تعني أنه لا يحق لك رؤية أي منهم.",
  ],
  anyStatus: ["Any state", "أي حالة"],
  status: ["State", "الحالة"],
  lastError: ["Last failure", "آخر فشل"],
  mayUse: ["Tools", "ما يحق له استخدامه"],
  mayChange: ["read-write", "يغيّر شيئًا"],
  onlyReads: ["read-only", "يقرأ"],
  insideOnly: [
    "Works only inside the platform: no tools can be called on its behalf.",
    "يعمل داخل المنصة فقط: لا يمكن استدعاء أداة باسمه.",
  ],
  noTools: ["Your permissions allow it no tools.", "بصلاحياتك لا يحق له استخدام أي أداة."],
  capabilities: ["Skills", "المهارات"],
  classes: ["Asset classes", "أصناف الأصول"],
  everywhere: ["All sites: not deployed to a specific site.", "في كل مكان: لم يُنشر في موقع بعينه."],
  unknownSite: ["a site you cannot see", "موقع لا يحق لك رؤيته"],
  lastResults: ["Latest results", "آخر النتائج"],
  noResults: ["No investigations yet.", "لم يشارك في أي تحقيق بعد."],
  allResults: ["All investigations of this agent", "كل تحقيقاته"],
  never: ["never", "أبدًا"],
  enable: ["Enable", "تفعيل"],
  disable: ["Disable", "إيقاف"],
  previewEnable: ["Preview enabling", "معاينة التفعيل"],
  previewDisable: ["Preview disabling", "معاينة الإيقاف"],
  scale: ["Instances", "النسخ"],
  scaleHint: ["0 parks the agent. At most 10.", "الصفر يركن الوكيل. عشر نسخ على الأكثر."],
  deploy: ["Deploy to a site", "نشر في موقع"],
  deployHint: ["Only sites that have one of its asset classes.", "المواقع التي فيها أحد أصناف أصوله فقط."],
  chooseSite: ["Choose a site", "اختر موقعًا"],
  undeploy: ["Remove from {site}", "إزالة من {site}"],
  enabled: ["{name} is enabled.", "{name} مفعَّل."],
  disabled: ["{name} is disabled.", "{name} متوقف."],
  changed: ["{name} is changed.", "تغيّر {name}."],
});
