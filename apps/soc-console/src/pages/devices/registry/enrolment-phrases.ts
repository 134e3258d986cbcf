import { translations } from "../../../app/language/translations.ts";

export const enrolmentPhrases = translations({
  newCode: ["New enrolment code", "رمز تسجيل جديد"],
  previewCode: ["Preview a code", "عاين رمزًا"],
  codeTitle: ["Enrol a device", "تسجيل جهاز"],
  codeAgainTitle: ["Enrol this device again", "تسجيل هذا الجهاز من جديد"],
  codeAgainText: [
    "For a device that has lost its certificate. This revokes its former certificates.",
    "لجهاز فقد شهادته. تُلغى به شهاداته السابقة.",
  ],
  codeName: ["Name", "الاسم"],
  codeType: ["Type", "النوع"],
  codeTypeHint: ["Lower-case letters, such as player or gateway.", "أحرف لاتينية صغيرة، مثل player أو gateway."],
  noSite: ["No site", "بلا موقع"],
  create: ["Create the code", "أنشئ الرمز"],
  code: ["Code", "الرمز"],
  codeOnce: [
    "Shown once. It works once: give it to the owner of the device with the fingerprint.",
    "يظهر مرة واحدة ويعمل مرة واحدة: أعطه لمالك الجهاز مع البصمة.",
  ],
  codeEnds: ["Expires in {time}.", "ينتهي بعد {time}."],
  codeEnded: ["This code has expired. Create another one.", "انتهى هذا الرمز. أنشئ غيره."],
  authority: ["Fingerprint of the authority", "بصمة سلطة الشهادات"],
  authorityHint: ["The device identifies this platform by it.", "بها يعرف الجهاز هذه المنصة."],
  copy: ["Copy", "انسخ"],
  copied: ["Copied.", "نُسخ."],
});
