import type { OtaStatus } from "@player/service/contract/ota";
import type { Translations } from "../language/translations.ts";

export interface StatusPhrases {
  title: string;
  meaning: string;
}

interface UpdateStatusPhrases {
  statuses: Readonly<Record<OtaStatus, StatusPhrases>>;
}

const english: UpdateStatusPhrases = {
  statuses: {
    idle: { title: "No update is under way", meaning: "You can give the player a newer version below." },
    downloading: {
      title: "The player is downloading the update",
      meaning: "You can close this page: it goes on by itself.",
    },
    receiving: {
      title: "The player is receiving the file",
      meaning: "Keep this page open until the file has arrived.",
    },
    verifying: {
      title: "The player is checking the update",
      meaning: "It takes only what its maker has signed, and what was made for this very device.",
    },
    installing: {
      title: "The update is being installed",
      meaning: "It is written beside the version that runs. If the power goes now, the present version simply stays.",
    },
    rebooting: {
      title: "The player restarts",
      meaning: "It does not answer for about a minute. This page comes back by itself.",
    },
    confirming: {
      title: "The new version has to prove itself",
      meaning: "It has two minutes to show that it answers, that sound comes out and that your settings are there.",
    },
    success: { title: "The update is done", meaning: "The new version works and stays." },
    failed: { title: "The update did not happen", meaning: "The player goes on with the version it has." },
    rolled_back: {
      title: "The former version came back",
      meaning:
        "The new version was started, but it did not prove itself within two minutes. So the player went back to the version it had before. Nothing that you have set is lost, and everything works as it did. Wait for a newer update, or try this one again.",
    },
  },
};

const arabic: UpdateStatusPhrases = {
  statuses: {
    idle: { title: "لا يوجد تحديث جارٍ", meaning: "يمكنك أن تعطي المشغّل إصدارًا أحدث من الأسفل." },
    downloading: { title: "ينزّل المشغّل التحديث", meaning: "يمكنك إغلاق هذه الصفحة، فهو يتابع من تلقاء نفسه." },
    receiving: { title: "يستقبل المشغّل الملف", meaning: "أبقِ هذه الصفحة مفتوحة حتى يصل الملف." },
    verifying: { title: "يفحص المشغّل التحديث", meaning: "لا يقبل إلا ما وقّعه صانعه وما صُنع لهذا الجهاز نفسه." },
    installing: {
      title: "يجري تثبيت التحديث",
      meaning: "يُكتب بجانب الإصدار العامل. فإن انقطعت الكهرباء الآن بقي الإصدار الحالي كما هو.",
    },
    rebooting: {
      title: "يعيد المشغّل تشغيل نفسه",
      meaning: "لا يجيب نحو دقيقة، وتعود هذه الصفحة من تلقاء نفسها.",
    },
    confirming: {
      title: "على الإصدار الجديد أن يثبت صلاحيته",
      meaning: "أمامه دقيقتان ليُظهر أنه يجيب، وأن الصوت يخرج، وأن إعداداتك موجودة.",
    },
    success: { title: "تم التحديث", meaning: "الإصدار الجديد يعمل، وسيبقى." },
    failed: { title: "لم يتم التحديث", meaning: "يتابع المشغّل بالإصدار الذي عنده." },
    rolled_back: {
      title: "عاد الإصدار السابق",
      meaning:
        "شُغّل الإصدار الجديد لكنه لم يثبت صلاحيته خلال دقيقتين، فعاد المشغّل إلى الإصدار الذي كان عنده. لم يضع شيء مما ضبطته، وكل شيء يعمل كما كان. انتظر تحديثًا أحدث، أو جرّب هذا مرة أخرى.",
    },
  },
};

export const updateStatusPhrases: Translations<UpdateStatusPhrases> = { en: english, ar: arabic };
