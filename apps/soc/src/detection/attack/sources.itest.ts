import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";

it("lists the sources of the rules, silent ones first, then those that never sent", async () => {
  const platform = await testPlatform("real");
  const owner = new pg.Client(platform.url);
  await owner.connect();
  onTestFinished(async () => {
    await owner.end();
    await platform.close();
  });
  const { app } = await detectionsPlatform(platform, absentLogStore());
  await owner.query(
    `INSERT INTO log_sources (source, received, stored, rejected, late, last_seen, silent_since) VALUES
      ('edr', 1, 1, 0, 0, '2026-11-01T10:00:00Z', '2026-11-01T10:00:00Z'),
      ('dns', 1, 1, 0, 0, '2026-11-02T10:00:00Z', NULL), ('unused', 1, 1, 0, 0, '2026-11-02T10:00:00Z', NULL)`,
  );
  for (const [name, source] of Object.entries({ one: "dns", two: "dns", three: "edr", four: "proxy", five: null })) {
    const payload = { name, query: "x", source, tags: source === "dns" ? ["names"] : [] };
    const made = await app.inject({ method: "POST", url: "/api/v1/detections/rules", payload });
    expect(made.statusCode, made.body).toBe(201);
  }
  const read = async (query: string) => (await app.inject(`/api/v1/detections/coverage${query}`)).json().sources;
  const dns = {
    ...{ source: "dns", rule_count: 2, state: "sending" },
    ...{ last_seen: "2026-11-02T10:00:00.000Z", silent_since: null },
  };
  expect(await read("")).toEqual([
    {
      ...{ source: "edr", rule_count: 1, state: "silent" },
      ...{ last_seen: "2026-11-01T10:00:00.000Z", silent_since: "2026-11-01T10:00:00.000Z" },
    },
    { source: "proxy", rule_count: 1, state: "unseen", last_seen: null, silent_since: null },
    dns,
  ]);
  expect(await read("?tag=names")).toEqual([dns]);
});
