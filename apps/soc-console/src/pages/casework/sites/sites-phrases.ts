import type { AssetClass } from "@soc/service/contract/identity/sites/sites";
import { translations } from "../../../app/language/translations.ts";

export const sitesPhrases = translations({
  sites: ["Sites", "المواقع"],
  newSite: ["New site", "موقع جديد"],
  fields: {
    name: ["Name", "الاسم"],
    classes: ["Asset classes", "ما فيه"],
    users: ["Restricted users", "مستخدمون مقيدون به"],
    keys: ["Restricted keys", "مفاتيح مقيدة به"],
    description: ["Description", "الوصف"],
    contact: ["Contact", "جهة الاتصال"],
  },
  classes: {
    it: ["IT", "تقنية المعلومات"],
    cloud: ["Cloud", "السحابة"],
    identity: ["Identity", "الهوية"],
    ot: ["OT", "التقنية التشغيلية"],
    iot: ["IoT", "إنترنت الأشياء"],
    medical: ["Medical", "طبي"],
    building: ["Building", "المبنى"],
    mobile: ["Mobile", "الجوال"],
  },
  nameHint: [
    "Use a new name: records refer to sites by name.",
    "أعطِ الموقع الجديد اسمًا جديدًا: السجلات تسمي المواقع به.",
  ],
  create: ["Create", "أنشئ"],
  created: [
    "Site created. Restrict users and keys to it in their settings.",
    "الموقع موجود. قيّد به المستخدمين والمفاتيح في إعداداتهم.",
  ],
  heldTo: ["Restricted to this site", "مقيدون بهذا الموقع"],
  heldHint: ["They have no access to other sites.", "لا يرون ولا يرسلون شيئًا من مواقع أخرى."],
  noneHeld: ["No user or key is restricted to it.", "لا مستخدم ولا مفتاح مقيد به."],
  allUsers: [
    { one: "# user has access to all sites.", other: "# users have access to all sites." },
    {
      one: "مستخدم واحد يعمل لكل المواقع.",
      two: "مستخدمان يعملان لكل المواقع.",
      few: "# مستخدمين يعملون لكل المواقع.",
      other: "# مستخدمًا يعملون لكل المواقع.",
    },
  ],
  allKeys: [
    { one: "# key has access to all sites.", other: "# keys have access to all sites." },
    {
      zero: "لا مفتاح يعمل لكل المواقع.",
      one: "مفتاح واحد يعمل لكل المواقع.",
      two: "مفتاحان يعملان لكل المواقع.",
      few: "# مفاتيح تعمل لكل المواقع.",
      other: "# مفتاحًا تعمل لكل المواقع.",
    },
  ],
  groups: ["Groups of providers", "مجموعات المزودين"],
  groupsText: [
    "The service configuration maps groups to roles and sites, under rights of the provider.",
    "أي مجموعة لها أي دور وأي مواقع مكتوب في إعداد الخدمة، تحت حقوق المزود.",
  ],
  alerts: ["Alerts of the site", "تنبيهات الموقع"],
  logs: ["Logs of the site", "سجلات الموقع"],
  remove: ["Delete", "احذف"],
  removeTitle: ["Delete {name}?", "حذف {name}؟"],
  removeText: [
    "It is removed from its users and keys; those restricted to it alone then see nothing. Refused while it has agents or devices.",
    "يُنزع من مستخدميه ومفاتيحه، ومن كان مقيدًا به وحده لا يرى بعدها شيئًا. يُرفض ما دامت فيه وكلاء أو أجهزة.",
  ],
  removed: ["The site is deleted.", "حُذف الموقع."],
  empty: ["No sites", "لا مواقع"],
  emptyText: [
    "Without sites all users see everything. A site separates places or customers.",
    "بلا مواقع يرى كل المستخدمين كل شيء. الموقع يفصل الأماكن أو العملاء.",
  ],
});

/** A custom class is displayed with its own name. */
export function formatClasses(names: Readonly<Record<AssetClass, string>>, classes: readonly string[]): string {
  const known = new Map(Object.entries(names));
  return classes.map((each) => known.get(each) ?? each).join(", ");
}
