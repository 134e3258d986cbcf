import type { Phrases, Translations } from "../../../app/language/translations.ts";

const english = {
  title: "Runtime",
  mode: "Mode",
  modes: {
    dummy: {
      name: "Dummy",
      meaning: "For demonstration. Changes are refused, pipelines do not run, and nothing leaves this platform.",
    },
    dry_run: {
      name: "Dry run",
      meaning:
        "A rehearsal. Pipelines run and store their results, your changes are only previewed, and no external system is changed.",
    },
    real: {
      name: "Real",
      meaning: "Live operation. Changes are stored, and response actions reach real systems.",
    },
  },
  data: "Data",
  database: "Database",
  databaseUp: { name: "Available", meaning: "The database is reachable." },
  databaseDown: { name: "Not available", meaning: "The database is unreachable, or none is configured." },
  reads: "Reads come from",
  sources: {
    database: { name: "Database", meaning: "You see the records of this platform." },
    showcase: { name: "Showcase", meaning: "This is demonstration data. None of it happened." },
    unavailable: {
      name: "None",
      meaning: "Pages that need the database fail until it is available again. No demonstration data is shown instead.",
    },
  },
  allowed: "What is allowed",
  yes: "Yes",
  no: "No",
  changes: "User changes",
  changesMeaning: {
    yes: "Your changes are stored.",
    preview: "You see a preview of your changes. Nothing is stored.",
    no: "Your changes are refused.",
  },
  pipelines: "Internal pipelines",
  pipelinesMeaning: {
    yes: "Intake, detections and agent runs are stored.",
    preview: "Intake, detections and agent runs store nothing.",
    no: "Intake, detections and agent runs store nothing.",
  },
  outside: "Actions on external systems",
  outsideMeaning: {
    yes: "Response actions are sent to real systems.",
    preview: "Response actions are recorded, never sent.",
    no: "No response action is sent.",
  },
  showcase: "Showcase data",
  showcaseMeaning: {
    yes: "Demonstration data is shown when the database is unavailable.",
    preview: "No demonstration data is shown when the database is unavailable.",
    no: "No demonstration data is shown when the database is unavailable.",
  },
  checked: "Checked at {time}",
  notChecked: "Not checked yet",
};

export type RuntimePhrases = Phrases<typeof english>;

const arabic: RuntimePhrases = {
  title: "وضع التشغيل",
  mode: "الوضع",
  modes: {
    dummy: { name: "تجريبي", meaning: "للعرض. التغييرات مرفوضة، وخطوط المعالجة متوقفة، ولا شيء يغادر هذه المنصة." },
    dry_run: {
      name: "تشغيل جاف",
      meaning: "تمرين. تعمل خطوط المعالجة وتحفظ نتائجها، وتغييراتك معاينات فقط، ولا يتغير أي نظام خارجي.",
    },
    real: { name: "حقيقي", meaning: "تشغيل فعلي. تُحفظ التغييرات، وتصل إجراءات الاستجابة إلى أنظمة حقيقية." },
  },
  data: "البيانات",
  database: "قاعدة البيانات",
  databaseUp: { name: "متاحة", meaning: "يمكن الوصول إلى قاعدة البيانات." },
  databaseDown: { name: "غير متاحة", meaning: "لا يمكن الوصول إلى قاعدة البيانات، أو لم تُضبط." },
  reads: "مصدر القراءة",
  sources: {
    database: { name: "قاعدة البيانات", meaning: "ترى سجلات هذه المنصة." },
    showcase: { name: "بيانات عرض", meaning: "هذه بيانات للعرض. لم يحدث شيء منها." },
    unavailable: {
      name: "لا شيء",
      meaning: "تتعطل الصفحات التي تحتاج إلى قاعدة البيانات حتى تعود. لا تُعرض بيانات عرض بدلًا منها.",
    },
  },
  allowed: "المسموح به",
  yes: "نعم",
  no: "لا",
  changes: "تغييرات المستخدم",
  changesMeaning: { yes: "تُحفظ تغييراتك.", preview: "ترى معاينة لتغييراتك. لا يُحفظ شيء.", no: "تُرفض تغييراتك." },
  pipelines: "خطوط المعالجة الداخلية",
  pipelinesMeaning: {
    yes: "يُحفظ الاستقبال والكشف وعمل الوكلاء.",
    preview: "لا يُحفظ الاستقبال ولا الكشف ولا عمل الوكلاء.",
    no: "لا يُحفظ الاستقبال ولا الكشف ولا عمل الوكلاء.",
  },
  outside: "إجراءات على أنظمة خارجية",
  outsideMeaning: {
    yes: "تُرسل إجراءات الاستجابة إلى أنظمة حقيقية.",
    preview: "تُسجّل إجراءات الاستجابة ولا تُرسل أبدًا.",
    no: "لا يُرسل أي إجراء استجابة.",
  },
  showcase: "بيانات العرض",
  showcaseMeaning: {
    yes: "تُعرض بيانات العرض عند تعذّر قاعدة البيانات.",
    preview: "لا تُعرض بيانات العرض عند تعذّر قاعدة البيانات.",
    no: "لا تُعرض بيانات العرض عند تعذّر قاعدة البيانات.",
  },
  checked: "فُحص في {time}",
  notChecked: "لم يُفحص بعد",
};

export const runtimePhrases: Translations<RuntimePhrases> = { en: english, ar: arabic };
