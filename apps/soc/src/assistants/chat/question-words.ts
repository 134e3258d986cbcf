import type { Severity } from "../../alerts/alerts/alerts.schema.ts";

// The wordings of questions in English, Portuguese and Arabic, without accents and hamzas (see toPlain).

/** Matches one of the alternatives as whole words. `\\b` does not support letters beyond English. */
function phrase(...alternatives: string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives.join("|")})(?![\p{L}\p{N}])`, "iu");
}

export const ASKS_HELP = phrase(
  "help",
  "what can (?:you|i)(?: do| ask)?",
  "what do you understand",
  "who are you",
  "how do you work",
  "ajuda",
  "o que (?:voce )?(?:pode|sabe) fazer",
  "مساعدة",
  "ماذا يمكنك",
  "ماذا تستطيع",
);

/** How a question names a severity. "High" and "low" alone are too common, so they need a noun. */
export const SEVERITY_WORDS: Readonly<Record<Severity, RegExp>> = {
  critical: phrase("critical", "criticos?", "criticas?", "حرجة", "الحرجة"),
  high: phrase(
    "high(?: severity)?(?: (?:and|or) critical)?(?: alerts| cases)",
    "(?:critical|medium) (?:and|or|to) high",
    "high severity",
  ),
  medium: phrase("medium"),
  low: phrase("low(?: severity)? (?:alerts|cases)", "low severity"),
  info: phrase("informational", "info (?:alerts|cases)"),
};

export const ASKS_NEWS = phrase(
  "what(?: i|')?s (?:new|up|going on|happening)",
  "what is (?:new|up|going on|happening)",
  "what happened",
  "what has happened",
  "anything (?:new|happening|i should know)",
  "any news",
  "news",
  "new (?:alerts|cases|things)",
  "(?:latest|recent|newest) (?:alerts|cases|events|activity)",
  "(?:alerts|cases) (?:of )?(?:today|since)",
  "what did i miss",
  "catch me up",
  "bring me up to date",
  "(?:give me )?(?:an? )?(?:update|overview|summary|briefing)",
  "alerts",
  "o que ha de novo",
  "o que aconteceu",
  "novidades",
  "o que perdi",
  "(?:novos|ultimos) (?:alertas|casos)",
  "resumo",
  "ما الجديد",
  "ماذا حدث",
  "ماذا جرى",
  "هل من جديد",
  "اخر الاخبار",
  "التنبيهات",
);

export const NAMES_CASE = phrase(
  "cases?",
  "incidents?",
  "casos?",
  "incidentes?",
  "القضية",
  "قضية",
  "الحالة",
  "الحادثة",
  "حادثة",
);
export const NAMES_ALERT = phrase("alerts?", "alertas?", "التنبيه", "تنبيه", "الانذار", "انذار");
export const NAMES_LOGS = phrase(
  "logs?",
  "log lines",
  "events",
  "registros",
  "eventos",
  "السجلات",
  "سجلات",
  "سجلاته",
  "سجلاتها",
);
/** Matches a request for a change, which a conversation never makes. */
export const ASKS_CHANGE =
  /^(?:please |can you |could you |por favor )?(?:isolate|unisolate|quarantine|block|delete|remove|close|resolve|reopen|assign|escalate|merge|run playbook|execute|approve|reject|disable|enable|create|add|isole|isolar|bloqueie|bloquear|feche|apague|اعزل|احذف|اغلق|احظر)(?![\p{L}\p{N}])/iu;

export const STARTS_FOLLOW_UP = /^(?:and|also|what about|how about|same for|e|e quanto a|و|وماذا عن)(?![\p{L}\p{N}])/iu;
export const REFERS_BACK = phrase(
  "it",
  "its",
  "that",
  "this",
  "(?<!(?:is|are) )there",
  "them",
  "their",
  "same",
  "dele",
  "dela",
  "isso",
  "له",
  "لها",
  "هذا",
  "هذه",
);

const BEFORE_NAME = [
  "know about",
  "who(?: i|')?s on",
  "who (?:is|was|are) (?:on|at|using|logged (?:in|on) (?:to|on|at)|signed in to)",
  "who (?:used|uses|logged (?:in|on) to|signed in to)",
  "who is",
  "what(?: i|')?s on",
  "what (?:is|was|runs|ran) on",
  "tell me about",
  "(?:what|how) about",
  "anything (?:on|about|from)",
  "happen(?:ed|ing|s) (?:on|at|to|with)",
  "going on (?:on|at|with)",
  "(?:information|info|details|facts|activity|everything|data) (?:on|about|of|for|from)",
  "look ?up",
  "look at",
  "investigate",
  "check",
  "seen",
  "(?:and )?on",
  "quem esta (?:em|no|na)",
  "quem usa",
  "quem e",
  "sabemos (?:sobre|d[eoa])",
  "aconteceu (?:em|no|na|com)",
  "sobre",
  "e (?:em|no|na)",
  "من على",
  "من يستخدم",
  "نعرف عن",
  "حدث (?:على|في|ل)",
  "جرى (?:على|في)",
  "عن",
  "و?على",
];
const NAME = String.raw`(?<name>[\p{L}\p{N}][\p{L}\p{N}._@$\\-]*)`;
const ARTICLE = "(?:(?:the|a|an|o|os|as|um|uma|called|named)\\s+)?";
const named = (words: readonly string[]) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join("|")})\s+${ARTICLE}${NAME}`, "giu");

export const NAME_AFTER_WORDS = named(BEFORE_NAME);
export const HOST_NAME = named([
  "hosts?",
  "machine",
  "server",
  "workstation",
  "computer",
  "laptop",
  "endpoint",
  "device",
  "maquina",
  "servidor",
  "computador",
  "dispositivo",
  "الجهاز",
  "جهاز",
  "المضيف",
  "الخادم",
]);
export const USER_NAME = named([
  "users?",
  "account",
  "person",
  "usuario",
  "utilizador",
  "conta",
  "المستخدم",
  "مستخدم",
  "حساب",
]);

const splitList = (words: string) => words.split(/\s+/).filter((word) => word !== "");

const FUNCTION_WORDS = splitList(`
  a an the this that these those it its them there here he she they him her me my you your i we us our
  on at in of to from for with about by is was are were be been do does did has have had how what who whom which where when why
  case cases alert alerts incident incidents all any anything everything something nothing new news now
  and or not please show give list happened happening going stand standing status state
  o os as um uma de do da em no na com que quem caso casos alerta alertas incidente incidentes isso ele ela e
  القضية قضية الحالة الحادثة حادثة التنبيه هذا هذه ما من ماذا الساعة على في عن`);

/** Words in the position of a name that are not names. */
export const NO_NAMES: ReadonlySet<string> = new Set([
  ...FUNCTION_WORDS,
  ...splitList(`
    host hosts machine server workstation computer laptop endpoint device user users account person address ip indicator ioc
    log logs event events today yesterday tonight morning night week day hour minute
    monday tuesday wednesday thursday friday saturday sunday hoje ontem
    الجهاز جهاز المضيف الخادم المستخدم مستخدم اليوم امس`),
]);

/** Words of a question about a case that do not belong to its title. */
export const NO_TITLE_WORDS: ReadonlySet<string> = new Set([
  ...FUNCTION_WORDS,
  ...splitList(`
    stands progress progressing doing far along update latest situation open opened named called titled title regarding
    concerning tell details summary summarise summarize s esta como qual estado situacao sobre andamento chamado
    كيف تسير حالة وضع هي`),
]);
