import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { buildAlert, type NewAlert } from "../../src/alerts/alerts/alert.ts";
import { createAlertChanges } from "../../src/alerts/alerts/alert-changes.ts";
import { createAlertsService } from "../../src/alerts/alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "../../src/alerts/alerts/alerts.store.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import type { Caller } from "../../src/foundation/caller/caller.ts";
import { createChangesService } from "../../src/foundation/runtime/changes.service.ts";
import { createRuntimeService } from "../../src/foundation/runtime/runtime.service.ts";
import { compileAlertQuery } from "../../src/logs/query/alert-query.ts";
import { time } from "./figures.ts";

const SENSOR: Caller = { kind: "api_key", username: "sensor", role: "agent" };
const clock = createClock();
const ids = createIds(clock);

export interface Creates {
  /** The time of each create, through the service and with the bare driver. */
  service: number[];
  bare: number[];
}

/** Creates alerts through the service and with the bare driver, alternating, so that other load affects both. */
export async function measureCreates(url: string, turns: number, perRound: number): Promise<Creates> {
  const service = startService(url);
  // The same settings as the service's pool.
  const pool = new pg.Pool({ connectionString: url, max: 10, query_timeout: 1500, options: "-c role=soc_app" });
  const waits: Creates = { service: [], bare: [] };
  for (let round = 0; round <= turns; round += 1) {
    const reports = Array.from({ length: perRound * 2 }, buildReport);
    const [ours, theirs] = [reports.slice(0, perRound), reports.slice(perRound)];
    const byService = () =>
      time(
        clock,
        ours.map((report) => () => service.create(report)),
      );
    const byDriver = () =>
      time(
        clock,
        theirs.map((report) => () => createBare(pool, report)),
      );
    const isServiceFirst = round % 2 === 0;
    const first = await (isServiceFirst ? byService() : byDriver());
    const second = await (isServiceFirst ? byDriver() : byService());
    // The first round is a warm-up.
    if (round === 0) continue;
    waits.service.push(...(isServiceFirst ? first : second));
    waits.bare.push(...(isServiceFirst ? second : first));
  }
  await pool.end();
  await service.close();
  return waits;
}

function buildReport(): NewAlert {
  const name = ids.next();
  return {
    title: `Suspicious login on host-${name.slice(-3)}.riyadh.example by rule ${name.slice(-5)}`,
    description: "Seen by the sensor; context follows.",
    source: "edr-7",
    severity: "high",
    iocs: ["198.51.100.7", `${name}.evil.example`],
    log_ids: [`log-${name}`],
    mitre_techniques: ["T1059"],
    host: `host-${name.slice(-3)}`,
    user: "user-17",
    site: "site-1",
    risk_score: 70,
    tags: ["auto"],
  };
}

function startService(url: string) {
  const migrationsFolder = `${import.meta.dirname}/../../src/migrations`;
  const onFirstAnswer = async () => undefined;
  const database = createDatabase({ url, migrationsFolder, clock, log: silentLog, onFirstAnswer });
  const runtime = createRuntimeService({ mode: "real", database });
  const audit = createAuditStore(ids);
  const alerts = createAlertsService({
    runtime,
    stores: { database: createAlertsStore(database.db), showcase: createShowcaseAlertsStore([]) },
    compileQuery: compileAlertQuery,
    changes: createAlertChanges({ audit, clock }),
    cases: { open: noCase, find: noCase, note: noCase },
    audit,
    clock,
    ids,
  });
  const changes = createChangesService({ runtime, db: database.db });
  return {
    create: (report: NewAlert) => changes.runAs(SENSOR, "finding", (tx) => alerts.create(tx, SENSOR, report)),
    close: () => database.close(),
  };
}

async function noCase(): Promise<never> {
  throw new Error("unexpected case");
}

/** The direct approach: the three rows of an alert in one transaction. */
async function createBare(pool: pg.Pool, report: NewAlert): Promise<void> {
  const row = buildAlert(report, ids.next(), clock.now());
  const { title, source, severity, status, occurrence_count, reopened_count } = row;
  const details = JSON.stringify({ title, source, severity, status, occurrence_count, reopened_count });
  const columns = Object.keys(row);
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(
      `INSERT INTO alerts (${columns.map((name) => `"${name}"`).join(", ")})
        VALUES (${columns.map((_, at) => `$${at + 1}`).join(", ")})`,
      Object.values(row),
    );
    await client.query(
      `INSERT INTO audit_log (id, actor, action, subject_type, subject_id, details) VALUES ($1, $2, $3, $4, $5, $6)`,
      [ids.next(), SENSOR.username, "alert.created", "alert", row.id, details],
    );
    await client.query(`INSERT INTO outbox (type, subject_id, data) VALUES ($1, $2, $3)`, [
      "alert.created",
      row.id,
      details,
    ]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}
