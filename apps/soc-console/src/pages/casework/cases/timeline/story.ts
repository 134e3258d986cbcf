import type { Comment, TimelineEntry } from "../cases-client.ts";

export const STORY_KINDS = ["people", "machine", "evidence"] as const;
export type StoryKind = (typeof STORY_KINDS)[number];

export interface StoryEntry extends TimelineEntry {
  key: string;
  kind: StoryKind;
}

export type StoryItem =
  | { type: "entry"; entry: StoryEntry }
  | { type: "comment"; comment: Comment }
  /** Consecutive machine entries, newest first. */
  | { type: "run"; key: string; entries: readonly StoryEntry[] };

export interface StoryRequest {
  entries: readonly TimelineEntry[];
  comments: readonly Comment[];
  /** Whether older entries exist that are not loaded. Comments older than the last entry are then omitted. */
  hasOlder: boolean;
  /** Default: all. */
  kind?: StoryKind | undefined;
  /** Only entries that contain this text. */
  about?: string | undefined;
}

/** This many consecutive machine entries fold. */
const MIN_RUN = 3;
const MACHINES = new Set(["system", "intake", "detection", "iocs", "sign-in", "exceptions"]);

/** `automation:…`, `key:…`, `agent:…`, `scim:…`, the agents by name, and parts of the platform. */
export function isMachine(agent: string): boolean {
  return agent.includes(":") || agent.endsWith("Agent") || MACHINES.has(agent);
}

function toKind({ agent, action }: TimelineEntry): StoryKind {
  if (/^(?:evidence registered|custody recorded|file )/.test(action)) return "evidence";
  return isMachine(agent) ? "machine" : "people";
}

/** The timeline of a case, newest first: entries and comments merged, machine entries folded. */
export function buildStory({ entries, comments, hasOlder, kind, about }: StoryRequest): StoryItem[] {
  const oldest = entries.at(-1)?.timestamp ?? "";
  const shownComments = comments.filter(({ created_at }) => !hasOlder || created_at >= oldest);
  const seen = new Map<string, number>();
  const written = entries
    // The comment itself appears instead.
    .filter(({ action }) => action !== "comment added")
    .map((entry): StoryEntry => ({ ...entry, key: toKey(entry, seen), kind: toKind(entry) }));
  const matches = (text: string) => about === undefined || text.toLowerCase().includes(about.toLowerCase());
  const items: StoryItem[] = [
    ...written
      .filter((entry) => (kind === undefined || entry.kind === kind) && matches(entry.action))
      .map((entry): StoryItem => ({ type: "entry", entry })),
    ...shownComments
      .filter(
        ({ author, body }) =>
          matches(body) && (kind === undefined || kind === (isMachine(author) ? "machine" : "people")),
      )
      .map((comment): StoryItem => ({ type: "comment", comment })),
  ];
  return foldRuns(items.toSorted((a, b) => readTime(b).localeCompare(readTime(a))));
}

/** Entries have no id: equal ones are numbered from the oldest, so that a new entry changes no key. */
function toKey({ agent, action, timestamp }: TimelineEntry, seen: Map<string, number>): string {
  const text = `${timestamp} ${agent} ${action}`;
  const count = (seen.get(text) ?? 0) + 1;
  seen.set(text, count);
  return `${text} ${count}`;
}

/** Time of the entry; for a folded group, of its newest entry. */
export function readTime(item: StoryItem): string {
  if (item.type === "comment") return item.comment.created_at;
  return item.type === "entry" ? item.entry.timestamp : (item.entries[0]?.timestamp ?? "");
}

function foldRuns(items: readonly StoryItem[]): StoryItem[] {
  const folded: StoryItem[] = [];
  let run: StoryEntry[] = [];
  const endRun = () => {
    const last = run.at(-1);
    if (run.length >= MIN_RUN && last) folded.push({ type: "run", key: `run ${last.key}`, entries: run });
    else folded.push(...run.map((entry): StoryItem => ({ type: "entry", entry })));
    run = [];
  };
  for (const item of items) {
    if (item.type === "entry" && item.entry.kind === "machine") run.push(item.entry);
    else {
      endRun();
      folded.push(item);
    }
  }
  endRun();
  return folded;
}
