import type { Clock } from "@kit/clock";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { AnswerContext, Part } from "./answer-context.ts";
import { answerEntity, answerMoment } from "./answer-entity.ts";
import { answerNews } from "./answer-news.ts";
import { answerAlert, answerCaseById, answerCaseByTitle, answerLogsOfAlert, answerRecord } from "./answer-records.ts";
import { createAnswerWriter } from "./answer-writer.ts";
import type { AnswerEvent } from "./chat-event.ts";
import type { Message } from "./conversation.ts";
import { createLookups, type LookupsDeps } from "./lookups.ts";
import { findLanguage, type Language, parseQuestion, type Question } from "./question.ts";

export interface AnswerRequest {
  caller: Caller;
  message: string;
  /** The previous messages, oldest first. */
  history: readonly Message[];
  /** Aborts when the answer is no longer needed. */
  signal: AbortSignal;
}

/** Answers a message. The text arrives in chunks, and each record that it names is cited. */
export type Answer = (asked: AnswerRequest) => AsyncIterable<AnswerEvent>;

export interface AnswerDeps extends LookupsDeps {
  clock: Pick<Clock, "now">;
}

const EXAMPLES = [
  "what is new since 08:00",
  "what do we know about 10.0.0.5",
  "who is on ws-7",
  "what happened on ws-7 around 14:05",
  "how does the case “mailbox rule” stand",
  "alert 0197f000-0000-7000-8000-00000000abcd",
];

const INTRODUCTIONS: Readonly<Record<Language, string>> = {
  en: "I answer questions like these",
  pt: "Compreendo melhor perguntas em inglês e respondo em inglês. Exemplos",
  ar: "أفهم الأسئلة بالإنجليزية أفضل وأجيب بالإنجليزية. أمثلة",
};
/** Precedes an answer, which is in English. */
const IN_ENGLISH: Readonly<Record<Language, string>> = {
  en: "",
  pt: "A resposta está em inglês.\n",
  ar: "الجواب بالإنجليزية.\n",
};

/** Answers without a model: by deterministic rules, from the results of lookups. */
export function createRuleAnswer({ clock, ...deps }: AnswerDeps): Answer {
  return async function* answer({ caller, message, history, signal }) {
    const { say } = createAnswerWriter();
    const now = clock.now();
    const language = findLanguage(message);
    const question = readQuestion(message, history, now);
    const telling: AnswerContext = { look: createLookups(deps, caller, signal), say, now };
    const part = startPart(telling, question);
    if (!part) return yield* sayHelp(say, question, language);
    if (language !== "en") yield* say(IN_ENGLISH[language], [], "");
    yield* part;
  };
}

/** A message may refer to the previous message, which may refer to the one before. */
function readQuestion(message: string, history: readonly Message[], now: Date): Question {
  let before: Question | undefined;
  for (const { role, text, created_at } of history) {
    if (role === "user") before = keepSubject(parseQuestion(text, before, created_at), before);
  }
  return parseQuestion(message, before, now);
}

/** Keeps the subject of follow-up questions when a message was not understood. */
function keepSubject(question: Question, before: Question | undefined): Question | undefined {
  const { intent } = question;
  return intent === "help" || intent === "unknown" || intent === "change" ? before : question;
}

function startPart(telling: AnswerContext, question: Question): Part | undefined {
  switch (question.intent) {
    case "news":
      return answerNews(telling, question.span, question.severities);
    case "entity":
      return answerEntity(telling, question.entity, question.span);
    case "moment":
      return answerMoment(telling, question.entity, question.span);
    case "case":
      return "id" in question ? answerCaseById(telling, question.id) : answerCaseByTitle(telling, question.words);
    case "alert":
      return answerAlert(telling, question.id);
    case "alert_logs":
      return answerLogsOfAlert(telling, question.id);
    case "record":
      return answerRecord(telling, question.id);
    case "change":
    case "help":
    case "unknown":
      return undefined;
    default:
      return question satisfies never;
  }
}

function* sayHelp(say: AnswerContext["say"], { intent }: Question, language: Language): Generator<AnswerEvent, void> {
  if (intent === "change")
    yield* say("I only read and change nothing: use the page or the route of the record", [], ".\n");
  if (intent === "unknown") yield* say("I did not understand this question", [], ".\n");
  yield* say(INTRODUCTIONS[language], [], ":\n");
  for (const example of EXAMPLES) yield* say(`- ${example}`, [], "\n");
  yield* say(
    "Times are in UTC. A follow-up such as “and on ws-8?” or “show its logs” refers to the question before it",
  );
}
