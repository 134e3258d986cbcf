import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { KeyState } from "./key-state.ts";

interface ApiKeysPhrases {
  keys: string;
  newKey: string;
  fields: {
    name: string;
    owner: string;
    state: string;
    sites: string;
    scopes: string;
    lastUsed: string;
    ends: string;
    prefix: string;
    created: string;
  };
  /** `{name}`, `{time}` */
  createdBy: string;
  states: Readonly<Record<KeyState, string>>;
  stateHints: Readonly<Record<KeyState, string>>;
  never: string;
  scopeCount: PluralForms;
  nameHint: string;
  ownerHint: string;
  endsIn: string;
  days: Readonly<Record<"30" | "90" | "365", string>>;
  scopesHint: string;
  sitesHint: string;
  create: string;
  onceTitle: string;
  onceText: string;
  onceUse: string;
  copy: string;
  copied: string;
  copyFailed: string;
  done: string;
  end: string;
  /** `{name}` */
  endTitle: string;
  endText: string;
  ended: string;
  empty: string;
  emptyText: string;
}

const english: ApiKeysPhrases = {
  keys: "API keys",
  newKey: "New key",
  fields: {
    name: "Name",
    owner: "Owner",
    state: "State",
    sites: "Sites",
    scopes: "Scopes",
    lastUsed: "Last used",
    ends: "Ends",
    prefix: "Begins with",
    created: "Created",
  },
  createdBy: "by {name}, {time}",
  states: { works: "works", "ends-soon": "ends soon", expired: "expired", ended: "ended" },
  stateHints: {
    works: "It works while its owner does.",
    "ends-soon": "Create its successor and give it to the program before the end.",
    expired: "Its time is over; requests with it are refused.",
    ended: "An administrator has ended it; requests with it are refused.",
  },
  never: "never",
  scopeCount: { one: "# scope", other: "# scopes" },
  nameHint: "What uses it, such as edge-firewall. Letters, digits and . _ -",
  ownerHint: "The key can do no more than its owner, and ends with its owner.",
  endsIn: "Ends in",
  days: { "30": "30 days", "90": "90 days", "365": "A year" },
  scopesHint: "Choose as little as the program needs.",
  sitesHint: "A key works for no more sites than its owner.",
  create: "Create",
  onceTitle: "The key, shown only now",
  onceText: "Copy it to where it is used. The platform stores only a hash of it: nothing can show it again.",
  onceUse: "Sent as the header X-API-Key.",
  copy: "Copy the key",
  copied: "Copied.",
  copyFailed: "The browser does not allow copying. Mark the key and copy it by hand.",
  done: "It is stored, close",
  end: "End this key",
  endTitle: "End {name}?",
  endText: "The next request with it is refused. An ended key never works again.",
  ended: "The key has ended.",
  empty: "No API keys",
  emptyText: "Programs that send logs, report alerts or read results need one each.",
};

const arabic: ApiKeysPhrases = {
  keys: "مفاتيح API",
  newKey: "مفتاح جديد",
  fields: {
    name: "الاسم",
    owner: "الصاحب",
    state: "الحالة",
    sites: "المواقع",
    scopes: "النطاقات",
    lastUsed: "آخر استخدام",
    ends: "ينتهي",
    prefix: "يبدأ بـ",
    created: "أُنشئ",
  },
  createdBy: "من {name}، {time}",
  states: { works: "يعمل", "ends-soon": "ينتهي قريبًا", expired: "انتهت مدته", ended: "أُنهي" },
  stateHints: {
    works: "يعمل ما دام صاحبه يعمل.",
    "ends-soon": "أنشئ خلفه وأعطه للبرنامج قبل النهاية.",
    expired: "انتهت مدته، والطلبات به مرفوضة.",
    ended: "أنهاه مدير، والطلبات به مرفوضة.",
  },
  never: "أبدًا",
  scopeCount: { one: "نطاق واحد", two: "نطاقان", few: "# نطاقات", other: "# نطاقًا" },
  nameHint: "ما الذي يستخدمه، مثل edge-firewall. حروف لاتينية وأرقام و . _ -",
  ownerHint: "لا يستطيع المفتاح أكثر من صاحبه، وينتهي معه.",
  endsIn: "ينتهي بعد",
  days: { "30": "30 يومًا", "90": "90 يومًا", "365": "سنة" },
  scopesHint: "اختر أقل ما يحتاجه البرنامج.",
  sitesHint: "لا يعمل المفتاح لمواقع أكثر من صاحبه.",
  create: "أنشئ",
  onceTitle: "المفتاح، يُعرض الآن فقط",
  onceText: "انسخه إلى حيث يُستخدم. تحفظ المنصة بصمته فقط، ولا شيء يعرضه ثانية.",
  onceUse: "يُرسل في الترويسة X-API-Key.",
  copy: "انسخ المفتاح",
  copied: "نُسخ.",
  copyFailed: "لا يسمح المتصفح بالنسخ. حدّد المفتاح وانسخه بيدك.",
  done: "حُفظ، أغلق",
  end: "أنهِ هذا المفتاح",
  endTitle: "إنهاء {name}؟",
  endText: "يُرفض الطلب التالي به. والمفتاح المنتهي لا يعمل ثانية أبدًا.",
  ended: "انتهى المفتاح.",
  empty: "لا مفاتيح",
  emptyText: "كل برنامج يرسل السجلات أو يبلّغ عن التنبيهات أو يقرأ النتائج يحتاج مفتاحًا.",
};

export const apiKeysPhrases: Translations<ApiKeysPhrases> = { en: english, ar: arabic };
