import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  title: "Settings",
  version: "Version {version}",
  network: "Network",
  noNetwork: "Not connected to Wi-Fi",
  noNetworkHint: "Only radio needs Wi-Fi. Everything else works without it.",
  clock: "Clock",
  battery: "Battery",
  charging: "{percent} %, charging",
  onBattery: "{percent} %",
  lookInto: "Details",
  sections: "Settings",
  /** `{percent}`: the highest volume. */
  soundLine: "Limited to {percent} %",
  loudest: "No limit",
  /** `{language}` and `{percent}`: how bright. */
  languageLine: "{language}, brightness {percent} %",
  backupLine: "Save your settings to a file, or restore them",
  monitoringLine: "Let a security platform check the player",
  installLine: "Add the player to your home screen",
  resetLine: "Erase everything",
  diagnosticsLine: "Status and screen view",
};

const arabic: Phrases<typeof english> = {
  title: "الإعدادات",
  version: "الإصدار {version}",
  network: "الشبكة",
  noNetwork: "غير متصل بأي شبكة واي فاي",
  noNetworkHint: "التسجيلات والأذان والمواعيد تعمل بدونها، أما الإذاعة فتحتاج إليها.",
  clock: "الساعة",
  battery: "البطارية",
  charging: "{percent}٪، تُشحن الآن",
  onBattery: "{percent}٪",
  lookInto: "التفاصيل",
  sections: "الضبط",
  soundLine: "الحد الأعلى {percent}٪",
  loudest: "بلا حد",
  languageLine: "{language}، السطوع {percent}٪",
  backupLine: "احفظ ما ضبطته في ملف، أو استعده منه",
  monitoringLine: "اسمح لمنصة أمنية بفحص المشغّل",
  installLine: "ضع المشغّل على شاشة هاتفك الرئيسية",
  resetLine: "محو كل شيء",
  diagnosticsLine: "الحالة وعرض الشاشة",
};

export const overviewPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
