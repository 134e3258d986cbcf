import { translations } from "../../../app/language/translations.ts";

export const runtimePhrases = translations({
  title: ["Runtime", "وضع التشغيل"],
  mode: ["Mode", "الوضع"],
  modes: {
    dummy: {
      name: ["Dummy", "تجريبي"],
      meaning: [
        "For demonstration. Changes are refused, pipelines do not run, and nothing leaves this platform.",
        "للعرض. التغييرات مرفوضة، وخطوط المعالجة متوقفة، ولا شيء يغادر هذه المنصة.",
      ],
    },
    dry_run: {
      name: ["Dry run", "تشغيل جاف"],
      meaning: [
        "A rehearsal. Pipelines run and store their results, your changes are only previewed, and no external system is changed.",
        "تمرين. تعمل خطوط المعالجة وتحفظ نتائجها، وتغييراتك معاينات فقط، ولا يتغير أي نظام خارجي.",
      ],
    },
    real: {
      name: ["Real", "حقيقي"],
      meaning: [
        "Live operation. Changes are stored, and response actions reach real systems.",
        "تشغيل فعلي. تُحفظ التغييرات، وتصل إجراءات الاستجابة إلى أنظمة حقيقية.",
      ],
    },
  },
  data: ["Data", "البيانات"],
  database: ["Database", "قاعدة البيانات"],
  databaseUp: {
    name: ["Available", "متاحة"],
    meaning: ["The database is reachable.", "يمكن الوصول إلى قاعدة البيانات."],
  },
  databaseDown: {
    name: ["Not available", "غير متاحة"],
    meaning: ["The database is unreachable, or none is configured.", "لا يمكن الوصول إلى قاعدة البيانات، أو لم تُضبط."],
  },
  reads: ["Reads come from", "مصدر القراءة"],
  sources: {
    database: {
      name: ["Database", "قاعدة البيانات"],
      meaning: ["You see the records of this platform.", "ترى سجلات هذه المنصة."],
    },
    showcase: {
      name: ["Showcase", "بيانات عرض"],
      meaning: ["This is demonstration data. None of it happened.", "هذه بيانات للعرض. لم يحدث شيء منها."],
    },
    unavailable: {
      name: ["None", "لا شيء"],
      meaning: [
        "Pages that need the database fail until it is available again. No demonstration data is shown instead.",
        "تتعطل الصفحات التي تحتاج إلى قاعدة البيانات حتى تعود. لا تُعرض بيانات عرض بدلًا منها.",
      ],
    },
  },
  allowed: ["What is allowed", "المسموح به"],
  yes: ["Yes", "نعم"],
  no: ["No", "لا"],
  changes: ["User changes", "تغييرات المستخدم"],
  changesMeaning: {
    yes: ["Your changes are stored.", "تُحفظ تغييراتك."],
    preview: ["You see a preview of your changes. Nothing is stored.", "ترى معاينة لتغييراتك. لا يُحفظ شيء."],
    no: ["Your changes are refused.", "تُرفض تغييراتك."],
  },
  pipelines: ["Internal pipelines", "خطوط المعالجة الداخلية"],
  pipelinesMeaning: {
    yes: ["Intake, detections and agent runs are stored.", "يُحفظ الاستقبال والكشف وعمل الوكلاء."],
    preview: ["Intake, detections and agent runs store nothing.", "لا يُحفظ الاستقبال ولا الكشف ولا عمل الوكلاء."],
    no: ["Intake, detections and agent runs store nothing.", "لا يُحفظ الاستقبال ولا الكشف ولا عمل الوكلاء."],
  },
  outside: ["Actions on external systems", "إجراءات على أنظمة خارجية"],
  outsideMeaning: {
    yes: ["Response actions are sent to real systems.", "تُرسل إجراءات الاستجابة إلى أنظمة حقيقية."],
    preview: ["Response actions are recorded, never sent.", "تُسجّل إجراءات الاستجابة ولا تُرسل أبدًا."],
    no: ["No response action is sent.", "لا يُرسل أي إجراء استجابة."],
  },
  showcase: ["Showcase data", "بيانات العرض"],
  showcaseMeaning: {
    yes: [
      "Demonstration data is shown when the database is unavailable.",
      "تُعرض بيانات العرض عند تعذّر قاعدة البيانات.",
    ],
    preview: [
      "No demonstration data is shown when the database is unavailable.",
      "لا تُعرض بيانات العرض عند تعذّر قاعدة البيانات.",
    ],
    no: [
      "No demonstration data is shown when the database is unavailable.",
      "لا تُعرض بيانات العرض عند تعذّر قاعدة البيانات.",
    ],
  },
  checked: ["Checked at {time}", "فُحص في {time}"],
  notChecked: ["Not checked yet", "لم يُفحص بعد"],
});

export type RuntimePhrases = (typeof runtimePhrases)["en"];
