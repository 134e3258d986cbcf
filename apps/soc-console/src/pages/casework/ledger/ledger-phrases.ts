import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

export interface LedgerPhrases {
  title: string;
  views: string;
  checkpoints: string;
  verify: string;
  offline: string;
  state: {
    entries: PluralForms;
    waiting: PluralForms;
    lastCheckpoint: string;
    noCheckpoint: string;
    checked: string;
    fullyChecked: string;
    never: string;
    noAlarm: string;
    noAlarmText: string;
    alarm: string;
    alarmText: string;
    faults: PluralForms;
  };
  list: {
    size: string;
    at: string;
    root: string;
    key: string;
    signature: string;
    added: string;
    empty: string;
    emptyText: string;
    chooseTwo: string;
    compare: string;
    compareBefore: string;
    compareNewest: string;
  };
  consistency: {
    title: string;
    checking: string;
    proven: string;
    provenText: string;
    steps: { hashes: string; earlier: string; later: string; signed: string };
    refused: string;
    path: string;
    earlierRoot: string;
    laterRoot: string;
    again: string;
  };
  chain: {
    chooseCase: string;
    choose: string;
    otherId: string;
    id: string;
    idHint: string;
    notAnId: string;
    start: string;
    again: string;
    reading: string;
    progress: string;
    intro: string;
    proven: string;
    provenText: string;
    steps: { signed: string; chain: string; paths: string; waiting: PluralForms };
    noTree: string;
    refused: string;
    refusedText: string;
    entry: string;
    entries: string;
    newest: PluralForms;
    covered: string;
    waits: string;
    fields: { hash: string; previous: string; leaf: string; path: string; root: string; body: string };
    leafText: string;
    bundle: string;
    openCase: string;
    empty: string;
    emptyText: string;
    noCrypto: string;
  };
  tool: { text: string; run: string; key: string; codes: string; witness: string; copy: string; copied: string };
  close: string;
}

const english: LedgerPhrases = {
  title: "Ledger",
  views: "Parts of the ledger",
  checkpoints: "Checkpoints",
  verify: "Verify here",
  offline: "Offline tool",
  state: {
    entries: { one: "# entry in the tree", other: "# entries in the tree" },
    waiting: { one: "# waits for the next checkpoint", other: "# wait for the next checkpoint" },
    lastCheckpoint: "Last checkpoint {time}",
    noCheckpoint: "No checkpoint yet",
    checked: "Checked {time}",
    fullyChecked: "All entries checked {time}",
    never: "Not checked yet",
    noAlarm: "No alarm",
    noAlarmText: "The last check found the database as it was signed.",
    alarm: "Alarm: nothing is signed any more",
    alarmText:
      "The database no longer is what was signed. Keep it as it is and compare it with the checkpoints outside of it before anything else.",
    faults: { one: "# finding that no operator has accepted", other: "# findings that no operator has accepted" },
  },
  list: {
    size: "Entries",
    at: "Signed",
    root: "Root of the tree",
    key: "Key",
    signature: "Signature",
    added: "{count} more than the one before",
    empty: "No checkpoint yet",
    emptyText: "The first is signed within a minute after the first piece of evidence is registered in a case.",
    chooseTwo: "Select one more to compare two checkpoints",
    compare: "Prove that one continues the other",
    compareBefore: "Compare with the one before",
    compareNewest: "Compare with the newest",
  },
  consistency: {
    title: "Consistency of two checkpoints",
    checking: "Checking in this browser…",
    proven: "Proven in this browser: nothing was changed or removed",
    provenText:
      "The first {from} entries of the later tree are exactly the entries of the earlier one; {added} were added.",
    steps: {
      hashes: "{count} hashes of the proof lead to both roots.",
      earlier: "Earlier: {size} entries, signed {time}.",
      later: "Later: {size} entries, signed {time}.",
      signed: "Both are signed by the key {key}.",
    },
    refused: "Not proven: these are not two states of one tree",
    path: "The hashes of the proof do not lead to both signed roots: the earlier tree was changed.",
    earlierRoot: "Earlier root",
    laterRoot: "Later root",
    again: "Check again",
  },
  chain: {
    chooseCase: "Case",
    choose: "Choose a case",
    otherId: "Another id…",
    id: "Id of a case or an attestation",
    idHint: "Each case, and each attestation of a device, has a chain of its own.",
    notAnId: "This is not an id",
    start: "Verify",
    again: "Verify again",
    reading: "Reading the chain…",
    progress: "{done} of {total} checks",
    intro:
      "The service sends the whole chain of a case with its signatures. This browser computes every hash itself and trusts no word of the answer.",
    proven: "Proven in this browser",
    provenText: "All {length} entries are genuine, complete and in their order.",
    steps: {
      signed: "The end of the chain and the checkpoint are signed by the key {key}.",
      chain: "Each of the {length} entries has its hash and the hash of the one before.",
      paths: "{covered} entries lead to the root of {size} entries, signed {time}.",
      waiting: {
        one: "# entry waits for the next checkpoint; one is signed each minute.",
        other: "# entries wait for the next checkpoint; one is signed each minute.",
      },
    },
    noTree: "No checkpoint covers the chain yet.",
    refused: "Not proven",
    refusedText: "Save the bundle and keep it: it is what the service answered.",
    entry: "Entry {sequence}",
    entries: "Entries",
    newest: { one: "the newest #", other: "the newest #" },
    covered: "proven",
    waits: "waits",
    fields: {
      hash: "Hash",
      previous: "Hash before",
      leaf: "Place",
      path: "Path",
      root: "Root",
      body: "Recorded",
    },
    leafText: "leaf {leaf} of {size}",
    bundle: "Save the bundle",
    openCase: "Open the case",
    empty: "Nothing is recorded for this id",
    emptyText: "The chain of a case begins with its first piece of evidence.",
    noCrypto: "This browser computes hashes only over HTTPS. Save the bundle and verify it with the offline tool.",
  },
  tool: {
    text: "A bundle, or a report in the format JSON, can be verified on any computer, without this platform and without a network.",
    run: "With Node.js:",
    key: "Compare the key with the one that the operator gave you; with the key behind the file name the tool does it.",
    codes: "It ends with 0 when the bundle is genuine, 1 when it is not, 2 when the file cannot be read.",
    witness:
      "With the checkpoints that lie outside the database it also finds a ledger that was written again as a whole.",
    copy: "Copy",
    copied: "Copied",
  },
  close: "Close",
};

const arabic: LedgerPhrases = {
  title: "السجل الموثّق",
  views: "أجزاء السجل الموثّق",
  checkpoints: "نقاط التحقق",
  verify: "تحقّق هنا",
  offline: "أداة دون اتصال",
  state: {
    entries: {
      one: "مدخل واحد في الشجرة",
      two: "مدخلان في الشجرة",
      few: "# مدخلات في الشجرة",
      other: "# مدخلًا في الشجرة",
    },
    waiting: { one: "# ينتظر نقطة التحقق التالية", other: "# تنتظر نقطة التحقق التالية" },
    lastCheckpoint: "آخر نقطة تحقق {time}",
    noCheckpoint: "لا نقطة تحقق بعد",
    checked: "فُحص {time}",
    fullyChecked: "فُحصت كل المدخلات {time}",
    never: "لم يُفحص بعد",
    noAlarm: "لا إنذار",
    noAlarmText: "وجد آخر فحص قاعدة البيانات كما وُقّعت.",
    alarm: "إنذار: لم يعد يُوقّع شيء",
    alarmText: "لم تعد قاعدة البيانات كما وُقّعت. أبقها كما هي وقارنها بنقاط التحقق المحفوظة خارجها قبل أي شيء آخر.",
    faults: {
      one: "نتيجة واحدة لم يقبلها مشغّل",
      two: "نتيجتان لم يقبلهما مشغّل",
      few: "# نتائج لم يقبلها مشغّل",
      other: "# نتيجة لم يقبلها مشغّل",
    },
  },
  list: {
    size: "المدخلات",
    at: "وُقّعت",
    root: "جذر الشجرة",
    key: "المفتاح",
    signature: "التوقيع",
    added: "أكثر من التي قبلها بـ {count}",
    empty: "لا نقطة تحقق بعد",
    emptyText: "تُوقّع الأولى خلال دقيقة من تسجيل أول دليل في قضية.",
    chooseTwo: "حدّد واحدة أخرى لمقارنة نقطتين",
    compare: "أثبت أن إحداهما تُكمل الأخرى",
    compareBefore: "قارن بالتي قبلها",
    compareNewest: "قارن بالأحدث",
  },
  consistency: {
    title: "اتساق نقطتي تحقق",
    checking: "يجري التحقق في هذا المتصفح…",
    proven: "أُثبت في هذا المتصفح: لم يُغيّر شيء ولم يُحذف",
    provenText: "أول {from} من مدخلات الشجرة الأحدث هي مدخلات الأقدم نفسها؛ أُضيف {added}.",
    steps: {
      hashes: "تقود {count} بصمة من الإثبات إلى الجذرين.",
      earlier: "الأقدم: {size} مدخلًا، وُقّعت {time}.",
      later: "الأحدث: {size} مدخلًا، وُقّعت {time}.",
      signed: "كلتاهما موقّعة بالمفتاح {key}.",
    },
    refused: "لم يُثبت: ليستا حالتين لشجرة واحدة",
    path: "بصمات الإثبات لا تقود إلى الجذرين الموقّعين: غُيّرت الشجرة الأقدم.",
    earlierRoot: "الجذر الأقدم",
    laterRoot: "الجذر الأحدث",
    again: "تحقّق من جديد",
  },
  chain: {
    chooseCase: "القضية",
    choose: "اختر قضية",
    otherId: "معرّف آخر…",
    id: "معرّف قضية أو إثبات جهاز",
    idHint: "لكل قضية، ولكل إثبات جهاز، سلسلة خاصة.",
    notAnId: "ليس هذا معرّفًا",
    start: "تحقّق",
    again: "تحقّق من جديد",
    reading: "تُقرأ السلسلة…",
    progress: "{done} من {total} فحصًا",
    intro: "ترسل الخدمة سلسلة القضية كاملة بتواقيعها. يحسب هذا المتصفح كل بصمة بنفسه ولا يثق بكلمة من الجواب.",
    proven: "أُثبت في هذا المتصفح",
    provenText: "المدخلات كلها ({length}) أصلية وكاملة وبترتيبها.",
    steps: {
      signed: "نهاية السلسلة ونقطة التحقق موقّعتان بالمفتاح {key}.",
      chain: "لكل من المدخلات ({length}) بصمته وبصمة الذي قبله.",
      paths: "يقود {covered} مدخلًا إلى جذر {size} مدخلًا، وُقّع {time}.",
      waiting: {
        one: "مدخل واحد ينتظر نقطة التحقق التالية؛ تُوقّع واحدة كل دقيقة.",
        other: "# مدخلات تنتظر نقطة التحقق التالية؛ تُوقّع واحدة كل دقيقة.",
      },
    },
    noTree: "لا نقطة تحقق تشمل السلسلة بعد.",
    refused: "لم يُثبت",
    refusedText: "احفظ الحزمة وأبقها: هي ما أجابت به الخدمة.",
    entry: "المدخل {sequence}",
    entries: "المدخلات",
    newest: { one: "أحدث #", other: "أحدث #" },
    covered: "مُثبت",
    waits: "ينتظر",
    fields: {
      hash: "البصمة",
      previous: "البصمة السابقة",
      leaf: "الموضع",
      path: "المسار",
      root: "الجذر",
      body: "ما سُجّل",
    },
    leafText: "الورقة {leaf} من {size}",
    bundle: "احفظ الحزمة",
    openCase: "افتح القضية",
    empty: "لم يُسجّل شيء لهذا المعرّف",
    emptyText: "تبدأ سلسلة القضية بأول دليل فيها.",
    noCrypto: "يحسب هذا المتصفح البصمات عبر HTTPS فقط. احفظ الحزمة وتحقق منها بالأداة.",
  },
  tool: {
    text: "يمكن التحقق من الحزمة، أو من تقرير بصيغة JSON، على أي حاسوب، دون هذه المنصة ودون شبكة.",
    run: "باستخدام Node.js:",
    key: "قارن المفتاح بالذي أعطاك إياه المشغّل؛ وإن كتبته بعد اسم الملف قارنته الأداة.",
    codes: "تنتهي بالرمز 0 إن كانت الحزمة أصلية، و1 إن لم تكن، و2 إن تعذّرت قراءة الملف.",
    witness: "ومع نقاط التحقق المحفوظة خارج قاعدة البيانات تكشف أيضًا سجلًا كُتب كله من جديد.",
    copy: "انسخ",
    copied: "نُسخ",
  },
  close: "إغلاق",
};

export const ledgerPhrases: Translations<LedgerPhrases> = { en: english, ar: arabic };
