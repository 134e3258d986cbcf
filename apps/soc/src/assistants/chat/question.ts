import { isIP } from "node:net";
import { SEVERITIES, type Severity } from "../../alerts/alerts/alerts.schema.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import { toLine, toPlain } from "./plain-text.ts";
import {
  ASKS_CHANGE,
  ASKS_HELP,
  ASKS_NEWS,
  HOST_NAME,
  NAME_AFTER_WORDS,
  NAMES_ALERT,
  NAMES_CASE,
  NAMES_LOGS,
  NO_NAMES,
  NO_TITLE_WORDS,
  REFERS_BACK,
  SEVERITY_WORDS,
  STARTS_FOLLOW_UP,
  USER_NAME,
} from "./question-words.ts";
import { findSpan, type Span } from "./span.ts";

/** `name` is a host or a user; the question does not say which. */
export interface Entity {
  kind: "host" | "user" | "address" | "hash" | "name";
  value: string;
}

/** The intent of a message with its parameters. */
export type Question =
  | { intent: "news"; span?: Span; severities?: Severity[] }
  | { intent: "entity"; entity: Entity; span?: Span }
  | { intent: "moment"; entity?: Entity; span: Span }
  | { intent: "case"; id: string }
  | { intent: "case"; words: string[] }
  | { intent: "alert"; id: string }
  | { intent: "alert_logs"; id: string }
  /** An id of either an alert or a case. */
  | { intent: "record"; id: string }
  | { intent: "change" }
  | { intent: "help" }
  | { intent: "unknown" };

export type Language = "en" | "ar" | "pt";

interface ParsedMessage {
  /** Without accents and without its time. */
  plain: string;
  original: string;
  span?: Span;
  entity?: Entity;
  id?: string;
}

const MAX_NAME = 255;
const MAX_TITLE_WORDS = 10;
const EDGES = /^["'“”«»()[\]<>?!.,;:؟،]+|["'“”«»()[\]<>?!.,;:؟،]+$/g;
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const ACCOUNT = /^[^\s@\\]+(?:@[^\s@\\]+\.[^\s@\\]+|\\[^\s@\\]+)$/;
// A letter and a digit, or two joined parts: ws-7, srv01, layla.haddad.
const NAME_SHAPED = /^(?=.*\p{L})(?:(?=.*\p{N})[\p{L}\p{N}._$-]{2,}|[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)+)$/u;
const QUOTED = /["“«]([^"“”«»]+)["”»]/u;

/** Parses a message, given the previous question. */
export function parseQuestion(message: string, before: Question | undefined, now: Date): Question {
  const asked = readMessage(message, now);
  const { plain, id } = asked;
  if (ASKS_CHANGE.test(plain)) return { intent: "change" };
  if (id !== undefined) return parseRecord(plain, id);
  return (
    parseItsLogs(plain, before) ??
    parseFollowUp(asked, before) ??
    parseCase(asked, before) ??
    parseEntity(asked) ??
    parseOther(asked)
  );
}

export function findLanguage(message: string): Language {
  if (/\p{Script=Arabic}/u.test(message)) return "ar";
  return /[ãõç]|(?<!\p{L})(?:o que|quem|caso|sobre|novidades|ajuda|hoje|ontem|desde|resumo)(?!\p{L})/iu.test(message)
    ? "pt"
    : "en";
}

function readMessage(message: string, now: Date): ParsedMessage {
  const original = toLine(message);
  const whole = toPlain(original);
  const words = whole.split(" ").map((word) => word.replaceAll(EDGES, ""));
  const id = words.find(isUuid);
  const exact = id === undefined ? words.map(toExactEntity).find((entity) => entity !== undefined) : undefined;
  // An IPv6 address contains text that looks like a time.
  const withoutExact = exact ? whole.replace(exact.value, " ") : whole;
  const { span, rest } = findSpan(withoutExact, now) ?? { rest: withoutExact };
  const entity = exact ?? findNamed(rest, original);
  return { plain: rest, original, ...(span && { span }), ...(entity && { entity }), ...(id !== undefined && { id }) };
}

/** Recognises an entity whose form is unambiguous. */
function toExactEntity(value: string): Entity | undefined {
  if (isIP(value) !== 0) return { kind: "address", value };
  if (HASH.test(value)) return { kind: "hash", value };
  return ACCOUNT.test(value) && value.length <= MAX_NAME ? { kind: "user", value } : undefined;
}

function findNamed(plain: string, original: string): Entity | undefined {
  const found =
    findAfter(HOST_NAME, plain, "host") ??
    findAfter(USER_NAME, plain, "user") ??
    findShaped(plain) ??
    findAfter(NAME_AFTER_WORDS, plain, "name");
  return found && { ...found, value: restoreAccents(found.value, original) };
}

function findAfter(pattern: RegExp, plain: string, kind: Entity["kind"]): Entity | undefined {
  for (const { groups } of plain.matchAll(pattern)) {
    const value = groups?.name?.replaceAll(EDGES, "") ?? "";
    if (isName(value)) return { kind, value };
  }
  return undefined;
}

function findShaped(plain: string): Entity | undefined {
  const words = plain.split(" ").map((word) => word.replaceAll(EDGES, ""));
  const value = words.find((word) => NAME_SHAPED.test(word) && isName(word) && /\P{Script=Arabic}/u.test(word));
  return value === undefined ? undefined : { kind: "name", value };
}

function isName(word: string): boolean {
  return word !== "" && word.length <= MAX_NAME && !NO_NAMES.has(word.toLowerCase());
}

function restoreAccents(value: string, original: string): string {
  const words = original.split(" ").map((word) => word.replaceAll(EDGES, ""));
  return words.find((word) => toPlain(word) === value) ?? value;
}

function parseRecord(plain: string, id: string): Question {
  const isOfAlert = NAMES_ALERT.test(plain);
  if (NAMES_LOGS.test(plain) && !NAMES_CASE.test(plain)) return { intent: "alert_logs", id };
  if (isOfAlert) return { intent: "alert", id };
  return NAMES_CASE.test(plain) ? { intent: "case", id } : { intent: "record", id };
}

/** Parses "Show its logs" after an alert. */
function parseItsLogs(plain: string, before: Question | undefined): Question | undefined {
  if (!before || !NAMES_LOGS.test(plain) || !REFERS_BACK.test(plain)) return undefined;
  if (before.intent === "alert" || before.intent === "record" || before.intent === "alert_logs")
    return { intent: "alert_logs", id: before.id };
  return before.intent === "entity" || before.intent === "moment" ? before : undefined;
}

/** Parses "And on ws-8?", "and around 15:00?", "what happened there yesterday?". */
function parseFollowUp({ plain, span, entity }: ParsedMessage, before: Question | undefined): Question | undefined {
  if (!before || NAMES_CASE.test(plain) || !(STARTS_FOLLOW_UP.test(plain) || REFERS_BACK.test(plain))) return undefined;
  const isAboutEntity = before.intent === "entity" || before.intent === "moment";
  if (!isAboutEntity && before.intent !== "news") return isBack(plain, span, entity) ? before : undefined;
  if (!span && !entity) return isAboutEntity ? before : undefined;
  const meant = entity ?? (isAboutEntity ? before.entity : undefined);
  return toQuestion(meant, span ?? before.span);
}

/** Reports whether the message only refers to the previous subject: "how does it stand?" */
function isBack(plain: string, span: Span | undefined, entity: Entity | undefined): boolean {
  return !span && !entity && REFERS_BACK.test(plain);
}

function toQuestion(entity: Entity | undefined, span: Span | undefined): Question {
  if (span?.kind === "instant") return { intent: "moment", span, ...(entity && { entity }) };
  return entity ? { intent: "entity", entity, ...(span && { span }) } : { intent: "news", ...(span && { span }) };
}

function parseCase({ plain, original, span }: ParsedMessage, before: Question | undefined): Question | undefined {
  if (!NAMES_CASE.test(plain)) return undefined;
  const quoted = QUOTED.exec(original)?.[1];
  const words = quoted === undefined ? listTitleWords(plain, original) : splitWords(quoted).slice(0, MAX_TITLE_WORDS);
  if (words.length > 0) return { intent: "case", words };
  if (before?.intent === "case" && REFERS_BACK.test(plain)) return before;
  return span || ASKS_NEWS.test(plain) ? undefined : { intent: "case", words };
}

function listTitleWords(plain: string, original: string): string[] {
  const isTitleWord = (word: string) => !NO_TITLE_WORDS.has(word.toLowerCase()) && !NAMES_CASE.test(word);
  return splitWords(plain)
    .filter(isTitleWord)
    .slice(0, MAX_TITLE_WORDS)
    .map((word) => restoreAccents(word, original));
}

/** Keeps only letters and digits, so that no search operator remains. */
function splitWords(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.toLowerCase() !== "or");
}

function parseEntity({ entity, span }: ParsedMessage): Question | undefined {
  return entity ? toQuestion(entity, span) : undefined;
}

function parseOther({ plain, span }: ParsedMessage): Question {
  if (ASKS_HELP.test(plain)) return { intent: "help" };
  const severities = NAMES_ALERT.test(plain) ? findSeverities(plain) : [];
  if (!span && severities.length === 0 && !ASKS_NEWS.test(plain)) return { intent: "unknown" };
  const question = toQuestion(undefined, span);
  return question.intent === "news" && severities.length > 0 ? { ...question, severities } : question;
}

/** Finds severities in texts such as "Critical alerts of today" or "high and critical". */
function findSeverities(plain: string): Severity[] {
  return SEVERITIES.filter((severity) => SEVERITY_WORDS[severity].test(plain));
}
