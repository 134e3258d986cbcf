import type { Client } from "pg";

export interface Amounts {
  alerts: number;
  cases: number;
  /** The time range of the records. */
  days?: number;
}

/** A case with thousands of comments, tasks and other entries. */
export const HUGE_CASE = "00000000-0000-7000-8000-00000000cafe";

/** The data of a busy platform: few sources, hosts, users and rules have most alerts, and open records are recent. */
export async function seed(client: Client, { alerts, cases, days = 400 }: Amounts): Promise<void> {
  // Deterministic, so that every run has the same data.
  await client.query("SELECT setseed(0.42)");
  for (const statement of HELPERS) await client.query(statement);
  // An index that is built at the end costs a fraction of one that grows with each row.
  const { rows } = await client.query<{ name: string; definition: string }>(PLAIN_INDEXES);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  for (const statement of [
    buildCasesInsert(cases, days),
    ...CASE_ITEMS,
    buildAlertsInsert(alerts, cases, days),
    ...AROUND_ALERTS,
  ]) {
    await client.query(statement);
  }
  for (const { definition } of rows) await client.query(definition);
  for (const statement of HUGE) await client.query(statement);
  await client.query("VACUUM ANALYZE");
}

const FILLED = "{alerts,cases,case_timeline,case_comments,case_tasks,case_observables,case_evidence,audit_log}";
const PLAIN_INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
  WHERE NOT indisunique AND indrelid = ANY ('${FILLED}'::regclass[])`;

const HELPERS = [
  "SET synchronous_commit = off",
  "SET maintenance_work_mem = '512MB'",
  `CREATE FUNCTION pg_temp.id_at(at timestamptz, salt text) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
      || '7' || substr(md5(salt), 1, 3) || '8' || substr(md5(salt), 4, 15))::uuid`,
  `CREATE FUNCTION pg_temp.word(words text[], share double precision) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN words[1 + floor(share * array_length(words, 1))::int]`,
  `CREATE FUNCTION pg_temp.severity(chance double precision) RETURNS alert_severity LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN chance < 0.03 THEN 'critical'::alert_severity WHEN chance < 0.13 THEN 'high' WHEN chance < 0.35 THEN 'medium'
      WHEN chance < 0.65 THEN 'low' ELSE 'info' END`,
];

/** Times spread evenly over the last days, with millisecond precision. */
function buildTimes(count: number, days: number): string {
  return `SELECT number,
      date_trunc('milliseconds', now() - interval '${days} days' * (1 - number::float8 / ${count})) AS at
    FROM generate_series(1, ${count}) AS number`;
}

function buildCasesInsert(count: number, days: number): string {
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
      FROM (${buildTimes(count, days)}) AS timed OFFSET 0
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
const TECHNIQUES = "{T1059.001,T1059.003,T1078,T1110,T1021.002,T1003.001,T1566.001,T1547.001,T1486,T1048}";

/** The entities, keys and names as the service derives them: see toFilterKeys and toNames. */
const DERIVED = `
  jsonb_build_object('is_complete', true,
    'hosts', jsonb_build_array(jsonb_build_object('name', host, 'full_name', host, 'count', 1)),
    'users', CASE WHEN person IS NULL THEN '[]'::jsonb
      ELSE jsonb_build_array(jsonb_build_object('name', person, 'full_name', person, 'count', 1)) END,
    'addresses', CASE WHEN address IS NULL THEN '[]'::jsonb
      ELSE jsonb_build_array(jsonb_build_object('name', address, 'full_name', address, 'count', 1)) END),
  array_remove(ARRAY['host:' || host, 'user:' || person, 'rule:' || rule, 'site:' || place, 'tag:' || tag,
    'technique:' || technique,
    CASE WHEN technique LIKE '%.%' THEN 'technique:' || split_part(technique, '.', 1) END], NULL),
  concat_ws(' ', host, person)`;

function buildAlertsInsert(count: number, cases: number, days: number): string {
  return `
    INSERT INTO alerts (id, fingerprint, title, description, source, severity, reported_severity, status, iocs,
      occurrence_count, first_seen, last_seen, reopened_count, case_id, rule_id, log_ids, mitre_techniques, host, "user", site,
      risk_score, assignee, acknowledged_at, acknowledged_by, resolved_at, verdict, verdict_at, tags, created_at, updated_at,
      entities, filter_keys, names)
    SELECT pg_temp.id_at(at, 'alert' || number), encode(sha256(number::text::bytea), 'hex'),
      pg_temp.word('${ADJECTIVES}', random() ^ 2) || ' ' || pg_temp.word('${NOUNS}', random() ^ 2) || ' on ' || host || '.'
        || pg_temp.word('{riyadh,jeddah,cairo,amman,doha}', random() ^ 2) || '.example by ' || coalesce(rule, 'a sensor'),
      'Seen ' || number || ' by the sensor; ' || repeat('context follows. ', (random() * 6)::int),
      pg_temp.word('{edr,ids,mail,proxy,dns,cloud,identity,ot}', share_of_source) || '-' || floor(share_of_source * 200),
      severity, severity, status,
      CASE WHEN random() < 0.6 THEN ARRAY['198.51.' || floor(random() ^ 2 * 200) || '.' || floor(random() * 250),
        'host' || floor(random() ^ 2 * 50000) || '.evil.example'] ELSE '{}' END,
      1 + floor(random() ^ 8 * 200)::int, at, least(now(), at + random() ^ 6 * interval '20 days'), 0, case_id, rule,
      ARRAY['log-' || number], ARRAY[technique], host, person, place,
      CASE WHEN random() < 0.9 THEN floor(random() ^ 3 * 100) END,
      CASE WHEN random() < 0.3 OR case_id IS NOT NULL THEN 'analyst-' || floor(random() ^ 2 * 50) END,
      CASE WHEN status <> 'new' THEN at END, CASE WHEN status <> 'new' THEN 'analyst-1' END,
      CASE WHEN status IN ('resolved', 'closed', 'false_positive') THEN at + interval '1 day' END,
      CASE WHEN status = 'false_positive' THEN status WHEN status = 'resolved' THEN 'true_positive' END,
      CASE WHEN status IN ('false_positive', 'resolved') THEN at + interval '1 day' END,
      ARRAY[tag], at, at, ${DERIVED}
    FROM (
      SELECT number, at, random() ^ 3 AS share_of_source, case_id,
        'host-' || floor(random() ^ 2 * 3000) AS host,
        CASE WHEN random() < 0.7 THEN 'user-' || floor(random() ^ 2 * 5000) END AS person,
        CASE WHEN random() < 0.7 THEN 'rule-' || floor(random() ^ 2 * 2000) END AS rule,
        CASE WHEN random() < 0.4 THEN '10.' || floor(random() ^ 3 * 40) || '.7.' || floor(random() * 250) END AS address,
        'site-' || floor(random() * 5) AS place, pg_temp.word('${TECHNIQUES}', random() ^ 2) AS technique,
        pg_temp.word('{auto,auto,auto,vip,night,known,lab,crown-jewel}', random() ^ 2) AS tag,
        pg_temp.severity(random()) AS severity,
        CASE WHEN number > ${count} * 0.98 THEN pg_temp.word('{new,new,new,triaged,investigating,closed}', random())
          WHEN random() < 0.004 THEN 'investigating' WHEN random() < 0.004 THEN 'new'
          WHEN random() < 0.15 THEN 'false_positive' WHEN random() < 0.2 THEN 'resolved' ELSE 'closed' END AS status
      FROM (SELECT *, CASE WHEN number % 5 = 0 THEN 1 + number::bigint * ${cases} / ${count} END AS case_number
        FROM (${buildTimes(count, days)}) AS times) AS timed
      LEFT JOIN (SELECT id AS case_id, row_number() OVER (ORDER BY created_at) AS case_number FROM cases) AS numbered
        USING (case_number) OFFSET 0
    ) AS made ORDER BY number`;
}

/** The related records that the pages of alerts and cases, the activity and the inbox read. */
const AROUND_ALERTS = [
  `INSERT INTO audit_log (id, at, actor, action, subject_type, subject_id, details)
    SELECT pg_temp.id_at(created_at, id || 'entry' || step), created_at + step * interval '1 hour', 'analyst-' || step,
      'alert.updated', 'alert', id, '{"status": {"from": "new", "to": "triaged"}}'
    FROM alerts CROSS JOIN generate_series(1, 2) AS step WHERE status <> 'closed'`,
  `INSERT INTO audit_log (id, at, actor, action, subject_type, subject_id, details)
    SELECT pg_temp.id_at(created_at, id || 'entry'), created_at, 'analyst-1', 'case.created', 'case', id, '{}' FROM cases`,
  `INSERT INTO inbox_items (id, username, kind, subject_type, subject_id, title, actor, at, read_at, cause)
    SELECT pg_temp.id_at(at, 'item' || number), 'admin', pg_temp.word('{assigned,mentioned,waiting,decided,failed,due}', random()),
      'case', 'case-' || number, 'Case ' || number, 'analyst-1', at, CASE WHEN random() < 0.8 THEN at END, 'cause-' || number
    FROM (${buildTimes(1000, 30)}) AS timed WHERE EXISTS (SELECT FROM users WHERE username = 'admin')`,
  `INSERT INTO iocs (id, type, value, confidence, severity, source, tags, tlp, first_seen, last_seen, searched_at, created_at,
      updated_at)
    SELECT md5(number::text)::uuid, 'domain', 'host' || number || '.evil.example', 80, 'high', 'feed', '{}', 'amber',
      now(), now(), now(), now(), now()
    FROM generate_series(0, 20000) AS number`,
  `INSERT INTO edr_endpoints (id, hostname, ip, risk, desired, reported, last_seen, registered_at)
    SELECT md5(number::text)::uuid, 'host-' || number || '.riyadh.example', '10.0.' || number / 250 || '.' || number % 250, 10,
      'normal', 'normal', now(), now()
    FROM generate_series(0, 2999) AS number`,
];

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
