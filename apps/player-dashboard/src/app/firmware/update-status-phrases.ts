import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  statuses: {
    idle: { title: "No update in progress", meaning: "You can install a newer version below." },
    downloading: {
      title: "Downloading the update",
      meaning: "You can close this page. The update continues.",
    },
    receiving: {
      title: "Receiving the file",
      meaning: "Keep this page open until the file is sent.",
    },
    verifying: {
      title: "Checking the update",
      meaning: "The player only accepts updates that are signed by the manufacturer and made for this device.",
    },
    installing: {
      title: "Installing the update",
      meaning: "If the power fails now, the current version stays in place.",
    },
    rebooting: {
      title: "Restarting",
      meaning: "The player does not respond for about a minute. This page reconnects automatically.",
    },
    confirming: {
      title: "Testing the new version",
      meaning: "For up to two minutes, the player checks that it responds, plays sound and has your settings.",
    },
    success: { title: "Update complete", meaning: "The new version is working." },
    failed: { title: "Update failed", meaning: "The player keeps its current version." },
    rolled_back: {
      title: "The previous version was restored",
      meaning:
        "The new version started but did not pass its checks within two minutes, so the player went back to the previous version. Your settings are safe and everything works as before. Try again, or wait for a newer update.",
    },
  },
};

const arabic: Phrases<typeof english> = {
  statuses: {
    idle: { title: "لا يوجد تحديث جارٍ", meaning: "يمكنك تثبيت إصدار أحدث أدناه." },
    downloading: { title: "ينزّل المشغّل التحديث", meaning: "يمكنك إغلاق هذه الصفحة، فهو يتابع من تلقاء نفسه." },
    receiving: { title: "يستقبل المشغّل الملف", meaning: "أبقِ هذه الصفحة مفتوحة حتى يصل الملف." },
    verifying: { title: "يفحص المشغّل التحديث", meaning: "لا يقبل إلا ما وقّعه صانعه وما صُنع لهذا الجهاز نفسه." },
    installing: {
      title: "يجري تثبيت التحديث",
      meaning: "يُكتب بجانب الإصدار العامل. فإن انقطعت الكهرباء الآن بقي الإصدار الحالي كما هو.",
    },
    rebooting: {
      title: "يعيد المشغّل تشغيل نفسه",
      meaning: "لا يستجيب نحو دقيقة، ثم تتصل به هذه الصفحة تلقائيًا.",
    },
    confirming: {
      title: "جارٍ اختبار الإصدار الجديد",
      meaning: "يتحقق المشغّل خلال دقيقتين من أنه يستجيب، وأن الصوت يعمل، وأن إعداداتك موجودة.",
    },
    success: { title: "تم التحديث", meaning: "الإصدار الجديد يعمل." },
    failed: { title: "فشل التحديث", meaning: "يبقى المشغّل على إصداره الحالي." },
    rolled_back: {
      title: "عاد الإصدار السابق",
      meaning:
        "شُغّل الإصدار الجديد لكنه لم يثبت صلاحيته خلال دقيقتين، فعاد المشغّل إلى الإصدار الذي كان عنده. لم يضع شيء مما ضبطته، وكل شيء يعمل كما كان. انتظر تحديثًا أحدث، أو جرّب هذا مرة أخرى.",
    },
  },
};

export const updateStatusPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
