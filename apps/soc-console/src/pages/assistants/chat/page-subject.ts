/** The subject of the page, in the words of a question. */
export interface Subject {
  kind: "alert" | "case" | "host" | "user" | "address" | "hash";
  value: string;
}

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const RECORD = new RegExp(`^/(alerts|cases)/(${ID})(?:/|$)`, "i");
const ENTITY = /^\/entity\/(host|user|ip|hash)\/(.+)$/;
const ENTITY_KINDS = { host: "host", user: "user", ip: "address", hash: "hash" } as const;

/** Reads the subject from the address of the page; undefined if the page has none. */
export function readSubject(path: string, search: Readonly<Record<string, string>>): Subject | undefined {
  const record = RECORD.exec(path);
  if (record?.[2] !== undefined) return { kind: record[1] === "alerts" ? "alert" : "case", value: record[2] };
  const kind = path === "/alerts" ? "alert" : path === "/cases" ? "case" : undefined;
  if (kind && new RegExp(`^${ID}$`, "i").test(search.pane ?? "")) return { kind, value: search.pane ?? "" };
  const [, entity, value] = ENTITY.exec(path) ?? [];
  if (entity === undefined || value === undefined || !isEntity(entity)) return undefined;
  return { kind: ENTITY_KINDS[entity], value: decode(value) };
}

function isEntity(name: string): name is keyof typeof ENTITY_KINDS {
  return name in ENTITY_KINDS;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const REFERS = /\b(?:this|that|here|it|its)\b|هذا|هذه|هنا/iu;

/** Adds the subject to a question such as "what is this?": the service sees the question, not the page. */
export function nameSubject(message: string, subject: Subject | undefined): string {
  if (!subject || !REFERS.test(message) || message.includes(subject.value)) return message;
  return `${message} (${subject.kind} ${subject.value})`;
}
