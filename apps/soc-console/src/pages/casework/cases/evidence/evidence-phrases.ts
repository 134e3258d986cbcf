import type { Translations } from "../../../../app/language/translations.ts";

export interface EvidencePhrases {
  evidence: string;
  name: string;
  type: string;
  hash: string;
  size: string;
  registered: string;
  location: string;
  custody: string;
  addFile: string;
  dropHere: string;
  hashing: string;
  fileTitle: string;
  register: string;
  registerText: string;
  upload: string;
  uploadPreview: string;
  uploading: string;
  stored: string;
  registeredDone: string;
  download: string;
  prove: string;
  proveAgain: string;
  proving: string;
  proven: string;
  provenText: string;
  steps: { entry: string; chain: string; path: string; signature: string };
  waiting: string;
  waitingText: string;
  refused: string;
  faults: { missing: string; other_evidence: string };
  faultEntry: string;
  bundle: string;
  bundleText: string;
  noCrypto: string;
  addCustody: string;
  custodyAction: string;
  notes: string;
  empty: string;
  emptyText: string;
  select: string;
  cancelUpload: string;
  close: string;
  notHashed: string;
  hashDiffers: string;
}

export const evidencePhrases: Translations<EvidencePhrases> = {
  en: {
    evidence: "Evidence",
    name: "Name",
    type: "Type",
    hash: "SHA-256",
    size: "Size",
    registered: "Registered",
    location: "Location",
    custody: "Custody",
    addFile: "Add evidence",
    dropHere: "Drop the file here",
    hashing: "Hashing in this browser: {percent}",
    fileTitle: "Evidence from a file",
    register: "Register by hash only",
    registerText: "The hash was computed in this browser. The file leaves it only if you upload it.",
    upload: "Upload and register",
    uploadPreview: "Preview the registration",
    uploading: "Uploading {percent}",
    stored: "Stored and registered as entry {sequence} of the ledger",
    registeredDone: "Registered by its hash",
    download: "Download",
    prove: "Prove",
    proveAgain: "Prove again",
    proving: "Checking in this browser…",
    proven: "Proven in this browser",
    provenText: "Entry {sequence} of {length} has this name and this hash.",
    steps: {
      entry: "The entry has the hash that the ledger recorded for it.",
      chain: "All {length} entries of the case follow one another without a gap.",
      path: "{count} hashes lead from the entry to the root of {size} entries.",
      signature: "The root is signed: checkpoint of {time}, key {key}.",
    },
    waiting: "Waits for the next checkpoint",
    waitingText:
      "Entry {sequence} is in an unbroken chain. A checkpoint is signed each minute; then the proof is complete.",
    refused: "Not proven",
    faults: {
      missing: "The ledger has no entry for this evidence.",
      other_evidence: "The ledger recorded another name or hash than the case shows.",
    },
    faultEntry: "Entry {sequence}",
    bundle: "Save the bundle",
    bundleText: "The bundle can be verified without this server: manara-soc verify.",
    noCrypto: "This browser computes hashes only over HTTPS. Upload the file: the platform computes its hash.",
    addCustody: "Record custody",
    custodyAction: "What was done, and by whom",
    notes: "Notes",
    empty: "No evidence yet",
    emptyText: "Drop a file here: its hash is computed in your browser and registered in the ledger.",
    select: "Select",
    cancelUpload: "Stop the upload",
    close: "Close",
    notHashed: "no hash",
    hashDiffers: "The platform received another content than this browser read.",
  },
  ar: {
    evidence: "الأدلة",
    name: "الاسم",
    type: "النوع",
    hash: "SHA-256",
    size: "الحجم",
    registered: "سُجّل",
    location: "المكان",
    custody: "الحيازة",
    addFile: "أضف دليلًا",
    dropHere: "أفلت الملف هنا",
    hashing: "تُحسب البصمة في هذا المتصفح: {percent}",
    fileTitle: "دليل من ملف",
    register: "سجّل البصمة فقط",
    registerText: "حُسبت البصمة في هذا المتصفح. لا يغادره الملف إلا إذا رفعته.",
    upload: "ارفع وسجّل",
    uploadPreview: "عاين التسجيل",
    uploading: "يُرفع {percent}",
    stored: "حُفظ وسُجّل في السجل الموثّق بالرقم {sequence}",
    registeredDone: "سُجّل ببصمته",
    download: "تنزيل",
    prove: "أثبت",
    proveAgain: "أثبت من جديد",
    proving: "يجري التحقق في هذا المتصفح…",
    proven: "أُثبت في هذا المتصفح",
    provenText: "المدخل {sequence} من {length} يحمل هذا الاسم وهذه البصمة.",
    steps: {
      entry: "للمدخل البصمة التي سجّلها السجل الموثّق له.",
      chain: "مدخلات القضية كلها ({length}) متتالية بلا فجوة.",
      path: "تقود {count} بصمة من المدخل إلى جذر {size} مدخلًا.",
      signature: "الجذر موقّع: نقطة تحقق {time}، المفتاح {key}.",
    },
    waiting: "ينتظر نقطة التحقق التالية",
    waitingText: "المدخل {sequence} في سلسلة غير منقطعة. تُوقّع نقطة تحقق كل دقيقة، ثم يكتمل الإثبات.",
    refused: "لم يُثبت",
    faults: {
      missing: "لا مدخل لهذا الدليل في السجل الموثّق.",
      other_evidence: "سجّل السجل الموثّق اسمًا أو بصمة غير ما تعرضه القضية.",
    },
    faultEntry: "المدخل {sequence}",
    bundle: "احفظ الحزمة",
    bundleText: "يمكن التحقق من الحزمة دون هذا الخادم: manara-soc verify.",
    noCrypto: "يحسب هذا المتصفح البصمات عبر HTTPS فقط. ارفع الملف: تحسب المنصة بصمته.",
    addCustody: "سجّل الحيازة",
    custodyAction: "ما الذي جرى، ومن فعله",
    notes: "ملاحظات",
    empty: "لا أدلة بعد",
    emptyText: "أفلت ملفًا هنا: تُحسب بصمته في متصفحك وتُسجّل في السجل الموثّق.",
    select: "حدّد",
    cancelUpload: "أوقف الرفع",
    close: "إغلاق",
    notHashed: "بلا بصمة",
    hashDiffers: "استلمت المنصة محتوى غير الذي قرأه هذا المتصفح.",
  },
};
