import { describe, expect, it } from "vitest";
import type { Comment, TimelineEntry } from "../cases-client.ts";
import { buildStory, isMachine, type StoryItem } from "./story.ts";

const at = (minute: number) => `2026-11-17T19:${String(minute).padStart(2, "0")}:00.000Z`;
const entry = (minute: number, agent: string, action: string): TimelineEntry => ({
  agent,
  action,
  timestamp: at(minute),
});
const comment = (minute: number, body: string): Comment => ({
  id: `comment-${minute}`,
  author: "layla",
  body,
  created_at: at(minute),
  edited_at: null,
});

/** A readable summary of each line. */
function spell(items: readonly StoryItem[]): string[] {
  return items.map((item) => {
    if (item.type === "comment") return `comment: ${item.comment.body}`;
    return item.type === "entry" ? item.entry.action : `run of ${item.entries.length}`;
  });
}

describe("the story of a case", () => {
  it("replaces comment entries by the comments, newest first", () => {
    const entries = [
      entry(4, "layla", "status: open → closed"),
      entry(3, "layla", "comment added"),
      entry(1, "layla", "case opened: x"),
    ];
    expect(spell(buildStory({ entries, comments: [comment(3, "hello")], hasOlder: false }))).toEqual([
      "status: open → closed",
      "comment: hello",
      "case opened: x",
    ]);
  });

  it("folds three or more consecutive machine entries, but not two", () => {
    const machine = (minute: number) => entry(minute, "automation:isolate", `linked alert ${minute}`);
    const entries = [machine(9), machine(8), machine(7), entry(6, "layla", "took it"), machine(5), machine(4)];
    expect(spell(buildStory({ entries, comments: [], hasOlder: false }))).toEqual([
      "run of 3",
      "took it",
      "linked alert 5",
      "linked alert 4",
    ]);
  });

  it("omits comments older than the loaded entries", () => {
    const entries = [entry(5, "layla", "took it")];
    const comments = [comment(6, "new"), comment(2, "old")];
    expect(spell(buildStory({ entries, comments, hasOlder: true }))).toEqual(["comment: new", "took it"]);
    expect(spell(buildStory({ entries, comments, hasOlder: false }))).toHaveLength(3);
  });

  it("filters by kind or by text", () => {
    const entries = [
      entry(5, "layla", "evidence registered: lsass.dmp"),
      entry(4, "key:sensor", "linked alert on FIN-WS-014"),
      entry(3, "layla", "title: a → b"),
    ];
    const comments = [comment(2, "look at fin-ws-014")];
    const build = (rest: object) => spell(buildStory({ entries, comments, hasOlder: false, ...rest }));
    expect(build({ kind: "evidence" })).toEqual(["evidence registered: lsass.dmp"]);
    expect(build({ kind: "machine" })).toEqual(["linked alert on FIN-WS-014"]);
    expect(build({ kind: "people" })).toEqual(["title: a → b", "comment: look at fin-ws-014"]);
    expect(build({ about: "fin-ws-014" })).toEqual(["linked alert on FIN-WS-014", "comment: look at fin-ws-014"]);
  });

  it("gives equal entries different keys", () => {
    const entries = [entry(5, "layla", "comment removed"), entry(5, "layla", "comment removed")];
    const keys = buildStory({ entries, comments: [], hasOlder: false }).map(
      (item) => item.type === "entry" && item.entry.key,
    );
    expect(new Set(keys).size).toBe(2);
  });

  it("recognizes machines by their names", () => {
    expect(["automation:x", "key:sensor", "agent:SupervisorAgent", "TriageAgent", "detection"].every(isMachine)).toBe(
      true,
    );
    expect(["layla", "admin", "yusuf.karim"].some(isMachine)).toBe(false);
  });
});
