import type { Phrases, Translations } from "../../../app/language/translations.ts";

const english = {
  newCode: "New enrolment code",
  previewCode: "Preview a code",
  codeTitle: "Enrol a device",
  codeAgainTitle: "Enrol this device again",
  codeAgainText: "For a device that has lost its certificate. This revokes its former certificates.",
  codeName: "Name",
  codeType: "Type",
  codeTypeHint: "Lower-case letters, such as player or gateway.",
  noSite: "No site",
  create: "Create the code",
  code: "Code",
  codeOnce: "Shown once. It works once: give it to the owner of the device with the fingerprint.",
  codeEnds: "Expires in {time}.",
  codeEnded: "This code has expired. Create another one.",
  authority: "Fingerprint of the authority",
  authorityHint: "The device identifies this platform by it.",
  copy: "Copy",
  copied: "Copied.",
};

const arabic: Phrases<typeof english> = {
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
};

export const enrolmentPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
