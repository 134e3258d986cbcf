import type { Client } from "pg";

export interface Amounts {
  alerts: number;
  cases: number;
}

/** A case with thousands of comments, tasks and other entries. */
export const HUGE_CASE = "00000000-0000-7000-8000-00000000cafe";

/** The data of a busy platform after 400 days: few sources report most alerts, and open records are recent. */
export async function seed(client: Client, { alerts, cases }: Amounts): Promise<void> {
  // Deterministic, so that every run has the same data.
  await client.query("SELECT setseed(0.42)");
  for (const statement of [
    ...HELPERS,
    buildCasesInsert(cases),
    ...CASE_ITEMS,
    buildAlertsInsert(alerts, cases),
    ...HUGE,
  ]) {
    await client.query(statement);
  }
  await client.query("VACUUM ANALYZE");
}

const HELPERS = [
  "SET synchronous_commit = off",
  `CREATE FUNCTION pg_temp.id_at(at timestamptz, salt text) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
      || '7' || substr(md5(salt), 1, 3) || '8' || substr(md5(salt), 4, 15))::uuid`,
  `CREATE FUNCTION pg_temp.word(words text[], share double precision) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN words[1 + floor(share * array_length(words, 1))::int]`,
];

/** Times spread evenly over the last 400 days, with millisecond precision. */
function buildTimes(count: number): string {
  return `SELECT number,
      date_trunc('milliseconds', now() - interval '400 days' * (1 - number::float8 / ${count})) AS at
    FROM generate_series(1, ${count}) AS number`;
}

function buildCasesInsert(count: number): string {
  return `
    INSERT INTO cases (id, title, description, severity, status, assignee, requires_human_approval, due_at, closed_at,
      created_at, updated_at)
    SELECT pg_temp.id_at(at, 'case' || number),
      pg_temp.word('{Credential,Ransomware,Phishing,Malware,Lateral,Exfiltration,Insider,Cloud,Firmware}', random() ^ 2)
        || ' ' || pg_temp.word('{intrusion,outbreak,campaign,movement,misuse,anomaly,compromise,theft}', random() ^ 2)
        || ' at ' || pg_temp.word('{Riyadh,Jeddah,Cairo,Amman,Doha,Muscat,Tunis,Rabat}', random()) || ' ' || number,
      'Reported by ' || pg_temp.word('{sensor,analyst,partner,customer,rule}', random())
        || ' on host-' || floor(random() ^ 2 * 3000) || '; ' || repeat('needs a second look. ', (random() * 5)::int),
      (CASE WHEN chance < 0.05 THEN 'critical' WHEN chance < 0.2 THEN 'high' WHEN chance < 0.6 THEN 'medium'
        WHEN chance < 0.9 THEN 'low' ELSE 'info' END)::case_severity,
      status, CASE WHEN random() < 0.8 THEN 'analyst-' || floor(random() ^ 2 * 50) END, random() < 0.02,
      CASE WHEN random() < 0.3 THEN at + interval '3 days' END,
      CASE WHEN status = 'closed' THEN at + interval '2 days' END, at, at + random() * interval '2 days'
    FROM (
      SELECT number, at, random() AS chance,
        CASE WHEN number > ${count} * 0.97
          THEN pg_temp.word('{open,open,investigating,pending_approval,contained}', random())
          WHEN random() < 0.01 THEN 'open' WHEN random() < 0.1 THEN 'resolved' ELSE 'closed' END AS status
      FROM (${buildTimes(count)}) AS timed OFFSET 0
    ) AS made ORDER BY number`;
}

const CASE_ITEMS = [
  `INSERT INTO case_timeline (case_id, agent, action, timestamp)
    SELECT id, 'analyst-' || floor(random() * 50), 'status changed', created_at + step * interval '1 hour'
    FROM cases CROSS JOIN generate_series(1, 5) AS step`,
  `INSERT INTO case_comments (id, case_id, author, body, created_at)
    SELECT pg_temp.id_at(created_at, id || 'comment' || step), id, 'analyst-' || floor(random() * 50),
      repeat('looked at the host. ', 1 + (random() * 10)::int), created_at
    FROM cases CROSS JOIN generate_series(1, 2) AS step`,
  `INSERT INTO case_tasks (id, case_id, title, status, created_at, updated_at)
    SELECT pg_temp.id_at(created_at, id || 'task' || step), id, 'Collect logs', 'done', created_at, created_at
    FROM cases CROSS JOIN generate_series(1, 2) AS step`,
  `INSERT INTO case_observables (id, case_id, type, value, source, tags, context, created_at)
    SELECT pg_temp.id_at(created_at, id || 'observable' || step), id, 'ip', format('198.51.%s.%s', 99 + step, floor(random() * 250)),
      'edr', '{seen}', '{"port": 443}', created_at
    FROM cases CROSS JOIN generate_series(1, 2) AS step`,
  `INSERT INTO case_evidence (id, case_id, name, evidence_type, sha256, location, created_at)
    SELECT pg_temp.id_at(created_at, id || 'evidence'), id, 'memory image', 'file', repeat('ab', 32), 'safe', created_at
    FROM cases`,
  `INSERT INTO case_custody (evidence_id, actor, action, location, timestamp)
    SELECT id, 'analyst-1', 'collected', 'safe', created_at FROM case_evidence CROSS JOIN generate_series(1, 2)`,
];

const ADJECTIVES = "{Suspicious,Possible,Repeated,Unusual,Blocked,Failed,New,Anomalous,Malicious,Unsigned}";
const NOUNS = `{login,PowerShell,DNS,process,download,beacon,service installed,scan,registry change,macro,driver,
  token theft,ransomware,exfiltration,kerberoasting}`;

function buildAlertsInsert(count: number, cases: number): string {
  return `
    INSERT INTO alerts (id, fingerprint, title, description, source, severity, status, iocs, occurrence_count,
      first_seen, last_seen, reopened_count, case_id, rule_id, log_ids, mitre_techniques, host, "user", site, risk_score,
      assignee, acknowledged_at, acknowledged_by, resolved_at, verdict, verdict_at, tags, created_at, updated_at)
    SELECT pg_temp.id_at(at, 'alert' || number), encode(sha256(number::text::bytea), 'hex'),
      pg_temp.word('${ADJECTIVES}', random() ^ 2) || ' ' || pg_temp.word('${NOUNS}', random() ^ 2) || ' on ' || host || '.'
        || pg_temp.word('{riyadh,jeddah,cairo,amman,doha}', random() ^ 2) || '.example by rule '
        || floor(random() ^ 2 * 2000),
      'Seen ' || number || ' by the sensor; ' || repeat('context follows. ', (random() * 6)::int),
      pg_temp.word('{edr,ids,mail,proxy,dns,cloud,identity,ot}', share_of_source) || '-' || floor(share_of_source * 200),
      (CASE WHEN chance < 0.03 THEN 'critical' WHEN chance < 0.13 THEN 'high' WHEN chance < 0.35 THEN 'medium'
        WHEN chance < 0.65 THEN 'low' ELSE 'info' END)::alert_severity,
      status,
      CASE WHEN random() < 0.6 THEN ARRAY['198.51.' || floor(random() ^ 2 * 200) || '.' || floor(random() * 250),
        'host' || floor(random() ^ 2 * 50000) || '.evil.example'] ELSE '{}' END,
      1 + floor(random() ^ 8 * 200)::int, at, at + random() ^ 6 * interval '20 days', 0, case_id,
      CASE WHEN random() < 0.7 THEN 'rule-' || floor(random() ^ 2 * 2000) END, ARRAY['log-' || number], '{T1059}', host,
      CASE WHEN random() < 0.7 THEN 'user-' || floor(random() ^ 2 * 5000) END, 'site-' || floor(random() * 5),
      floor(random() * 100),
      CASE WHEN random() < 0.3 OR case_id IS NOT NULL THEN 'analyst-' || floor(random() ^ 2 * 50) END,
      CASE WHEN status <> 'new' THEN at END, CASE WHEN status <> 'new' THEN 'analyst-1' END,
      CASE WHEN status IN ('resolved', 'closed', 'false_positive') THEN at + interval '1 day' END,
      CASE WHEN status = 'false_positive' THEN status END, CASE WHEN status = 'false_positive' THEN at + interval '1 day' END,
      '{auto}', at, at
    FROM (
      SELECT number, at, random() AS chance, random() ^ 3 AS share_of_source,
        'host-' || floor(random() ^ 2 * 3000) AS host, case_id,
        CASE WHEN number > ${count} * 0.98 THEN pg_temp.word('{new,new,new,triaged,investigating,closed}', random())
          WHEN random() < 0.004 THEN 'investigating' WHEN random() < 0.004 THEN 'new'
          WHEN random() < 0.15 THEN 'false_positive' WHEN random() < 0.2 THEN 'resolved' ELSE 'closed' END AS status
      FROM (SELECT *, CASE WHEN number % 5 = 0 THEN 1 + number::bigint * ${cases} / ${count} END AS case_number
        FROM (${buildTimes(count)}) AS times) AS timed
      LEFT JOIN (SELECT id AS case_id, row_number() OVER (ORDER BY created_at) AS case_number FROM cases) AS numbered
        USING (case_number) OFFSET 0
    ) AS made ORDER BY number`;
}

const HUGE = [
  `INSERT INTO cases (id, title, description, severity, status, requires_human_approval, created_at, updated_at)
    VALUES ('${HUGE_CASE}', 'The long one', '', 'critical', 'investigating', false, now(), now())`,
  `INSERT INTO case_timeline (case_id, agent, action, timestamp)
    SELECT '${HUGE_CASE}', 'analyst-1', 'entry ' || step, now() FROM generate_series(1, 5000) AS step`,
  `INSERT INTO case_comments (id, case_id, author, body, created_at)
    SELECT pg_temp.id_at(now(), 'huge' || step), '${HUGE_CASE}', 'analyst-1', repeat('long comment. ', 50), now()
    FROM generate_series(1, 500) AS step`,
  `UPDATE alerts SET case_id = '${HUGE_CASE}'
    WHERE id IN (SELECT id FROM alerts WHERE case_id IS NULL ORDER BY created_at DESC LIMIT 1000)`,
];
