import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { createSweeper } from "../../boot/lifecycle.ts";
import { createDetections } from "../module.ts";

let platform: TestPlatform;
let owner: pg.Client;

beforeAll(async () => {
  platform = await testPlatform("real");
  owner = new pg.Client(platform.url);
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await platform.close();
});

it("deletes all expired runs, matches and counts in one round, and no others", async () => {
  const rows = (expired: string, kept: string) =>
    `(SELECT now() - CASE WHEN n > 5 THEN interval '${expired}' ELSE interval '${kept}' END AS at, n
      FROM generate_series(1, 25000) AS n) AS given`;
  await owner.query(`
    INSERT INTO detection_runs SELECT gen_random_uuid(), gen_random_uuid(), 1, 'scheduled', 'completed',
      at - interval '1 minute', at, at, at, 0, 0, 0, '{}', '{}', NULL FROM ${rows("31 days", "29 days")};
    INSERT INTO detection_matches (id, rule_id, log_id, rule_version, log_ingested_at, matched_at)
      SELECT gen_random_uuid(), gen_random_uuid(), n::text, 1, at, at FROM ${rows("91 days", "89 days")};
    INSERT INTO detection_counts (rule_id, hour, runs) SELECT gen_random_uuid(), at, 1 FROM ${rows("91 days", "89 days")}`);
  const absent = () => Promise.reject(new Error("is not part of this test"));
  const {
    registrations: { sweeps },
  } = createDetections(platform, {
    holdChange: undefined,
    logStore: absentLogStore(),
    alerts: { create: absent, promote: absent, lockRepeated: absent },
    iocs: { findIn: absent },
  });
  const { clock } = platform;
  // The waits before the first round and between pieces are skipped; the wait for the second round is not.
  const sleep = (ms: number, signal?: AbortSignal) => clock.sleep(ms < 100_000 ? 0 : ms, signal);
  const sweeper = createSweeper({ sweeps, clock: { sleep }, ids: createIds(clock), log: silentLog });
  await sweeper.start();
  const count = async () => {
    const { rows: counted } = await owner.query(`SELECT (SELECT count(*)::int FROM detection_runs) AS runs,
      (SELECT count(*)::int FROM detection_matches) AS matches, (SELECT count(*)::int FROM detection_counts) AS counts`);
    return counted;
  };
  await expect.poll(count, { timeout: 60_000 }).toEqual([{ runs: 5, matches: 5, counts: 5 }]);
  await sweeper.close();
});
