/** Receives every part of a text that could be an indicator, with its start and end. */
export interface Candidates {
  /** `cdn.example.com`; also `setup.exe`, which has the same form. */
  name(text: string, start: number, end: number): void;
  /** Numbers separated by dots. */
  dotted(text: string, start: number, end: number): void;
  /** Has as many hexadecimal digits as a hash. */
  hash(text: string, start: number, end: number): void;
  email(text: string, start: number, end: number): void;
  /** The position of `://`. */
  scheme(text: string, colon: number): void;
  /** A text with at least two colons may contain an IPv6 address. */
  colons(text: string): void;
}

const RUN = 1;
const HEX = 2;
const DIGIT = 4;
const LOCAL = 8;
const BEYOND_ASCII = 128;
const MIN_HASH_LENGTH = 32;
const [DOT, HYPHEN, COLON, AT] = [0x2e, 0x2d, 0x3a, 0x40];
// For each ASCII character: the kinds of tokens it can be part of.
const KINDS = kinds();

function kinds(): Uint8Array {
  const table = new Uint8Array(BEYOND_ASCII);
  for (let code = 0; code < BEYOND_ASCII; code += 1) {
    const character = String.fromCharCode(code);
    table[code] =
      (/[A-Za-z0-9._-]/.test(character) ? RUN : 0) |
      (/[0-9A-Fa-f]/.test(character) ? HEX : 0) |
      (/[0-9.]/.test(character) ? DIGIT : 0) |
      (/[A-Za-z0-9._%+-]/.test(character) ? LOCAL : 0);
  }
  return table;
}

function kindAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code < BEYOND_ASCII ? (KINDS[code] ?? 0) : RUN;
}

/**
 * Runs for every incoming event. Skips nearly all of a text: a candidate contains a dot, a colon, or many consecutive
 * hexadecimal digits.
 */
export function scan(text: string, candidates: Candidates): void {
  for (let dot = text.indexOf("."); dot !== -1; ) dot = text.indexOf(".", readDotted(text, dot, candidates));
  if (text.length >= MIN_HASH_LENGTH) readHashes(text, candidates);
  const colon = text.indexOf(":");
  if (colon === -1) return;
  for (let at = text.indexOf("://", colon); at !== -1; at = text.indexOf("://", at + 3)) candidates.scheme(text, at);
  if (text.includes(":", colon + 1)) candidates.colons(text);
}

/** A run of at least this many digits contains one of the positions that are multiples of this length. */
function readHashes(text: string, candidates: Candidates): void {
  for (let place = MIN_HASH_LENGTH - 1; place < text.length; place += MIN_HASH_LENGTH) {
    if ((kindAt(text, place) & HEX) === 0) continue;
    let start = place;
    while (start > 0 && (kindAt(text, start - 1) & HEX) !== 0) start -= 1;
    let end = place + 1;
    while (end < text.length && (kindAt(text, end) & HEX) !== 0) end += 1;
    if (isHashLength(end - start) && isBoundary(text, start - 1) && isBoundary(text, end))
      candidates.hash(text, start, end);
    place = Math.max(place, end - 1);
  }
}

/** Whether the position is outside the text or is not part of a name. */
function isBoundary(text: string, place: number): boolean {
  return place < 0 || place >= text.length || (kindAt(text, place) & RUN) === 0;
}

/** Reads the letters, digits, dots, hyphens and underscores around a dot. Returns where they end. */
function readDotted(text: string, dot: number, candidates: Candidates): number {
  let common = RUN | DIGIT;
  let start = dot;
  for (; start > 0; start -= 1) {
    const kind = kindAt(text, start - 1);
    if ((kind & RUN) === 0) break;
    common &= kind;
  }
  let end = dot + 1;
  for (; end < text.length; end += 1) {
    const kind = kindAt(text, end);
    if ((kind & RUN) === 0) break;
    common &= kind;
  }
  const next = end;
  // A sentence ends with a dot, and a list item may begin with a hyphen.
  while (end > start && isEdge(text.charCodeAt(end - 1))) end -= 1;
  while (start < end && isEdge(text.charCodeAt(start))) start += 1;
  if (start < end) emitCandidates(text, start, end, common, candidates);
  return next;
}

function emitCandidates(text: string, start: number, end: number, common: number, candidates: Candidates): void {
  if ((common & DIGIT) !== 0) candidates.dotted(text, start, end);
  else candidates.name(text, start, end);
  if (start < 2 || text.charCodeAt(start - 1) !== AT) return;
  let local = start - 1;
  while (local > 0 && isLocal(text.charCodeAt(local - 1))) local -= 1;
  if (local < start - 1) candidates.email(text, local, end);
}

function isEdge(code: number): boolean {
  return code === DOT || code === HYPHEN;
}

function isLocal(code: number): boolean {
  return code < BEYOND_ASCII && ((KINDS[code] ?? 0) & LOCAL) !== 0;
}

function isHashLength(length: number): boolean {
  return length === 32 || length === 40 || length === 64;
}

// The characters that end a URL in a text, and punctuation that belongs to the surrounding sentence.
const AFTER_URL = /[\s\p{Cc}"'<>`\\^{|}]/u;
const CLOSING = /[.,;:!?)\]]+$/;
const SCHEME = /(?:https?|ftp)$/i;
const MAX_URL_LENGTH = 2048;

/** The URL around a `://`. */
export function urlAround(text: string, colon: number): string | undefined {
  const scheme = SCHEME.exec(text.slice(Math.max(0, colon - 5), colon))?.[0];
  if (scheme === undefined) return undefined;
  const rest = text.slice(colon, colon + MAX_URL_LENGTH);
  const end = rest.search(AFTER_URL);
  return `${scheme}${(end === -1 ? rest : rest.slice(0, end)).replace(CLOSING, "")}`;
}

/** The host after a `://` if it is plain; undefined if the URL must be parsed to find it. */
export function plainHostAfter(text: string, colon: number): string | undefined {
  const start = colon + 3;
  let end = start;
  while (end < text.length && (kindAt(text, end) & RUN) !== 0) end += 1;
  const next = text.charCodeAt(end);
  // Credentials may precede the host, and brackets may enclose it.
  if (end === start || next === AT || next === COLON) return undefined;
  return text.slice(start, end).toLowerCase();
}

/** The host of a URL, in lower case. */
export function hostIn(url: string): string {
  const [authority = ""] = url.slice(url.indexOf("://") + 3).split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return (host.startsWith("[") ? host : host.replace(/:\d*$/, "")).toLowerCase();
}

const IPV6 = /(?<![0-9A-Za-z:.])[0-9A-Fa-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?(?![0-9A-Za-z:])/g;

/** Every substring that has the form of an IPv6 address. */
export function ipv6In(text: string): string[] {
  return (text.match(IPV6) ?? []).filter((each) => each.indexOf(":") !== each.lastIndexOf(":"));
}

const MAX_DEPTH = 20;

/** Visits the texts of a log that may contain indicators. The address fields are matched separately. */
export function eachText(
  { host, user, message, attributes }: { host: string; user: string; message: string; attributes: object },
  visit: (text: string) => void,
): void {
  visit(message);
  if (host !== "") visit(host);
  if (user !== "") visit(user);
  eachValue(attributes, visit, 0);
}

function eachValue(value: object, visit: (text: string) => void, depth: number): void {
  const values: unknown[] = Object.values(value);
  for (const each of values) {
    if (typeof each === "string") visit(each);
    else if (typeof each === "object" && each !== null && depth < MAX_DEPTH) eachValue(each, visit, depth + 1);
  }
}
