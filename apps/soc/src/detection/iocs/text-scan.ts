/** Told of every part of a text that could be an indicator, by the places where it begins and ends. */
export interface Candidates {
  /** `cdn.example.com`; also `setup.exe`, which looks alike. */
  name(text: string, start: number, end: number): void;
  /** Four numbers with dots between them. */
  dotted(text: string, start: number, end: number): void;
  /** As many hexadecimal digits as a hash has. */
  hash(text: string, start: number, end: number): void;
  email(text: string, start: number, end: number): void;
  /** Where a scheme ends: the place of `://`. */
  scheme(text: string, colon: number): void;
  /** With at least two colons, a text may hold an IPv6 address. */
  colons(text: string): void;
}

const RUN = 1;
const HEX = 2;
const DIGIT = 4;
const LOCAL = 8;
const BEYOND_ASCII = 128;
const SHORTEST_HASH = 32;
const [DOT, HYPHEN, COLON, AT] = [0x2e, 0x2d, 0x3a, 0x40];
// One for each character of ASCII: what it can be a part of.
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
 * This is done to every event that comes in. Nearly all of a text is passed over: what could be an indicator has a dot, a
 * colon, or many hexadecimal digits in a row.
 */
export function scan(text: string, candidates: Candidates): void {
  for (let dot = text.indexOf("."); dot !== -1; ) dot = text.indexOf(".", readDotted(text, dot, candidates));
  if (text.length >= SHORTEST_HASH) readHashes(text, candidates);
  const colon = text.indexOf(":");
  if (colon === -1) return;
  for (let at = text.indexOf("://", colon); at !== -1; at = text.indexOf("://", at + 3)) candidates.scheme(text, at);
  if (text.includes(":", colon + 1)) candidates.colons(text);
}

/** Of so many characters in a row, one is met in steps of as many. */
function readHashes(text: string, candidates: Candidates): void {
  for (let place = SHORTEST_HASH - 1; place < text.length; place += SHORTEST_HASH) {
    if ((kindAt(text, place) & HEX) === 0) continue;
    let start = place;
    while (start > 0 && (kindAt(text, start - 1) & HEX) !== 0) start -= 1;
    let end = place + 1;
    while (end < text.length && (kindAt(text, end) & HEX) !== 0) end += 1;
    if (isHashLength(end - start) && isApart(text, start - 1) && isApart(text, end)) candidates.hash(text, start, end);
    place = Math.max(place, end - 1);
  }
}

/** Whether what stands there, if anything does, belongs to nothing beside it. */
function isApart(text: string, place: number): boolean {
  return place < 0 || place >= text.length || (kindAt(text, place) & RUN) === 0;
}

/** Letters, digits, dots, hyphens and underscores that stand together around a dot. Answers where they end. */
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
  // A sentence ends with a dot, and a list may begin with a hyphen.
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

// What ends a URL in a text, and what belongs to the sentence around it.
const AFTER_URL = /[\s\p{Cc}"'<>`\\^{|}]/u;
const CLOSING = /[.,;:!?)\]]+$/;
const SCHEME = /(?:https?|ftp)$/i;
const LONGEST_URL = 2048;

/** The URL around a `://`. */
export function urlAround(text: string, colon: number): string | undefined {
  const scheme = SCHEME.exec(text.slice(Math.max(0, colon - 5), colon))?.[0];
  if (scheme === undefined) return undefined;
  const rest = text.slice(colon, colon + LONGEST_URL);
  const end = rest.search(AFTER_URL);
  return `${scheme}${(end === -1 ? rest : rest.slice(0, end)).replace(CLOSING, "")}`;
}

/** The host that stands after a `://` when it is written plainly; else more must be read to know it. */
export function plainHostAfter(text: string, colon: number): string | undefined {
  const start = colon + 3;
  let end = start;
  while (end < text.length && (kindAt(text, end) & RUN) !== 0) end += 1;
  const next = text.charCodeAt(end);
  // A name and a password may stand before the host, and brackets around it.
  if (end === start || next === AT || next === COLON) return undefined;
  return text.slice(start, end).toLowerCase();
}

/** The host that a URL names, as it is written. */
export function hostIn(url: string): string {
  const [authority = ""] = url.slice(url.indexOf("://") + 3).split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return (host.startsWith("[") ? host : host.replace(/:\d*$/, "")).toLowerCase();
}

const IPV6 = /(?<![0-9A-Za-z:.])[0-9A-Fa-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?(?![0-9A-Za-z:])/g;

/** Whatever looks like an IPv6 address. */
export function ipv6In(text: string): string[] {
  return (text.match(IPV6) ?? []).filter((each) => each.indexOf(":") !== each.lastIndexOf(":"));
}

const DEEPEST = 20;

/** The texts of a log in which indicators are looked for. Addresses have fields of their own, and are not among them. */
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
    else if (typeof each === "object" && each !== null && depth < DEEPEST) eachValue(each, visit, depth + 1);
  }
}
