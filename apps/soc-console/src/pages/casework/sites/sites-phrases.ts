import type { AssetClass } from "@soc/service/contract/identity/sites/sites";
import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

interface SitesPhrases {
  sites: string;
  newSite: string;
  fields: { name: string; classes: string; users: string; keys: string; description: string; contact: string };
  classes: Readonly<Record<AssetClass, string>>;
  nameHint: string;
  create: string;
  created: string;
  heldTo: string;
  heldHint: string;
  noneHeld: string;
  allUsers: PluralForms;
  allKeys: PluralForms;
  groups: string;
  groupsText: string;
  alerts: string;
  logs: string;
  remove: string;
  /** `{name}` */
  removeTitle: string;
  removeText: string;
  removed: string;
  empty: string;
  emptyText: string;
}

const english: SitesPhrases = {
  sites: "Sites",
  newSite: "New site",
  fields: {
    name: "Name",
    classes: "What is there",
    users: "Users held to it",
    keys: "Keys held to it",
    description: "Description",
    contact: "Contact",
  },
  classes: {
    it: "IT",
    cloud: "Cloud",
    identity: "Identity",
    ot: "OT",
    iot: "IoT",
    medical: "Medical",
    building: "Building",
    mobile: "Mobile",
  },
  nameHint: "Give a new site a new name: records name sites by it.",
  create: "Create",
  created: "The site exists. Hold users and keys to it in their settings.",
  heldTo: "Held to this site",
  heldHint: "They see and send nothing of other sites.",
  noneHeld: "No user and no key is held to it.",
  allUsers: { one: "# user works for all sites.", other: "# users work for all sites." },
  allKeys: { one: "# key works for all sites.", other: "# keys work for all sites." },
  groups: "Groups of providers",
  groupsText:
    "Which group has which role and which sites stands in the configuration of the service, below rights of the provider.",
  alerts: "Alerts of the site",
  logs: "Logs of the site",
  remove: "Delete",
  removeTitle: "Delete {name}?",
  removeText:
    "It is taken from its users and keys; those who were held to it alone then see nothing. Refused while agents or devices are there.",
  removed: "The site is deleted.",
  empty: "No sites",
  emptyText: "Without sites all users see everything. A site separates places or customers.",
};

const arabic: SitesPhrases = {
  sites: "المواقع",
  newSite: "موقع جديد",
  fields: {
    name: "الاسم",
    classes: "ما فيه",
    users: "مستخدمون مقيدون به",
    keys: "مفاتيح مقيدة به",
    description: "الوصف",
    contact: "جهة الاتصال",
  },
  classes: {
    it: "تقنية المعلومات",
    cloud: "السحابة",
    identity: "الهوية",
    ot: "التقنية التشغيلية",
    iot: "إنترنت الأشياء",
    medical: "طبي",
    building: "المبنى",
    mobile: "الجوال",
  },
  nameHint: "أعطِ الموقع الجديد اسمًا جديدًا: السجلات تسمي المواقع به.",
  create: "أنشئ",
  created: "الموقع موجود. قيّد به المستخدمين والمفاتيح في إعداداتهم.",
  heldTo: "مقيدون بهذا الموقع",
  heldHint: "لا يرون ولا يرسلون شيئًا من مواقع أخرى.",
  noneHeld: "لا مستخدم ولا مفتاح مقيد به.",
  allUsers: {
    one: "مستخدم واحد يعمل لكل المواقع.",
    two: "مستخدمان يعملان لكل المواقع.",
    few: "# مستخدمين يعملون لكل المواقع.",
    other: "# مستخدمًا يعملون لكل المواقع.",
  },
  allKeys: {
    zero: "لا مفتاح يعمل لكل المواقع.",
    one: "مفتاح واحد يعمل لكل المواقع.",
    two: "مفتاحان يعملان لكل المواقع.",
    few: "# مفاتيح تعمل لكل المواقع.",
    other: "# مفتاحًا تعمل لكل المواقع.",
  },
  groups: "مجموعات المزودين",
  groupsText: "أي مجموعة لها أي دور وأي مواقع مكتوب في إعداد الخدمة، تحت حقوق المزود.",
  alerts: "تنبيهات الموقع",
  logs: "سجلات الموقع",
  remove: "احذف",
  removeTitle: "حذف {name}؟",
  removeText: "يُنزع من مستخدميه ومفاتيحه، ومن كان مقيدًا به وحده لا يرى بعدها شيئًا. يُرفض ما دامت فيه وكلاء أو أجهزة.",
  removed: "حُذف الموقع.",
  empty: "لا مواقع",
  emptyText: "بلا مواقع يرى كل المستخدمين كل شيء. الموقع يفصل الأماكن أو العملاء.",
};

export const sitesPhrases: Translations<SitesPhrases> = { en: english, ar: arabic };

/** A class of the operator's own has no name but itself. */
export function formatClasses(names: Readonly<Record<AssetClass, string>>, classes: readonly string[]): string {
  const known = new Map(Object.entries(names));
  return classes.map((each) => known.get(each) ?? each).join(", ");
}
