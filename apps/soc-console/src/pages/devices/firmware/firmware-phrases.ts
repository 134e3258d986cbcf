import { translations } from "../../../app/language/translations.ts";

export const firmwarePhrases = translations({
  title: ["Firmware catalog", "دليل البرامج الثابتة"],
  group: ["Firmware", "برنامج ثابت"],
  back: ["Devices", "الأجهزة"],
  views: {
    label: ["Views", "العروض"],
    all: ["All", "الكل"],
    good: ["Known good", "معروفة سليمة"],
    withdrawn: ["Not known good", "غير معروفة السلامة"],
  },
  columns: {
    product: ["Product", "المنتج"],
    version: ["Version", "الإصدار"],
    vendor: ["Vendor", "المورّد"],
    state: ["State", "الحال"],
    devices: ["Devices", "الأجهزة"],
    hash: ["SHA-256", "SHA-256"],
  },
  waits: ["Waits for the approval of another person", "بانتظار موافقة شخص آخر"],
  good: ["known good", "معروف سليم"],
  withdrawn: ["not known good", "غير معروف سلامته"],
  devices: [
    { one: "# device runs it", other: "# devices run it" },
    { one: "يشغّله جهاز واحد", two: "يشغّله جهازان", few: "تشغّله # أجهزة", other: "يشغّله # جهازًا" },
  ],
  pcrs: ["Expected PCRs", "قيم PCR المتوقعة"],
  noPcrs: ["None: for devices without a TPM.", "لا شيء: لأجهزة بلا TPM."],
  components: ["Components", "المكوّنات"],
  noComponents: ["No components are listed.", "لا مكوّنات مذكورة."],
  search: ["SHA-256 of the firmware", "بصمة SHA-256 للبرنامج"],
  filter: ["Find by hash", "ابحث بالبصمة"],
  add: ["Add firmware", "أضف برنامجًا"],
  previewAdd: ["Preview", "معاينة"],
  addTitle: ["Firmware", "برنامج ثابت"],
  change: ["Change", "غيّر"],
  withdraw: ["Withdraw", "اسحب"],
  restore: ["Mark as known good", "اعتبره معروفًا سليمًا"],
  withdrawTitle: ["Withdraw firmware", "سحب برنامج ثابت"],
  withdrawEffect: [
    "From their next attestation on, the devices that run it are untrusted.",
    "من مصادقتها التالية تصبح الأجهزة التي تشغّله غير موثوقة.",
  ],
  restoreTitle: ["Mark as known good", "اعتباره معروفًا سليمًا"],
  restoreEffect: [
    "From their next attestation on, the devices that run it are trusted.",
    "من مصادقتها التالية تصبح الأجهزة التي تشغّله موثوقة.",
  ],
  hash: ["SHA-256", "SHA-256"],
  hashHint: ["64 lower-case hex digits.", "64 رقمًا ست عشريًا بأحرف صغيرة."],
  hashWrong: [
    "Not a SHA-256 hash: enter 64 lower-case hex digits.",
    "هذه ليست بصمة SHA-256: 64 رقمًا ست عشريًا بأحرف صغيرة.",
  ],
  knownGood: ["Known good", "معروف سليم"],
  pcrsHint: ["One per line: number and value, such as 4 9c1e…", "سطر لكل قيمة: الرقم ثم القيمة، مثل ‎4 9c1e…‎"],
  componentsHint: [
    "One per line: name and version, such as linux 6.12.48",
    "سطر لكل مكوّن: الاسم ثم الإصدار، مثل linux 6.12.48",
  ],
  wrongLine: ["Invalid line: {line}", "تعذّرت قراءة هذا السطر: {line}"],
  stored: ["Stored in the catalog.", "حُفظ في الدليل."],
  save: ["Store", "احفظ"],
  cancel: ["Cancel", "إلغاء"],
  empty: ["The catalog is empty", "الدليل فارغ"],
  emptyText: [
    "Add each firmware before it is rolled out: devices with unknown firmware become untrusted.",
    "ضع كل برنامج هنا قبل نشره: الأجهزة ذات البرنامج المجهول تصبح غير موثوقة.",
  ],
});

export type FirmwarePhrases = (typeof firmwarePhrases)["en"];
