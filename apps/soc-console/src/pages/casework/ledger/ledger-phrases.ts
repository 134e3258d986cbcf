import { translations } from "../../../app/language/translations.ts";

export const ledgerPhrases = translations({
  title: ["Ledger", "السجل الموثّق"],
  views: ["Parts of the ledger", "أجزاء السجل الموثّق"],
  checkpoints: ["Checkpoints", "نقاط التحقق"],
  verify: ["Verify here", "تحقّق هنا"],
  offline: ["Offline tool", "أداة دون اتصال"],
  state: {
    entries: [
      { one: "# entry in the tree", other: "# entries in the tree" },
      { one: "مدخل واحد في الشجرة", two: "مدخلان في الشجرة", few: "# مدخلات في الشجرة", other: "# مدخلًا في الشجرة" },
    ],
    waiting: [
      { one: "# waits for the next checkpoint", other: "# wait for the next checkpoint" },
      { one: "# ينتظر نقطة التحقق التالية", other: "# تنتظر نقطة التحقق التالية" },
    ],
    lastCheckpoint: ["Last checkpoint {time}", "آخر نقطة تحقق {time}"],
    noCheckpoint: ["No checkpoint yet", "لا نقطة تحقق بعد"],
    checked: ["Checked {time}", "فُحص {time}"],
    fullyChecked: ["All entries checked {time}", "فُحصت كل المدخلات {time}"],
    never: ["Not checked yet", "لم يُفحص بعد"],
    noAlarm: ["No alarm", "لا إنذار"],
    noAlarmText: ["At the last check, the database matched its signatures.", "وجد آخر فحص قاعدة البيانات كما وُقّعت."],
    alarm: ["Alarm: signing has stopped", "إنذار: لم يعد يُوقّع شيء"],
    alarmText: [
      "The database no longer matches its signatures. Preserve it, and compare it with the external checkpoints before anything else.",
      "لم تعد قاعدة البيانات كما وُقّعت. أبقها كما هي وقارنها بنقاط التحقق المحفوظة خارجها قبل أي شيء آخر.",
    ],
    faults: [
      { one: "# finding that no operator has accepted", other: "# findings that no operator has accepted" },
      {
        one: "نتيجة واحدة لم يقبلها مشغّل",
        two: "نتيجتان لم يقبلهما مشغّل",
        few: "# نتائج لم يقبلها مشغّل",
        other: "# نتيجة لم يقبلها مشغّل",
      },
    ],
  },
  list: {
    size: ["Entries", "المدخلات"],
    at: ["Signed", "وُقّعت"],
    root: ["Root of the tree", "جذر الشجرة"],
    key: ["Key", "المفتاح"],
    signature: ["Signature", "التوقيع"],
    added: ["{count} more than the previous one", "أكثر من التي قبلها بـ {count}"],
    empty: ["No checkpoint yet", "لا نقطة تحقق بعد"],
    emptyText: [
      "The first is signed within a minute after the first piece of evidence is registered in a case.",
      "تُوقّع الأولى خلال دقيقة من تسجيل أول دليل في قضية.",
    ],
    chooseTwo: ["Select one more to compare two checkpoints", "حدّد واحدة أخرى لمقارنة نقطتين"],
    compare: ["Prove that one continues the other", "أثبت أن إحداهما تُكمل الأخرى"],
    compareBefore: ["Compare with the previous one", "قارن بالتي قبلها"],
    compareNewest: ["Compare with the newest", "قارن بالأحدث"],
  },
  consistency: {
    title: ["Consistency of two checkpoints", "اتساق نقطتي تحقق"],
    checking: ["Checking in this browser…", "يجري التحقق في هذا المتصفح…"],
    proven: ["Proven in this browser: nothing was changed or removed", "أُثبت في هذا المتصفح: لم يُغيّر شيء ولم يُحذف"],
    provenText: [
      "The first {from} entries of the later tree are exactly the entries of the earlier one; {added} were added.",
      "أول {from} من مدخلات الشجرة الأحدث هي مدخلات الأقدم نفسها؛ أُضيف {added}.",
    ],
    steps: {
      hashes: ["{count} hashes of the proof lead to both roots.", "تقود {count} بصمة من الإثبات إلى الجذرين."],
      earlier: ["Earlier: {size} entries, signed {time}.", "الأقدم: {size} مدخلًا، وُقّعت {time}."],
      later: ["Later: {size} entries, signed {time}.", "الأحدث: {size} مدخلًا، وُقّعت {time}."],
      signed: ["Both are signed by the key {key}.", "كلتاهما موقّعة بالمفتاح {key}."],
    },
    refused: ["Not proven: these are not two states of one tree", "لم يُثبت: ليستا حالتين لشجرة واحدة"],
    path: [
      "The hashes of the proof do not lead to both signed roots: the earlier tree was changed.",
      "بصمات الإثبات لا تقود إلى الجذرين الموقّعين: غُيّرت الشجرة الأقدم.",
    ],
    earlierRoot: ["Earlier root", "الجذر الأقدم"],
    laterRoot: ["Later root", "الجذر الأحدث"],
    again: ["Check again", "تحقّق من جديد"],
  },
  chain: {
    chooseCase: ["Case", "القضية"],
    choose: ["Choose a case", "اختر قضية"],
    otherId: ["Another id…", "معرّف آخر…"],
    id: ["Id of a case or an attestation", "معرّف قضية أو إثبات جهاز"],
    idHint: [
      "Each case, and each attestation of a device, has a chain of its own.",
      "لكل قضية، ولكل إثبات جهاز، سلسلة خاصة.",
    ],
    notAnId: ["This is not an id", "ليس هذا معرّفًا"],
    start: ["Verify", "تحقّق"],
    again: ["Verify again", "تحقّق من جديد"],
    reading: ["Reading the chain…", "تُقرأ السلسلة…"],
    progress: ["{done} of {total} checks", "{done} من {total} فحصًا"],
    intro: [
      "The service sends the whole chain of a case with its signatures. This browser computes every hash itself and does not trust the answer.",
      "ترسل الخدمة سلسلة القضية كاملة بتواقيعها. يحسب هذا المتصفح كل بصمة بنفسه ولا يثق بكلمة من الجواب.",
    ],
    proven: ["Proven in this browser", "أُثبت في هذا المتصفح"],
    provenText: [
      "All {length} entries are genuine, complete and in their order.",
      "المدخلات كلها ({length}) أصلية وكاملة وبترتيبها.",
    ],
    steps: {
      signed: [
        "The end of the chain and the checkpoint are signed by the key {key}.",
        "نهاية السلسلة ونقطة التحقق موقّعتان بالمفتاح {key}.",
      ],
      chain: [
        "Each of the {length} entries has its hash and the hash of the previous one.",
        "لكل من المدخلات ({length}) بصمته وبصمة الذي قبله.",
      ],
      paths: [
        "{covered} entries lead to the root of {size} entries, signed {time}.",
        "يقود {covered} مدخلًا إلى جذر {size} مدخلًا، وُقّع {time}.",
      ],
      waiting: [
        {
          one: "# entry waits for the next checkpoint; one is signed each minute.",
          other: "# entries wait for the next checkpoint; one is signed each minute.",
        },
        {
          one: "مدخل واحد ينتظر نقطة التحقق التالية؛ تُوقّع واحدة كل دقيقة.",
          other: "# مدخلات تنتظر نقطة التحقق التالية؛ تُوقّع واحدة كل دقيقة.",
        },
      ],
    },
    noTree: ["No checkpoint covers the chain yet.", "لا نقطة تحقق تشمل السلسلة بعد."],
    refused: ["Not proven", "لم يُثبت"],
    refusedText: [
      "Save the bundle and keep it: it is what the service answered.",
      "احفظ الحزمة وأبقها: هي ما أجابت به الخدمة.",
    ],
    entry: ["Entry {sequence}", "المدخل {sequence}"],
    entries: ["Entries", "المدخلات"],
    newest: [
      { one: "the newest #", other: "the newest #" },
      { one: "أحدث #", other: "أحدث #" },
    ],
    covered: ["proven", "مُثبت"],
    waits: ["waits", "ينتظر"],
    fields: {
      hash: ["Hash", "البصمة"],
      previous: ["Previous hash", "البصمة السابقة"],
      leaf: ["Place", "الموضع"],
      path: ["Path", "المسار"],
      root: ["Root", "الجذر"],
      body: ["Recorded", "ما سُجّل"],
    },
    leafText: ["leaf {leaf} of {size}", "الورقة {leaf} من {size}"],
    bundle: ["Save the bundle", "احفظ الحزمة"],
    openCase: ["Open the case", "افتح القضية"],
    empty: ["Nothing is recorded for this id", "لم يُسجّل شيء لهذا المعرّف"],
    emptyText: ["The chain of a case begins with its first piece of evidence.", "تبدأ سلسلة القضية بأول دليل فيها."],
    noCrypto: [
      "This browser computes hashes only over HTTPS. Save the bundle and verify it with the offline tool.",
      "يحسب هذا المتصفح البصمات عبر HTTPS فقط. احفظ الحزمة وتحقق منها بالأداة.",
    ],
  },
  tool: {
    text: [
      "A bundle, or a report in the format JSON, can be verified on any computer, without this platform and without a network.",
      "يمكن التحقق من الحزمة، أو من تقرير بصيغة JSON، على أي حاسوب، دون هذه المنصة ودون شبكة.",
    ],
    run: ["With Node.js:", "باستخدام Node.js:"],
    key: [
      "Compare the key with the one that the operator gave you; with the key behind the file name the tool does it.",
      "قارن المفتاح بالذي أعطاك إياه المشغّل؛ وإن كتبته بعد اسم الملف قارنته الأداة.",
    ],
    codes: [
      "It ends with 0 when the bundle is genuine, 1 when it is not, 2 when the file cannot be read.",
      "تنتهي بالرمز 0 إن كانت الحزمة أصلية، و1 إن لم تكن، و2 إن تعذّرت قراءة الملف.",
    ],
    witness: [
      "With external checkpoints, it also detects a ledger that was rewritten as a whole.",
      "ومع نقاط التحقق المحفوظة خارج قاعدة البيانات تكشف أيضًا سجلًا كُتب كله من جديد.",
    ],
    copy: ["Copy", "انسخ"],
    copied: ["Copied", "نُسخ"],
  },
  close: ["Close", "إغلاق"],
});
