import { translations } from "../../../app/language/translations.ts";

const ABOUT_ENTITY = [["What do we know about this?"], ["ماذا نعرف عن هذا؟"]] as const;

export const chatPhrases = translations({
  chat: ["Chat", "المحادثة"],
  close: ["Close the chat", "أغلق المحادثة"],
  newConversation: ["New conversation", "محادثة جديدة"],
  conversations: ["Conversations", "المحادثات"],
  noConversations: ["No conversation yet", "لا محادثة بعد"],
  noConversationsText: [
    "Ask a question. Conversations of this visit appear here.",
    "اسأل شيئًا. تظهر هنا محادثات هذه الزيارة.",
  ],
  keptText: [
    "This list is cleared when you leave the console. The service stores conversations for 90 days, only for you, to understand follow-up questions.",
    "تنتهي هذه القائمة مع الزيارة. وتحفظ الخدمة المحادثات 90 يومًا، لك وحدك، لفهم الأسئلة اللاحقة.",
  ],
  forget: ["Remove “{title}” from the list", "أزل «{title}» من القائمة"],
  messages: ["Messages", "الرسائل"],
  question: ["Ask about alerts, cases, hosts, users, logs", "اسأل عن التنبيهات والقضايا والأجهزة والمستخدمين والسجلات"],
  send: ["Send", "أرسل"],
  sendHint: ["Enter sends, Shift+Enter starts a new line.", "Enter يرسل، وShift+Enter يبدأ سطرًا جديدًا."],
  meaning: ["“This” means {kind} {value}.", "«هذا» يعني {kind} {value}."],
  subjects: {
    alert: ["the alert", "التنبيه"],
    case: ["the case", "القضية"],
    host: ["the host", "الجهاز"],
    user: ["the user", "المستخدم"],
    address: ["the address", "العنوان"],
    hash: ["the hash", "البصمة"],
  },
  stop: ["Stop", "أوقف"],
  writing: ["Writing…", "يكتب…"],
  looking: ["Looking up: {tool}…", "يبحث: {tool}…"],
  ends: {
    stopped: ["Stopped. This answer is not stored.", "أُوقف. لا يُحفظ هذا الجواب."],
    cut: ["The connection was lost. This answer is incomplete.", "انقطع الاتصال قبل النهاية. هذا الجواب غير كامل."],
    failed: ["No answer.", "لا جواب."],
  },
  again: ["Ask again", "اسأل ثانية"],
  sources: ["Sources", "المصادر"],
  kinds: {
    alert: ["alert", "تنبيه"],
    case: ["case", "قضية"],
    log: ["log", "سجل"],
    ioc: ["indicator", "مؤشر"],
    endpoint: ["endpoint", "جهاز طرفي"],
  },
  noModel: ["No language model is configured: answers come from rules", "لم يُعدّ نموذج لغوي: الأجوبة من قواعد"],
  works: [
    "With or without a language model, you can ask what is new, what is known about a host, user, address or hash, what happened around a time, the state of an alert or a case, and follow-up questions.",
    "بنموذج لغوي أو بدونه يمكنك أن تسأل: ما الجديد، وما المعروف عن جهاز أو مستخدم أو عنوان أو بصمة، وما حدث حول وقت ما، وكيف حال تنبيه أو قضية، وما يتبعها. الأجوبة بالإنجليزية.",
  ],
  model: [
    "Answers are written by {model}. Every citation links to its record; a sentence without one is not backed by data.",
    "يكتب الأجوبة {model}. كل علامة تقود إلى السجل؛ والجملة بلا علامة لا تثبتها البيانات.",
  ],
  readsOnly: ["The chat reads with your permissions and changes nothing.", "تقرأ المحادثة بصلاحياتك ولا تغيّر شيئًا."],
  examplesLabel: ["Questions", "أسئلة"],
  /** Sent as they are: the service understands them in these words. */
  examples: [["What is new in the last 24 hours?", "What is new since 08:00?"], ["ما الجديد في آخر 24 ساعة؟"]],
  aboutPage: {
    alert: [["How does this alert stand?", "Show its logs"], ["كيف حال هذا التنبيه؟"]],
    case: [["How does this case stand?"], ["كيف حال هذه القضية؟"]],
    host: ABOUT_ENTITY,
    user: ABOUT_ENTITY,
    address: ABOUT_ENTITY,
    hash: ABOUT_ENTITY,
  },
});
