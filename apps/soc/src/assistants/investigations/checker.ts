import type { LogEvent } from "../../ports/log-event.ts";
import { readFacts, textOf } from "./event-facts.ts";
import type { EventReader } from "./event-reader.ts";
import { ANY_FIELD, type Claim, type Finding } from "./findings.ts";

/** A finding after each of its events and values was checked. */
export interface CheckedFinding extends Finding {
  is_supported: boolean;
  /** What the cited events do not contain, as text; empty for a supported finding. */
  unsupported: string[];
}

/** Facts from the alerts instead of events: rule titles and the techniques found. */
export interface KnownNames {
  titles: readonly string[];
  techniques: readonly string[];
}

const MAX_FINDINGS = 200;
const MAX_IDS = 2000;
const TOO_MANY = `not checked: more than ${MAX_FINDINGS} findings`;

const TECHNIQUE = /\bT\d{4}(?:\.\d{3})?\b/g;

/**
 * Specific values in a sentence: addresses, files, digests, numbers of processes, and accounts. A writer can invent
 * them, so each must occur in a cited event. Ordinary words are not checked.
 */
const SPECIFICS: readonly RegExp[] = [
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/g,
  /\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}\b/gi,
  /\b[\w.-]+\.(?:exe|dll|sys|ps1|bat|cmd|vbs|js|hta|lnk|docm?|xls[mx]?|zip|iso|sh|py|dmp|tmp)\b/gi,
  /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/gi,
  /\b0x[0-9a-f]+\b/gi,
  /\b[\w-]+\\[\w.$-]+\b/g,
];

const PROCESS_NUMBER = /(?<=\bpid )\d+\b/gi;

/** Checks every event and value that the findings cite and marks what is missing, whoever wrote them. */
export async function checkFindings(
  reader: Pick<EventReader, "find">,
  findings: readonly Finding[],
  known: KnownNames,
): Promise<CheckedFinding[]> {
  const checked = findings.slice(0, MAX_FINDINGS);
  const ids = new Set(checked.flatMap(listIds));
  const logs = await reader.find([...ids].slice(0, MAX_IDS));
  const byId = new Map(logs.map((log) => [log.id, log]));
  return findings.map((finding, place) => {
    const unsupported = place < MAX_FINDINGS ? listUnsupported(finding, byId, known) : [TOO_MANY];
    return { ...finding, is_supported: unsupported.length === 0, unsupported };
  });
}

function listIds({ evidence_ids, claims }: Finding): string[] {
  return [...new Set([...evidence_ids, ...claims.map(({ log_id }) => log_id)])];
}

function listUnsupported(
  { statement, evidence_ids, claims }: Finding,
  byId: ReadonlyMap<string, LogEvent>,
  { titles, techniques }: KnownNames,
): string[] {
  if (evidence_ids.length === 0) return ["cites no event"];
  const unknown = listIds({ statement, evidence_ids, claims }).filter((id) => !byId.has(id));
  const uncited = claims.filter(({ log_id }) => !evidence_ids.includes(log_id));
  const isWrong = (claim: Claim) => {
    const log = byId.get(claim.log_id);
    return log !== undefined && !contains(log, claim);
  };
  const wrong = claims.filter(isWrong);
  const cited = evidence_ids.flatMap((id) => byId.get(id) ?? []);
  // A quoted value that occurs in an event comes from the event, and a title from the rule.
  const quoted = claims.filter((claim) => !isWrong(claim)).map(({ value }) => `"${value}"`);
  const ownWords = [...titles, ...quoted].reduce((text, known) => text.replaceAll(known, ""), statement);
  const isMentioned = (value: string) => cited.some((log) => mentions(log, value));
  const unnamed = (ownWords.match(TECHNIQUE) ?? []).filter((id) => !techniques.includes(id));
  const invented = listSpecifics(ownWords).filter((value) => !isMentioned(value));
  const numbers = new Set(cited.flatMap(listProcessNumbers));
  const unnumbered = (ownWords.match(PROCESS_NUMBER) ?? []).filter((pid) => !numbers.has(Number(pid)));
  return [
    ...unknown.map((id) => `event ${id} does not exist`),
    ...uncited.map(({ log_id }) => `event ${log_id} is not cited`),
    ...wrong.map(({ log_id, field, value }) => `event ${log_id} has no ${field} "${value}"`),
    ...unnumbered.map((pid) => `no cited event names the process ${pid}`),
    ...unnamed.map((id) => `no rule or event stands for ${id}`),
    ...invented.map((value) => `no cited event contains "${value}"`),
  ];
}

function contains(log: LogEvent, { field, value }: Claim): boolean {
  if (value === "") return false;
  if (field === ANY_FIELD) return mentions(log, value);
  return textOf(log, field).toLowerCase().includes(value.toLowerCase());
}

function listProcessNumbers(log: LogEvent): number[] {
  const { actor, parent, target } = readFacts(log);
  return [actor, parent, target].flatMap((ref) => ref?.pid ?? []);
}

function listSpecifics(statement: string): string[] {
  return [...new Set(SPECIFICS.flatMap((form) => statement.match(form) ?? []))];
}

/** Reports whether a field or attribute contains the text; a number may be written in another base. */
function mentions(log: LogEvent, value: string): boolean {
  const wanted = value.toLowerCase();
  const number = /^(?:\d+|0x[0-9a-f]+)$/.test(wanted) ? Number(wanted) : Number.NaN;
  return listTexts(log).some((text) => {
    if (text.toLowerCase().includes(wanted)) return true;
    return !Number.isNaN(number) && /^(?:\d+|0x[0-9a-f]+)$/i.test(text) && Number(text) === number;
  });
}

const DEEPEST = 20;

/** Returns every text and number in an event or a part of it. */
export function listTexts(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((each) => listTexts(each, depth + 1));
}
