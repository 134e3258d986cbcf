import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

export interface FirmwarePhrases {
  title: string;
  group: string;
  back: string;
  views: { label: string; all: string; good: string; withdrawn: string };
  columns: { product: string; version: string; vendor: string; state: string; devices: string; hash: string };
  good: string;
  withdrawn: string;
  devices: PluralForms;
  pcrs: string;
  noPcrs: string;
  components: string;
  noComponents: string;
  search: string;
  filter: string;
  add: string;
  previewAdd: string;
  addTitle: string;
  change: string;
  withdraw: string;
  restore: string;
  withdrawTitle: string;
  withdrawEffect: string;
  restoreTitle: string;
  restoreEffect: string;
  hash: string;
  hashHint: string;
  hashWrong: string;
  knownGood: string;
  pcrsHint: string;
  componentsHint: string;
  /** `{line}` */
  wrongLine: string;
  stored: string;
  save: string;
  cancel: string;
  close: string;
  empty: string;
  emptyText: string;
}

export const firmwarePhrases: Translations<FirmwarePhrases> = {
  en: {
    title: "Firmware catalog",
    group: "Firmware",
    back: "Devices",
    views: { label: "Views", all: "All", good: "Known good", withdrawn: "Not known good" },
    columns: {
      product: "Product",
      version: "Version",
      vendor: "Vendor",
      state: "State",
      devices: "Devices",
      hash: "SHA-256",
    },
    good: "known good",
    withdrawn: "not known good",
    devices: { one: "# device runs it", other: "# devices run it" },
    pcrs: "Expected PCRs",
    noPcrs: "None: for devices without a TPM.",
    components: "Components",
    noComponents: "No components are listed.",
    search: "SHA-256 of the firmware",
    filter: "Find by hash",
    add: "Add firmware",
    previewAdd: "Preview",
    addTitle: "Firmware",
    change: "Change",
    withdraw: "Withdraw",
    restore: "Mark as known good",
    withdrawTitle: "Withdraw firmware",
    withdrawEffect: "From their next attestation on, the devices that run it are untrusted.",
    restoreTitle: "Mark as known good",
    restoreEffect: "From their next attestation on, the devices that run it are trusted.",
    hash: "SHA-256",
    hashHint: "64 small hex digits.",
    hashWrong: "This is no SHA-256 hash: 64 small hex digits.",
    knownGood: "Known good",
    pcrsHint: "A line for each: the number and the value, such as 4 9c1e…",
    componentsHint: "A line for each: the name and the version, such as linux 6.12.48",
    wrongLine: "This line cannot be read: {line}",
    stored: "Stored in the catalog.",
    save: "Store",
    cancel: "Cancel",
    close: "Close",
    empty: "The catalog is empty",
    emptyText: "Put each firmware here before it is rolled out: devices with unknown firmware become untrusted.",
  },
  ar: {
    title: "دليل البرامج الثابتة",
    group: "برنامج ثابت",
    back: "الأجهزة",
    views: { label: "العروض", all: "الكل", good: "معروفة سليمة", withdrawn: "غير معروفة السلامة" },
    columns: {
      product: "المنتج",
      version: "الإصدار",
      vendor: "المورّد",
      state: "الحال",
      devices: "الأجهزة",
      hash: "SHA-256",
    },
    good: "معروف سليم",
    withdrawn: "غير معروف سلامته",
    devices: { one: "يشغّله جهاز واحد", two: "يشغّله جهازان", few: "تشغّله # أجهزة", other: "يشغّله # جهازًا" },
    pcrs: "قيم PCR المتوقعة",
    noPcrs: "لا شيء: لأجهزة بلا TPM.",
    components: "المكوّنات",
    noComponents: "لا مكوّنات مذكورة.",
    search: "بصمة SHA-256 للبرنامج",
    filter: "ابحث بالبصمة",
    add: "أضف برنامجًا",
    previewAdd: "معاينة",
    addTitle: "برنامج ثابت",
    change: "غيّر",
    withdraw: "اسحب",
    restore: "اعتبره معروفًا سليمًا",
    withdrawTitle: "سحب برنامج ثابت",
    withdrawEffect: "من مصادقتها التالية تصبح الأجهزة التي تشغّله غير موثوقة.",
    restoreTitle: "اعتباره معروفًا سليمًا",
    restoreEffect: "من مصادقتها التالية تصبح الأجهزة التي تشغّله موثوقة.",
    hash: "SHA-256",
    hashHint: "64 رقمًا ست عشريًا بأحرف صغيرة.",
    hashWrong: "هذه ليست بصمة SHA-256: 64 رقمًا ست عشريًا بأحرف صغيرة.",
    knownGood: "معروف سليم",
    pcrsHint: "سطر لكل قيمة: الرقم ثم القيمة، مثل ‎4 9c1e…‎",
    componentsHint: "سطر لكل مكوّن: الاسم ثم الإصدار، مثل linux 6.12.48",
    wrongLine: "تعذّرت قراءة هذا السطر: {line}",
    stored: "حُفظ في الدليل.",
    save: "احفظ",
    cancel: "إلغاء",
    close: "إغلاق",
    empty: "الدليل فارغ",
    emptyText: "ضع كل برنامج هنا قبل نشره: الأجهزة ذات البرنامج المجهول تصبح غير موثوقة.",
  },
};
