import { describe, expect, it } from "vitest";
import { findLanguage, parseQuestion, type Question } from "./question.ts";

const NOW = new Date("2026-11-16T15:00:00Z");
const ALERT = "0197f000-0000-7000-8000-00000000abcd";
const MD5 = "44d88612fea8a8f36de82e1278abb02f";

/** Formats a question on one line: intent, subject, and the period without parts equal to NOW. */
function write(question: Question): string {
  const about = "entity" in question && question.entity ? [`${question.entity.kind}:${question.entity.value}`] : [];
  const id = "id" in question ? [question.id] : [];
  const words = "words" in question ? [question.words.join("+")] : [];
  const span = "span" in question && question.span ? [writeSpan(question.span)] : [];
  const severities = "severities" in question ? question.severities : [];
  return [question.intent, ...about, ...id, ...words, ...span, ...(severities ?? [])]
    .filter((part) => part !== "")
    .join(" ");
}

function writeSpan({ from, to }: { from: Date; to: Date }): string {
  const short = (at: Date) => at.toISOString().slice(8, 16).replace("T", "/");
  return `${short(from)}-${to.getTime() === NOW.getTime() ? "now" : short(to)}`;
}

const ask = (message: string, before?: Question) => parseQuestion(message, before, NOW);

describe("a question without context", () => {
  it.each([
    // News.
    ["What is new?", "news"],
    ["what's new", "news"],
    ["WHAT IS NEW", "news"],
    ["anything new?", "news"],
    ["any news", "news"],
    ["What happened today?", "news 16/00:00-now"],
    ["what happened yesterday", "news 15/00:00-16/00:00"],
    ["what is new since 08:00", "news 16/08:00-now"],
    ["what has happened since 8am?", "news 16/08:00-now"],
    ["what is new since 16:30", "news 15/16:30-now"],
    ["what happened since yesterday", "news 15/00:00-now"],
    ["alerts in the last 24 hours", "news 15/15:00-now"],
    ["critical alerts today", "news 16/00:00-now critical"],
    ["any critical alerts?", "news critical"],
    ["high and critical alerts since 08:00", "news 16/08:00-now critical high"],
    ["show me low severity alerts of today", "news 16/00:00-now low"],
    ["what is new in critical systems", "news"],
    ["new alerts in the past 30 minutes", "news 16/14:30-now"],
    ["what happened in the last hour", "news 16/14:00-now"],
    ["new cases this week", "news 09/15:00-now"],
    ["what's new since 2026-11-15", "news 15/00:00-now"],
    ["what is new since 2026-11-15T10:00+03:00", "news 15/07:00-now"],
    ["what did I miss overnight?", "news 16/03:00-now"],
    ["catch me up", "news"],
    ["give me a summary of today", "news 16/00:00-now"],
    ["latest alerts", "news"],
    ["is there anything new today", "news 16/00:00-now"],
    // Activity on a host, user or address.
    ["who is on ws-7", "entity name:ws-7"],
    ["Who's on WS-7?", "entity name:WS-7"],
    ["who was logged in to FIN-LT-014 yesterday", "entity name:FIN-LT-014 15/00:00-16/00:00"],
    ["what do we know about 10.0.0.5", "entity address:10.0.0.5"],
    ["what do we know about 2001:db8::10:05?", "entity address:2001:db8::10:05"],
    ["what do we know about layla.haddad", "entity name:layla.haddad"],
    ["tell me about user omar", "entity user:omar"],
    ["tell me about the host mordor", "entity host:mordor"],
    ["what do we know about mordor", "entity name:mordor"],
    ["who is omar.said@manara.example", "entity user:omar.said@manara.example"],
    ["anything on MANARA\\omar in the last 2 days", "entity user:MANARA\\omar 14/15:00-now"],
    [`lookup ${MD5}`, `entity hash:${MD5}`],
    ["what happened on ws-7 today", "entity name:ws-7 16/00:00-now"],
    ["ws-7", "entity name:ws-7"],
    ["what do we know about joão", "entity name:joão"],
    // Events around a time.
    ["what happened on ws-7 around 14:05", "moment name:ws-7 16/13:50-16/14:20"],
    ["What happened on ws-7 at 2:05 pm?", "moment name:ws-7 16/13:50-16/14:20"],
    ["what happened around 14:05 on host ws-7", "moment host:ws-7 16/13:50-16/14:20"],
    ["what happened around 14:05", "moment 16/13:50-16/14:20"],
    ["what happened on ws-7 around 23:00", "moment name:ws-7 15/22:45-15/23:15"],
    ["what happened on ws-7 yesterday at 14:05", "moment name:ws-7 15/13:50-15/14:20"],
    ["what happened on 10.0.0.5 around 2026-11-14 09:00", "moment address:10.0.0.5 14/08:45-14/09:15"],
    ["events of ws-7 between 13:00 and 13:30", "moment name:ws-7 16/13:00-16/13:30"],
    // The state of a case or an alert.
    [`how does case ${ALERT} stand?`, `case ${ALERT}`],
    ["how does the case mailbox rule stand", "case mailbox+rule"],
    ["status of case 'mailbox rule'", "case mailbox+rule"],
    ['how is the case "Firmware of pump 2" going', "case Firmware+of+pump+2"],
    ["what is the status of the incident about ransomware?", "case ransomware"],
    ["which cases are open", "case"],
    [`alert ${ALERT}`, `alert ${ALERT}`],
    [`show me the logs of alert ${ALERT}`, `alert_logs ${ALERT}`],
    [ALERT.toUpperCase(), `record ${ALERT.toUpperCase()}`],
    // Portuguese.
    ["O que há de novo?", "news"],
    ["o que aconteceu hoje", "news 16/00:00-now"],
    ["o que há de novo desde as 08:00", "news 16/08:00-now"],
    ["alertas das últimas 24 horas", "news 15/15:00-now"],
    ["quem está em ws-7", "entity name:ws-7"],
    ["o que sabemos sobre 10.0.0.5", "entity address:10.0.0.5"],
    ["o que aconteceu em ws-7 por volta das 14:05", "moment name:ws-7 16/13:50-16/14:20"],
    ["como está o caso ransomware", "case ransomware"],
    // Arabic.
    ["ما الجديد؟", "news"],
    ["ماذا حدث اليوم", "news 16/00:00-now"],
    ["ما الجديد منذ ٠٨:٠٠", "news 16/08:00-now"],
    ["ما الجديد خلال آخر 24 ساعة", "news 15/15:00-now"],
    ["من على ws-7", "entity name:ws-7"],
    ["ماذا نعرف عن 10.0.0.5", "entity address:10.0.0.5"],
    ["ماذا حدث على ws-7 حوالي الساعة 14:05", "moment name:ws-7 16/13:50-16/14:20"],
    ["ما حالة القضية ransomware", "case ransomware"],
    // Not supported.
    ["help", "help"],
    ["what can you do?", "help"],
    ["isolate ws-7", "change"],
    ["please close case 12", "change"],
    ["why is the sky blue?", "unknown"],
    ["أين القهوة", "unknown"],
    ["😀".repeat(4000), "unknown"],
    ["", "unknown"],
    ["*", "unknown"],
    ['host:* OR "', "unknown"],
    ["what happened on ws-7 around 25:99", "entity name:ws-7"],
  ])("parses %j as %j", (message, expected) => {
    expect(write(ask(message))).toBe(expected);
  });
});

describe("a follow-up question", () => {
  it.each([
    ["what happened on ws-7 around 14:05", "and on ws-8?", "moment name:ws-8 16/13:50-16/14:20"],
    ["what happened on ws-7 around 14:05", "and around 12:00?", "moment name:ws-7 16/11:45-16/12:15"],
    ["who is on ws-7", "what about ws-8", "entity name:ws-8"],
    ["who is on ws-7", "and yesterday?", "entity name:ws-7 15/00:00-16/00:00"],
    ["who is on ws-7", "what happened there around 14:05?", "moment name:ws-7 16/13:50-16/14:20"],
    ["who is on ws-7", "show its logs", "entity name:ws-7"],
    ["what is new since 08:00", "and yesterday?", "news 15/00:00-16/00:00"],
    [`alert ${ALERT}`, "show its logs", `alert_logs ${ALERT}`],
    [`alert ${ALERT}`, "how does it stand?", `alert ${ALERT}`],
    ["how does the case ransomware stand", "how does it stand now?", "case ransomware"],
    ["how does the case ransomware stand", "how does this case stand?", "case ransomware"],
    ["who is on ws-7", "what is new?", "news"],
  ])("after %j, parses %j as %j", (before, message, expected) => {
    expect(write(ask(message, ask(before)))).toBe(expected);
  });

  it("has no subject without a previous question", () => {
    expect(write(ask("show its logs"))).toBe("unknown");
    expect(write(ask("and on ws-8?"))).toBe("entity name:ws-8");
  });
});

describe("title words of a question", () => {
  it("contain no operator of a search language", () => {
    const question = ask(`how does case "a* OR -b:\\"c" | d & !e (f) ' stand`);
    expect(question).toEqual({ intent: "case", words: ["a", "b"] });
  });

  it("are limited in number", () => {
    const question = ask(`case ${Array.from({ length: 500 }, (_, n) => `word${n}`).join(" ")}`);
    expect("words" in question && question.words).toHaveLength(10);
  });
});

it.each([
  "a.",
  "a-",
  "what about ",
  "on ",
  "is there ",
  "1:",
  "12:00 ",
  "and ",
  "“",
  "host ",
  "\\",
  "@a.",
  "last 1",
  "ا",
])("parses 4000 characters of %j without backtracking", (piece) => {
  const start = performance.now();
  ask(piece.repeat(4000 / piece.length));
  expect(performance.now() - start).toBeLessThan(5000);
});

it.each([
  ["ما الجديد", "ar"],
  ["o que há de novo", "pt"],
  ["what is new", "en"],
])("detects the language of %j", (message, language) => {
  expect(findLanguage(message)).toBe(language);
});
