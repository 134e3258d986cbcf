import type { Translations } from "../../app/language/translations.ts";

interface OverviewPhrases {
  title: string;
  /** `{version}`. */
  version: string;
  network: string;
  noNetwork: string;
  noNetworkHint: string;
  clock: string;
  battery: string;
  /** `{percent}`. */
  charging: string;
  onBattery: string;
  lookInto: string;
  sections: string;
  /** `{percent}`: the highest volume. */
  soundLine: string;
  loudest: string;
  /** `{language}` and `{percent}`: how bright. */
  languageLine: string;
  backupLine: string;
  installLine: string;
  resetLine: string;
  diagnosticsLine: string;
}

const english: OverviewPhrases = {
  title: "Settings",
  version: "Version {version}",
  network: "Network",
  noNetwork: "In no Wi-Fi network",
  noNetworkHint: "Recordings, adhan and schedules work without one; radio needs it.",
  clock: "Clock",
  battery: "Battery",
  charging: "{percent} %, charging",
  onBattery: "{percent} %",
  lookInto: "Have a look",
  sections: "Change something",
  soundLine: "Never louder than {percent} %",
  loudest: "As loud as it can be",
  languageLine: "{language}, brightness {percent} %",
  backupLine: "Keep what you have set in a file, or bring it back",
  installLine: "Put the player on your home screen",
  resetLine: "As if it were new",
  diagnosticsLine: "How it is, and what its screen shows",
};

const arabic: OverviewPhrases = {
  title: "الإعدادات",
  version: "الإصدار {version}",
  network: "الشبكة",
  noNetwork: "غير متصل بأي شبكة واي فاي",
  noNetworkHint: "التسجيلات والأذان والمواعيد تعمل بدونها، أما الإذاعة فتحتاج إليها.",
  clock: "الساعة",
  battery: "البطارية",
  charging: "{percent}٪، تُشحن الآن",
  onBattery: "{percent}٪",
  lookInto: "اطّلع",
  sections: "غيّر شيئًا",
  soundLine: "لا يعلو فوق {percent}٪",
  loudest: "بأعلى ما يمكن",
  languageLine: "{language}، السطوع {percent}٪",
  backupLine: "احفظ ما ضبطته في ملف، أو استعده منه",
  installLine: "ضع المشغّل على شاشة هاتفك الرئيسية",
  resetLine: "كأنه جديد",
  diagnosticsLine: "كيف حاله، وماذا تعرض شاشته",
};

export const overviewPhrases: Translations<OverviewPhrases> = { en: english, ar: arabic };
