import type { AssetClass } from "@soc/service/contract/identity/sites/sites";
import type { Phrases, Translations } from "../../../app/language/translations.ts";

const english = {
  sites: "Sites",
  newSite: "New site",
  fields: {
    name: "Name",
    classes: "Asset classes",
    users: "Restricted users",
    keys: "Restricted keys",
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
  nameHint: "Use a new name: records refer to sites by name.",
  create: "Create",
  created: "Site created. Restrict users and keys to it in their settings.",
  heldTo: "Restricted to this site",
  heldHint: "They have no access to other sites.",
  noneHeld: "No user or key is restricted to it.",
  allUsers: { one: "# user has access to all sites.", other: "# users have access to all sites." },
  allKeys: { one: "# key has access to all sites.", other: "# keys have access to all sites." },
  groups: "Groups of providers",
  groupsText: "The service configuration maps groups to roles and sites, under rights of the provider.",
  alerts: "Alerts of the site",
  logs: "Logs of the site",
  remove: "Delete",
  removeTitle: "Delete {name}?",
  removeText:
    "It is removed from its users and keys; those restricted to it alone then see nothing. Refused while it has agents or devices.",
  removed: "The site is deleted.",
  empty: "No sites",
  emptyText: "Without sites all users see everything. A site separates places or customers.",
};

const arabic: Phrases<typeof english> = {
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

export const sitesPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

/** A custom class is displayed with its own name. */
export function formatClasses(names: Readonly<Record<AssetClass, string>>, classes: readonly string[]): string {
  const known = new Map(Object.entries(names));
  return classes.map((each) => known.get(each) ?? each).join(", ");
}
