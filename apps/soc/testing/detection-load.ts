import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import type pg from "pg";
import type { Log } from "../src/siem/log.ts";
import type { LogStore } from "../src/siem/log-store.ts";
import { sampleLog } from "./log-engine.ts";

const clock = createClock();
const ids = createIds(clock);
const INSERT_MS = 200;
const INSERT_TRIES = 50;
/** One of so many logs is one that a rule looks for. */
const NEEDLE_EVERY = 250;

/** Rules of a single event, each of which looks for a word of its own. */
export async function insertRules(owner: pg.Client, count: number, options: { isScheduled: boolean }): Promise<void> {
  await owner.query(
    `INSERT INTO detection_rules (id, name, description, enabled, type, query, threshold, source, host, match_severity,
       alert_severity, alert_title_template, alert_description_template, auto_create_case, schedule_enabled,
       schedule_interval_minutes, mitre_techniques, sharing_mode, shared_with_roles, tags, sigma, sigma_yaml, overlay,
       version, created_by, created_at, updated_at)
     SELECT gen_random_uuid(), 'rule ' || n, '', true, 'query', 'message:*needle' || n || 'x*', NULL, NULL, NULL, NULL,
       'high', '{rule_name}', '{message}', false, $2, 1, '{}', 'team', '{}', '{}', NULL, NULL, '{}', 1, 'test',
       clock_timestamp(), clock_timestamp()
     FROM generate_series(0, $1 - 1) AS n`,
    [count, options.isScheduled],
  );
}

function logAt(n: number, at: string, rules: number): Log {
  const needle = n % NEEDLE_EVERY === 0 ? ` needle${(n / NEEDLE_EVERY) % rules}x` : "";
  return sampleLog({
    id: ids.next(),
    timestamp: at,
    ingested_at: at,
    source: ["windows", "linux", "firewall", "proxy"][n % 4] ?? "",
    host: `host${n % 400}`,
    event_code: String(4600 + (n % 40)),
    user: `user${(n * 7919) % 3000}`,
    message: `Logon ${n % 9 === 0 ? "FAILED" : "succeeded"} for user${(n * 7919) % 3000} on host${n % 400}${needle}`,
    raw: JSON.stringify({ EventID: 4600 + (n % 40), text: "x".repeat(400) }),
    attributes: { pid: n % 30_000, exe: `C:\\Program Files\\app${n % 60}.exe`, logon: { type: n % 10 } },
  });
}

export interface Load {
  /** Logs that a rule looks for, by their ids, with the time at which they were stored. */
  needles: ReadonlyMap<string, string>;
  stored(): number;
  stop(): Promise<void>;
}

/** Stores logs at a steady rate, and tells its watermark as a writer does. */
export function startLoad(store: LogStore, owner: pg.Client, rules: number, eventsPerSecond: number): Load {
  const needles = new Map<string, string>();
  const closing = new AbortController();
  let stored = 0;

  async function publish(watermark: Date): Promise<void> {
    await owner.query(
      `INSERT INTO log_writers (writer, watermark, seen_at) VALUES ('load', $1, now())
       ON CONFLICT (writer) DO UPDATE SET watermark = excluded.watermark, seen_at = now()`,
      [watermark],
    );
  }

  /** As the intake does: under one token, until the engine is back from whatever ended it. */
  async function insertPatiently(batch: readonly Log[]): Promise<void> {
    const token = ids.next();
    for (let tries = 1; ; tries += 1) {
      try {
        return await store.insert(batch, { token });
      } catch (error) {
        if (tries >= INSERT_TRIES) throw error;
        await clock.sleep(INSERT_MS);
      }
    }
  }

  async function feed(): Promise<void> {
    const beganMs = clock.monotonicMs();
    while (!closing.signal.aborted) {
      const due = Math.floor(((clock.monotonicMs() - beganMs) / 1000) * eventsPerSecond);
      const at = clock.now();
      const batch = Array.from({ length: due - stored }, (_, n) => logAt(stored + n, at.toISOString(), rules));
      if (batch.length > 0) await insertPatiently(batch);
      for (const { id, message, ingested_at } of batch) if (message.includes("needle")) needles.set(id, ingested_at);
      stored = due;
      await publish(new Date(at.getTime() + 1));
      await clock.sleep(INSERT_MS, closing.signal).catch(() => undefined);
    }
    // Nobody writes any more: everything that is stored is below the watermark.
    await publish(new Date(clock.now().getTime() + 1));
  }

  const feeding = feed();
  return {
    needles,
    stored: () => stored,
    async stop() {
      closing.abort();
      await feeding;
    },
  };
}

/** Writers that have nothing to write go on telling how far they are. */
export async function publishNow(owner: pg.Client): Promise<void> {
  await owner.query("UPDATE log_writers SET watermark = greatest(watermark, clock_timestamp()), seen_at = now()");
}
