import type { TestDatabase } from "./database.ts";

/** Each query returns descriptions of partially stored changes; none on a consistent database. */
const QUESTIONS = [
  `SELECT 'alert ' || id || ' was counted ' || occurrence_count || ' times, but audited ' || coalesce(audited, 0) || ' times'
   FROM alerts LEFT JOIN (
     SELECT subject_id, count(*) AS audited, count(*) FILTER (WHERE action = 'alert.created') AS created
     FROM audit_log WHERE action IN ('alert.created', 'alert.repeated') GROUP BY subject_id
   ) AS entries ON subject_id = id::text
   WHERE audited IS DISTINCT FROM occurrence_count OR created IS DISTINCT FROM 1`,

  `SELECT 'alert ' || id || ' is assigned to ' || assignee || ', but no audit entry says so'
   FROM alerts WHERE assignee IS DISTINCT FROM (
     SELECT details->>'assignee' FROM audit_log
     WHERE subject_id = alerts.id::text AND action = 'alert.updated' ORDER BY at DESC, id DESC LIMIT 1
   )`,

  `SELECT 'entry ' || id || ' is about ' || subject_type || ' ' || subject_id || ', which does not exist'
   FROM audit_log WHERE subject_type IN ('alert', 'case', 'evidence', 'comment') AND subject_id NOT IN (
     SELECT id::text FROM alerts UNION ALL SELECT id::text FROM cases
     UNION ALL SELECT id::text FROM case_evidence UNION ALL SELECT id::text FROM case_comments
   )`,

  `SELECT 'case ' || id || ' does not have exactly one audit entry' FROM cases
   WHERE (SELECT count(*) FROM audit_log WHERE subject_id = cases.id::text AND action = 'case.created') <> 1`,

  `SELECT 'comment ' || id || ' does not have exactly one audit entry' FROM case_comments
   WHERE (SELECT count(*) FROM audit_log WHERE subject_id = case_comments.id::text AND action = 'comment.created') <> 1`,

  `SELECT 'evidence ' || id || ' does not have exactly one audit entry' FROM case_evidence
   WHERE (SELECT count(*) FROM audit_log WHERE subject_id = case_evidence.id::text AND action = 'evidence.registered') <> 1`,

  `SELECT 'the timeline of case ' || id || ' differs from the audit entries' FROM cases
   WHERE (SELECT count(*) FROM case_timeline WHERE case_id = cases.id) <>
     (SELECT count(*) FROM audit_log WHERE cases.id::text IN (subject_id, details->>'case_id'))`,

  `SELECT 'entries and events differ: ' || coalesce(entries.action, events.type) || ' ' || coalesce(entries.subject_id, events.subject_id)
   FROM (SELECT action, subject_id, details, count(*) FROM audit_log GROUP BY 1, 2, 3) AS entries
   FULL JOIN (SELECT type, subject_id, data, count(*) FROM outbox GROUP BY 1, 2, 3) AS events
     ON type = action AND events.subject_id = entries.subject_id AND data = details AND events.count = entries.count
   WHERE action IS NULL OR type IS NULL`,

  `SELECT 'evidence and ledger differ: ' || coalesce(id::text, evidence_id)
   FROM case_evidence FULL JOIN (
     SELECT case_id, body->>'evidence_id' AS evidence_id FROM ledger_entries WHERE kind = 'evidence.registered'
   ) AS entries ON evidence_id = id::text AND entries.case_id = case_evidence.case_id
   WHERE id IS NULL OR evidence_id IS NULL`,

  `SELECT 'entry ' || sequence || ' of the ledger of case ' || case_id || ' does not follow the one before'
   FROM (
     SELECT *, lag(entry_hash, 1, repeat('0', 64)) OVER chain AS expected_hash, row_number() OVER chain AS expected
     FROM ledger_entries WINDOW chain AS (PARTITION BY case_id ORDER BY sequence)
   ) AS links
   WHERE sequence <> expected OR previous_hash <> expected_hash`,

  `SELECT 'entry ' || sequence || ' of the ledger of case ' || case_id || ' is not once in the tree or waiting for it'
   FROM ledger_entries AS entries
   WHERE (SELECT count(*) FROM ledger_leaves AS leaves
     WHERE leaves.case_id = entries.case_id AND leaves.sequence = entries.sequence) +
     (SELECT count(*) FROM ledger_waiting AS waiting
     WHERE waiting.case_id = entries.case_id AND waiting.sequence = entries.sequence) <> 1`,
];

/** Searches the database directly for partially stored changes. */
export async function findPartialWrites(database: TestDatabase): Promise<string[]> {
  const found: string[] = [];
  for (const question of QUESTIONS) found.push(...(await database.ask(question)));
  return found;
}
