import type { Phrases, Translations } from "../../../app/language/translations.ts";

const ENTITY_QUESTIONS = { en: "What do we know about this?", ar: "ماذا نعرف عن هذا؟" } as const;

const english = {
  chat: "Chat",
  close: "Close the chat",
  newConversation: "New conversation",
  conversations: "Conversations",
  noConversations: "No conversation yet",
  noConversationsText: "Ask a question. Conversations of this visit appear here.",
  keptText:
    "This list is cleared when you leave the console. The service stores conversations for 90 days, only for you, to understand follow-up questions.",
  forget: "Remove “{title}” from the list",
  messages: "Messages",
  question: "Ask about alerts, cases, hosts, users, logs",
  send: "Send",
  sendHint: "Enter sends, Shift+Enter starts a new line.",
  meaning: "“This” means {kind} {value}.",
  subjects: {
    alert: "the alert",
    case: "the case",
    host: "the host",
    user: "the user",
    address: "the address",
    hash: "the hash",
  },
  stop: "Stop",
  writing: "Writing…",
  looking: "Looking up: {tool}…",
  ends: {
    stopped: "Stopped. This answer is not stored.",
    cut: "The connection was lost. This answer is incomplete.",
    failed: "No answer.",
  },
  again: "Ask again",
  sources: "Sources",
  kinds: { alert: "alert", case: "case", log: "log", ioc: "indicator", endpoint: "endpoint" },
  noModel: "No language model is configured: answers come from rules",
  works:
    "With or without a language model, you can ask what is new, what is known about a host, user, address or hash, what happened around a time, the state of an alert or a case, and follow-up questions.",
  model:
    "Answers are written by {model}. Every citation links to its record; a sentence without one is not backed by data.",
  readsOnly: "The chat reads with your permissions and changes nothing.",
  examplesLabel: "Questions",
  /** Sent as they are: the service understands them in these words. */
  examples: ["What is new in the last 24 hours?", "What is new since 08:00?"],
  aboutPage: {
    alert: ["How does this alert stand?", "Show its logs"],
    case: ["How does this case stand?"],
    host: [ENTITY_QUESTIONS.en],
    user: [ENTITY_QUESTIONS.en],
    address: [ENTITY_QUESTIONS.en],
    hash: [ENTITY_QUESTIONS.en],
  },
};

const arabic: Phrases<typeof english> = {
  chat: "المحادثة",
  close: "أغلق المحادثة",
  newConversation: "محادثة جديدة",
  conversations: "المحادثات",
  noConversations: "لا محادثة بعد",
  noConversationsText: "اسأل شيئًا. تظهر هنا محادثات هذه الزيارة.",
  keptText: "تنتهي هذه القائمة مع الزيارة. وتحفظ الخدمة المحادثات 90 يومًا، لك وحدك، لفهم الأسئلة اللاحقة.",
  forget: "أزل «{title}» من القائمة",
  messages: "الرسائل",
  question: "اسأل عن التنبيهات والقضايا والأجهزة والمستخدمين والسجلات",
  send: "أرسل",
  sendHint: "Enter يرسل، وShift+Enter يبدأ سطرًا جديدًا.",
  meaning: "«هذا» يعني {kind} {value}.",
  subjects: { alert: "التنبيه", case: "القضية", host: "الجهاز", user: "المستخدم", address: "العنوان", hash: "البصمة" },
  stop: "أوقف",
  writing: "يكتب…",
  looking: "يبحث: {tool}…",
  ends: {
    stopped: "أُوقف. لا يُحفظ هذا الجواب.",
    cut: "انقطع الاتصال قبل النهاية. هذا الجواب غير كامل.",
    failed: "لا جواب.",
  },
  again: "اسأل ثانية",
  sources: "المصادر",
  kinds: { alert: "تنبيه", case: "قضية", log: "سجل", ioc: "مؤشر", endpoint: "جهاز طرفي" },
  noModel: "لم يُعدّ نموذج لغوي: الأجوبة من قواعد",
  works:
    "بنموذج لغوي أو بدونه يمكنك أن تسأل: ما الجديد، وما المعروف عن جهاز أو مستخدم أو عنوان أو بصمة، وما حدث حول وقت ما، وكيف حال تنبيه أو قضية، وما يتبعها. الأجوبة بالإنجليزية.",
  model: "يكتب الأجوبة {model}. كل علامة تقود إلى السجل؛ والجملة بلا علامة لا تثبتها البيانات.",
  readsOnly: "تقرأ المحادثة بصلاحياتك ولا تغيّر شيئًا.",
  examplesLabel: "أسئلة",
  examples: ["ما الجديد في آخر 24 ساعة؟"],
  aboutPage: {
    alert: ["كيف حال هذا التنبيه؟"],
    case: ["كيف حال هذه القضية؟"],
    host: [ENTITY_QUESTIONS.ar],
    user: [ENTITY_QUESTIONS.ar],
    address: [ENTITY_QUESTIONS.ar],
    hash: [ENTITY_QUESTIONS.ar],
  },
};

export const chatPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
