import type { Evidence, WholeCase } from "../cases/cases/case.ts";
import { nextEntry } from "../cases/ledger/chain.ts";
import type { EntryBody } from "../cases/ledger/ledger.schema.ts";
import { sha256Hex } from "../foundation/records/digest.ts";
import { type CaseFact, type EvidenceFact, SEED } from "./seed.ts";
import { CASE_IDS, emailOf, minutesBefore, toStoryId } from "./story.ts";

/** Builds the cases in order of opening. */
export function buildShowcaseCases(now: Date): WholeCase[] {
  const next = createCounter();
  return SEED.cases.map((story) => buildShowcaseCase(story, now, next));
}

function listTechniques(key: CaseFact["key"]): string[] {
  const alerts = SEED.alerts.filter((alert) => alert.case === key);
  return [...new Set(alerts.flatMap(({ mitre }) => mitre))].toSorted();
}

type Item = "observable" | "evidence" | "comment" | "task";

/** Numbers the items of each kind across all cases. */
function createCounter(): (kind: Item) => string {
  const counts = new Map<Item, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return toStoryId(kind, count);
  };
}

function buildShowcaseCase(story: CaseFact, now: Date, next: (kind: Item) => string): WholeCase {
  const { key, timeline, observables, evidence, comments, tasks, openedMinutesAgo, assignee, ...rest } = story;
  const at = (minutesAgo: number) => minutesBefore(now, minutesAgo);
  const updated_at = at(Math.min(...timeline.map(([minutesAgo]) => minutesAgo)));
  return {
    ...rest,
    id: CASE_IDS[key],
    assignee: emailOf(assignee),
    due_at: null,
    mitre_techniques: listTechniques(key),
    template_id: null,
    merged_into: null,
    tags: [story.severity === "low" ? "noise" : "intrusion"],
    closed_at: story.status === "closed" ? updated_at : null,
    created_at: at(openedMinutesAgo),
    updated_at,
    timeline: timeline.map(([minutesAgo, agent, action]) => ({ agent, action, timestamp: at(minutesAgo) })),
    observables: observables.map(([minutesAgo, type, value, source, tags]) => {
      return {
        id: next("observable"),
        type,
        value,
        source,
        tags,
        context: {},
        created_at: at(minutesAgo),
        edited_at: null,
      };
    }),
    evidence: evidence.map((each) => buildShowcaseEvidence(each, next("evidence"), at)),
    comments: comments.map(([minutesAgo, author, body]) => {
      return { id: next("comment"), author, body, created_at: at(minutesAgo), edited_at: null };
    }),
    tasks: tasks.map(([minutesAgo, title, status, to]) => {
      const created_at = at(minutesAgo);
      return {
        id: next("task"),
        title,
        status,
        assignee: emailOf(to),
        position: null,
        created_at,
        updated_at: created_at,
      };
    }),
  };
}

function buildShowcaseEvidence(
  { custody, ...rest }: EvidenceFact,
  id: string,
  at: (minutesAgo: number) => Date,
): Evidence {
  const { name, location } = rest;
  const custody_entries = custody.map(([minutesAgo, actor, action, notes]) => {
    const recorded_at = at(minutesAgo);
    const shown = { action, location, notes, actor, timestamp: recorded_at.toISOString() };
    return { ...shown, recorded_by: actor, recorded_at };
  });
  return {
    ...rest,
    id,
    registered_in: null,
    storage_url: `https://evidence.manara.example/${id}`,
    // The file does not exist, so the hash of its name replaces that of its content.
    sha256: sha256Hex(name),
    created_at: at(custody[0]?.[0] ?? 0),
    custody_entries,
    custody_total: custody_entries.length,
  };
}

/** Builds the ledger entries of the cases' evidence as the platform would have written them. */
export function buildShowcaseLedger(cases: readonly WholeCase[]): EntryBody[] {
  return cases.flatMap(buildChain);
}

function buildChain({ id: case_id, evidence }: WholeCase): EntryBody[] {
  const facts = evidence.flatMap(buildLedgerFacts).toSorted((a, b) => a.at.localeCompare(b.at));
  const chain: EntryBody[] = [];
  for (const fact of facts) chain.push(nextEntry(chain.at(-1), { case_id, ...fact }));
  return chain;
}

function buildLedgerFacts(evidence: Evidence) {
  const { id: evidence_id, created_at, custody_entries, custody_total: _, registered_in: __, ...described } = evidence;
  const [first, ...later] = custody_entries.map(({ recorded_by: actor, recorded_at, action, location, notes }) => {
    return { actor, at: recorded_at.toISOString(), custody: { action, location, notes } };
  });
  if (!first) return [];
  const registered = { evidence_id, ...described, custody_entries: [first.custody] };
  return [
    { kind: "evidence.registered", actor: first.actor, at: created_at.toISOString(), body: registered },
    ...later.map(({ actor, at, custody }) => ({
      kind: "custody.recorded",
      actor,
      at,
      body: { evidence_id, ...custody },
    })),
  ];
}
