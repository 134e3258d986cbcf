/** A period that a question names. */
export interface Span {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** `instant`: around a moment. `period`: since a time, or a day. */
  kind: "instant" | "period";
}

export interface FoundSpan {
  span: Span;
  /** The question without the time. */
  rest: string;
}

type Bounds = readonly [from: number, to: number];

interface SpanPattern {
  kind: Span["kind"];
  pattern: RegExp;
  /** Undefined if the words are not a valid time, such as 25:99. */
  read: (match: Groups, day: Day) => Bounds | undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Day {
  now: number;
  /** Midnight of the day that the question names, and whether it names one. */
  midnight: number;
  isNamed: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** How far around a moment an answer searches. */
export const AROUND_MS = 15 * MINUTE;
const MAX_MS = 90 * DAY;

// Not within a name such as node-8h.
const START = String.raw`(?<![\p{L}\p{N}_.@\\-])`;
const END = String.raw`(?![\p{L}\p{N}_])`;
const clock = (n: string) =>
  String.raw`(?:(?<h${n}>\d{1,2})[:h](?<m${n}>\d{2})(?::\d{2})?(?:\s*(?<p${n}>[ap]m))?|(?<o${n}>\d{1,2})\s*(?<q${n}>[ap]m|h))(?:\s*(?:utc|z))?`;
const DATE = String.raw`(?<date>\d{4}-\d{2}-\d{2})`;
const ISO = String.raw`(?<iso>\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:\s?utc|z|[+-]\d{2}:\d{2})?)`;
const SINCE = "since|from|after|desde(?: as| a| o)?|a partir d(?:as|e|a)|منذ|بعد";
const AROUND =
  "around|about|at|near|close to|approximately|circa|por volta d(?:as|e|a)|cerca d(?:as|e|a)|as|حوالي|الساعة|عند|نحو|قرابة";
const YESTERDAY = "yesterday|ontem|امس|البارحة";
const TODAY = "today|hoje|اليوم|this morning|esta manha|هذا الصباح|tonight|esta noite";
const UNITS: readonly (readonly [words: string, ms: number])[] = [
  ["minutes?|mins?|minutos?|دقيقة|دقائق", MINUTE],
  ["hours?|hrs?|h|horas?|ساعة|ساعات", HOUR],
  ["days?|d|dias?|يوم|ايام", DAY],
  ["weeks?|semanas?|اسبوع|اسابيع", WEEK],
];
const ALL_UNITS = UNITS.map(([words]) => words).join("|");

const words = (pattern: string) => new RegExp(`${START}(?:${pattern})${END}`, "iu");

/** In the order of matching, most specific first. */
const WORDINGS: readonly SpanPattern[] = [
  {
    kind: "instant",
    pattern: words(
      `(?:between|from|entre|de|بين|من)(?: as)?\\s+${clock("1")}\\s+(?:and|to|until|till|e|ate|a|و|الى)(?: as)?\\s*${clock("2")}`,
    ),
    read(match, day) {
      const [from, to] = [readClock(match, "1", day), readClock(match, "2", day)];
      if (from === undefined || to === undefined || from === to) return undefined;
      return from < to ? [from, to] : [from, to + DAY];
    },
  },
  {
    kind: "period",
    pattern: words(
      `(?:${SINCE})\\s+(?:${ISO}|${DATE}|${clock("1")}|(?<word>midnight|noon|meia-noite|meio-dia|منتصف الليل))`,
    ),
    read(match, day) {
      const from = readInstant(match, day);
      return from === undefined ? undefined : [from, day.now];
    },
  },
  {
    kind: "period",
    pattern: words(`(?:last|past|previous|ultim[oa]s?|اخر|خلال)\\s+(?:(?<count>\\d{1,5})\\s*)?(?<unit>${ALL_UNITS})`),
    read: ({ count = "1", unit = "" }, { now }) => [now - Number(count) * msOfUnit(unit), now],
  },
  {
    kind: "instant",
    pattern: words(`(?:(?:${AROUND})\\s+)?(?:${ISO}|${DATE}\\s+(?:(?:${AROUND})\\s+)?${clock("1")})`),
    read: (match, day) => widen(readInstant(match, day)),
  },
  {
    kind: "instant",
    pattern: words(`(?:(?:${AROUND})\\s+)?(?:as\\s+)?${clock("1")}`),
    read: (match, day) => widen(readInstant(match, day)),
  },
  {
    kind: "period",
    pattern: words(`(?:on\\s+)?${DATE}`),
    read({ date = "" }) {
      const from = Date.parse(date);
      return Number.isNaN(from) ? undefined : [from, from + DAY];
    },
  },
  {
    kind: "period",
    pattern: words(`(?:this|current|esta|هذا) (?:week|semana|الاسبوع)`),
    read: (_, { now }) => [now - WEEK, now],
  },
  {
    kind: "period",
    pattern: words(`(?:(?:${SINCE})\\s+)(?:${YESTERDAY})`),
    read: (_, { now, midnight }) => [midnight, now],
  },
  { kind: "period", pattern: words(YESTERDAY), read: (_, { midnight }) => [midnight, midnight + DAY] },
  {
    kind: "period",
    pattern: words(`(?:(?:${SINCE})\\s+)?(?:${TODAY})`),
    read: (_, { now, midnight }) => [midnight, now],
  },
  {
    kind: "period",
    pattern: words("overnight|over night|durante a noite"),
    read: (_, { now }) => [now - 12 * HOUR, now],
  },
];
const NAMES_YESTERDAY = words(YESTERDAY);
const NAMES_TODAY = words(TODAY);

/**
 * Finds the first time that a question names, in UTC. A time of day without a day is the most recent one in the past.
 */
export function findSpan(question: string, now: Date): FoundSpan | undefined {
  const day = findDay(question, now.getTime());
  for (const { kind, pattern, read } of WORDINGS) {
    const match = pattern.exec(question);
    const bounds = match && read(match.groups ?? {}, day);
    if (!match || !bounds) continue;
    const rest = question.replace(match[0], " ").replace(NAMES_YESTERDAY, " ").replace(NAMES_TODAY, " ");
    const span = toSpan(bounds, kind, now.getTime());
    return span && { span, rest };
  }
  return undefined;
}

function findDay(question: string, now: number): Day {
  const today = Math.floor(now / DAY) * DAY;
  if (NAMES_YESTERDAY.test(question)) return { now, midnight: today - DAY, isNamed: true };
  return { now, midnight: today, isNamed: NAMES_TODAY.test(question) };
}

/** Undefined for a period entirely in the future. */
function toSpan([from, to]: Bounds, kind: Span["kind"], now: number): Span | undefined {
  const end = Math.min(to, now);
  const start = Math.max(from, end - MAX_MS);
  return start < end ? { from: new Date(start), to: new Date(end), kind } : undefined;
}

function readInstant(match: Groups, day: Day): number | undefined {
  const { iso, date, word } = match;
  if (word !== undefined) return /noon|meio/i.test(word) ? latest(day, 12 * HOUR) : day.midnight;
  if (iso !== undefined) return parseIso(iso);
  const hasClock = match.h1 !== undefined || match.o1 !== undefined;
  if (date === undefined) return readClock(match, "1", day);
  const midnight = Date.parse(date);
  if (Number.isNaN(midnight)) return undefined;
  return hasClock ? readClock(match, "1", { ...day, midnight, isNamed: true }) : midnight;
}

/** Without an offset the time is UTC. */
function parseIso(text: string): number | undefined {
  const spelled = text
    .toUpperCase()
    .replace(/\s?UTC$/, "Z")
    .replace(" ", "T");
  const at = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(spelled) ? spelled : `${spelled}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function readClock(match: Groups, n: "1" | "2", day: Day): number | undefined {
  const half = (match[`p${n}`] ?? match[`q${n}`])?.toLowerCase();
  const hour = Number(match[`h${n}`] ?? match[`o${n}`]);
  const minute = Number(match[`m${n}`] ?? 0);
  const isHalf = half === "am" || half === "pm";
  if (minute > 59 || hour > 23 || (isHalf && (hour < 1 || hour > 12))) return undefined;
  const hours = isHalf ? (hour % 12) + (half === "pm" ? 12 : 0) : hour;
  return latest(day, hours * HOUR + minute * MINUTE);
}

function latest({ now, midnight, isNamed }: Day, sinceMidnight: number): number {
  const at = midnight + sinceMidnight;
  return !isNamed && at > now ? at - DAY : at;
}

function widen(at: number | undefined): Bounds | undefined {
  return at === undefined ? undefined : [at - AROUND_MS, at + AROUND_MS];
}

function msOfUnit(unit: string): number {
  const known = UNITS.find(([names]) => new RegExp(`^(?:${names})$`, "iu").test(unit));
  return known?.[1] ?? HOUR;
}
