import type { Translations } from "../../../app/language/translations.ts";

/** Words of the codes by which devices are enrolled. */
export interface EnrolmentPhrases {
  newCode: string;
  previewCode: string;
  codeTitle: string;
  codeAgainTitle: string;
  codeAgainText: string;
  codeName: string;
  codeType: string;
  codeTypeHint: string;
  noSite: string;
  create: string;
  code: string;
  codeOnce: string;
  /** `{time}` */
  codeEnds: string;
  codeEnded: string;
  authority: string;
  authorityHint: string;
  copy: string;
  copied: string;
}

export const enrolmentPhrases: Translations<EnrolmentPhrases> = {
  en: {
    newCode: "New enrolment code",
    previewCode: "Preview a code",
    codeTitle: "Enrol a device",
    codeAgainTitle: "Enrol this device again",
    codeAgainText: "For a device that has lost its certificate. Its former certificates are revoked by that.",
    codeName: "Name",
    codeType: "Type",
    codeTypeHint: "Small letters, such as player or gateway.",
    noSite: "No site",
    create: "Create the code",
    code: "Code",
    codeOnce: "Shown once. It works once: give it to the owner of the device with the fingerprint.",
    codeEnds: "Ends in {time}.",
    codeEnded: "This code has ended. Create another one.",
    authority: "Fingerprint of the authority",
    authorityHint: "By it the device recognises this platform.",
    copy: "Copy",
    copied: "Copied.",
  },
  ar: {
    newCode: "رمز تسجيل جديد",
    previewCode: "عاين رمزًا",
    codeTitle: "تسجيل جهاز",
    codeAgainTitle: "تسجيل هذا الجهاز من جديد",
    codeAgainText: "لجهاز فقد شهادته. تُلغى به شهاداته السابقة.",
    codeName: "الاسم",
    codeType: "النوع",
    codeTypeHint: "أحرف لاتينية صغيرة، مثل player أو gateway.",
    noSite: "بلا موقع",
    create: "أنشئ الرمز",
    code: "الرمز",
    codeOnce: "يظهر مرة واحدة ويعمل مرة واحدة: أعطه لمالك الجهاز مع البصمة.",
    codeEnds: "ينتهي بعد {time}.",
    codeEnded: "انتهى هذا الرمز. أنشئ غيره.",
    authority: "بصمة سلطة الشهادات",
    authorityHint: "بها يعرف الجهاز هذه المنصة.",
    copy: "انسخ",
    copied: "نُسخ.",
  },
};
