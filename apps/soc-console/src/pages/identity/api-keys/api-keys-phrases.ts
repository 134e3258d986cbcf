import { translations } from "../../../app/language/translations.ts";

export const apiKeysPhrases = translations({
  keys: ["API keys", "مفاتيح API"],
  newKey: ["New key", "مفتاح جديد"],
  fields: {
    name: ["Name", "الاسم"],
    owner: ["Owner", "الصاحب"],
    state: ["State", "الحالة"],
    sites: ["Sites", "المواقع"],
    scopes: ["Scopes", "النطاقات"],
    lastUsed: ["Last used", "آخر استخدام"],
    ends: ["Expires", "ينتهي"],
    prefix: ["Prefix", "يبدأ بـ"],
    created: ["Created", "أُنشئ"],
  },
  createdBy: ["by {name}, {time}", "من {name}، {time}"],
  states: {
    works: ["works", "يعمل"],
    "ends-soon": ["ends soon", "ينتهي قريبًا"],
    expired: ["expired", "انتهت مدته"],
    ended: ["ended", "أُنهي"],
  },
  stateHints: {
    works: ["It works while its owner is active.", "يعمل ما دام صاحبه يعمل."],
    "ends-soon": ["Create a new key and deploy it before this one expires.", "أنشئ خلفه وأعطه للبرنامج قبل النهاية."],
    expired: ["Expired: requests with it are refused.", "انتهت مدته، والطلبات به مرفوضة."],
    ended: ["Revoked by an administrator: requests with it are refused.", "أنهاه مدير، والطلبات به مرفوضة."],
  },
  never: ["never", "أبدًا"],
  scopeCount: [
    { one: "# scope", other: "# scopes" },
    { one: "نطاق واحد", two: "نطاقان", few: "# نطاقات", other: "# نطاقًا" },
  ],
  nameHint: [
    "What uses it, such as edge-firewall. Letters, digits and . _ -",
    "ما الذي يستخدمه، مثل edge-firewall. حروف لاتينية وأرقام و . _ -",
  ],
  ownerHint: [
    "The key has at most the permissions of its owner, and stops working with its owner.",
    "لا يستطيع المفتاح أكثر من صاحبه، وينتهي معه.",
  ],
  endsIn: ["Expires in", "ينتهي بعد"],
  days: {
    "30": ["30 days", "30 يومًا"],
    "90": ["90 days", "90 يومًا"],
    "365": ["A year", "سنة"],
  },
  scopesHint: ["Choose only what the program needs.", "اختر أقل ما يحتاجه البرنامج."],
  sitesHint: ["A key has access to at most the sites of its owner.", "لا يعمل المفتاح لمواقع أكثر من صاحبه."],
  create: ["Create", "أنشئ"],
  onceTitle: ["Copy your key now", "المفتاح، يُعرض الآن فقط"],
  onceText: [
    "The platform stores only a hash: the key cannot be shown again.",
    "انسخه إلى حيث يُستخدم. تحفظ المنصة بصمته فقط، ولا شيء يعرضه ثانية.",
  ],
  onceUse: ["Sent as the header X-API-Key.", "يُرسل في الترويسة X-API-Key."],
  copy: ["Copy the key", "انسخ المفتاح"],
  copied: ["Copied.", "نُسخ."],
  copyFailed: [
    "The browser does not allow copying. Mark the key and copy it by hand.",
    "لا يسمح المتصفح بالنسخ. حدّد المفتاح وانسخه بيدك.",
  ],
  done: ["Done", "حُفظ، أغلق"],
  end: ["Revoke this key", "أنهِ هذا المفتاح"],
  endTitle: ["Revoke {name}?", "إنهاء {name}؟"],
  endText: [
    "The next request with it is refused. A revoked key never works again.",
    "يُرفض الطلب التالي به. والمفتاح المنتهي لا يعمل ثانية أبدًا.",
  ],
  ended: ["The key is revoked.", "انتهى المفتاح."],
  empty: ["No API keys", "لا مفاتيح"],
  emptyText: [
    "Programs that send logs, report alerts or read results need one each.",
    "كل برنامج يرسل السجلات أو يبلّغ عن التنبيهات أو يقرأ النتائج يحتاج مفتاحًا.",
  ],
});
