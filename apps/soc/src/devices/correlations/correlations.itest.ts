import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasLabelledAlerts, measurePairs, readLabelledAlerts } from "../../../testing/fixtures/labelled-alerts.ts";
import { realPlatform } from "../../../testing/harness/whole-platform.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { DevicesService } from "../registry/devices.service.ts";
import type { RatedRecord } from "./correlation.ts";
import { createCorrelationsStore } from "./correlations.store.ts";
import { consumeRecords, createCorrelating } from "./correlations.worker.ts";

const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const DEVICE = "0197f000-0000-7000-8000-00000000de01";
const NOON = Date.UTC(2026, 10, 16, 12);

let folder: string;
let opened: Awaited<ReturnType<typeof realPlatform>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soc-"));
  opened = await realPlatform((await freshDatabase()).url, folder, absentLogStore());
  await opened.base.runtime.truth();
});
afterAll(async () => {
  await opened.platform.services.outbox.close();
  await opened.database.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await sql`DELETE FROM correlations`.execute(opened.base.db);
  await sql`DELETE FROM correlation_entities`.execute(opened.base.db);
});

const { transaction } = { transaction: () => opened.base.db.transaction() };
const store = () => createCorrelationsStore(opened.base.db);
const consider = (record: RatedRecord) =>
  transaction().execute((tx) => opened.platform.services.correlations.consider(tx, record));

let made = 0;
function record(minutes: number, host: string, fields: Partial<RatedRecord> = {}): RatedRecord {
  made += 1;
  const id = `0197f000-0000-7000-8000-${made.toString(16).padStart(12, "0")}`;
  const at = new Date(NOON + minutes * 60_000);
  return { kind: "alert", id, at, severity: "medium", entities: [{ kind: "host", value: host }], ...fields };
}

async function report(fields: object) {
  made += 1;
  const complete = { title: `Finding ${made}`, source: "edr", severity: "high", ...fields };
  return (await transaction().execute((tx) => opened.platform.services.alerts.create(tx, ADMIN, complete as never)))
    .alert;
}

describe("correlation of records", () => {
  it("opens a group for two related records and ignores a repeat", async () => {
    const [first, second] = [record(0, "ws-7"), record(4, "ws-7", { severity: "high" })];
    expect(await consider(first)).toBeUndefined();
    const id = await consider(second);
    const found = await store().find(id ?? "");
    expect(found).toMatchObject({
      ...{ severity: "high", member_count: 2, case_id: null, first_at: first.at, last_at: second.at },
      reason: "both name the host ws-7, 4 minutes apart",
      entities: [{ kind: "host", value: "ws-7", records: 2 }],
      members: [
        { kind: "alert", id: second.id, reason: "both name the host ws-7, 4 minutes apart" },
        { kind: "alert", id: first.id, reason: null },
      ],
    });
    expect(found?.score).toBeCloseTo(0.8);
    expect(await consider(second)).toBe(id);
    expect((await store().list({})).items).toMatchObject([{ id, member_count: 2 }]);
  });

  it("merges two groups into the older one", async () => {
    const members = [record(0, "ws-1"), record(1, "ws-1"), record(2, "ws-2"), record(3, "ws-2")];
    const ids = [];
    for (const each of members) ids.push(await consider(each));
    expect(ids[1]).not.toBe(ids[3]);
    const bridge = record(4, "ws-1", {
      entities: [
        { kind: "host", value: "ws-1" },
        { kind: "host", value: "ws-2" },
      ],
    });
    expect(await consider(bridge)).toBe(ids[1]);
    expect((await store().list({})).items).toMatchObject([{ id: ids[1], member_count: 5 }]);
    expect(await store().find(ids[3] ?? "")).toBeUndefined();
  });

  it("assigns a record to one group when many arrive concurrently", async () => {
    const all = Array.from({ length: 20 }, (_, place) => record(place, "ws-9"));
    await Promise.all(all.map(consider));
    expect((await store().list({})).items).toMatchObject([{ member_count: 20 }]);
  });
});

it("groups new alerts and rejected attestations on their events", async () => {
  const { alerts, correlations, outbox } = opened.platform.services;
  const device = { id: DEVICE, name: "player-1", firmware: { version: null, hash: "ab".repeat(32), known: false } };
  const devices = { get: async () => device } as unknown as Pick<DevicesService, "get">;
  const { base } = opened;
  const consumption = consumeRecords(outbox, createCorrelating({ ...base, alerts, devices, correlations }), silentLog);
  const cursor = sql`SELECT FROM stream_cursors WHERE consumer = 'correlations'`;
  await expect.poll(async () => (await cursor.execute(base.db)).rows.length, { timeout: 60_000 }).toBe(1);
  const alert = await report({ host: "player-1", title: "Wrong tokens" });
  const attestation = { id: "0197f000-0000-7000-8000-00000000a771", device_id: DEVICE, verdict: "untrusted" };
  await transaction().execute((tx) =>
    base.audit.record(tx, {
      ...{ actor: "attestation", action: "device.verdict_changed", subject_type: "device", subject_id: DEVICE },
      details: attestation,
    }),
  );
  await expect.poll(async () => (await store().list({})).items.length, { timeout: 30_000 }).toBe(1);
  const [group] = (await store().list({ alert_id: alert.id })).items;
  expect(group?.members.map(({ kind, id }) => [kind, id])).toEqual(
    expect.arrayContaining([
      ["alert", alert.id],
      ["attestation", attestation.id],
    ]),
  );
  await consumption.close();
});

it("links the alerts of a group to the case of one of them", async () => {
  const { correlations } = opened.platform.services;
  const { cases } = opened.platform.services;
  const alerts = [await report({ host: "ws-6" }), await report({ host: "ws-6" }), await report({ host: "ws-6" })];
  const [first, second] = alerts;
  const closed = await transaction().execute((tx) =>
    cases.open(tx, ADMIN, { title: "Old", alert_ids: [second?.id ?? ""] }),
  );
  await transaction().execute((tx) => cases.update(tx, ADMIN, closed.id, { status: "closed" }));
  const known = await transaction().execute((tx) =>
    cases.open(tx, ADMIN, { title: "Known", alert_ids: [first?.id ?? ""] }),
  );
  let id = "";
  for (const { id: alert_id } of alerts) id = (await consider(record(0, "ws-6", { id: alert_id }))) ?? id;
  expect(await transaction().execute((tx) => correlations.openCase(tx, ADMIN, id))).toMatchObject({ id: known.id });
  const linked = await Promise.all(
    alerts.map(async (each) => (await opened.platform.services.alerts.get(ALL_SITES, each.id)).case_id),
  );
  expect(linked).toEqual([known.id, closed.id, known.id]);
  expect((await store().find(id))?.case_id).toBe(known.id);
});

it("opens one case with the alerts of the group that have none", async () => {
  const { correlations } = opened.platform.services;
  const { cases } = opened.platform.services;
  const [at, elsewhere] = [
    { host: "ws-5", site: "Alpha" },
    { host: "ws-5", site: "Beta" },
  ];
  const alerts = [await report(elsewhere), await report(at), await report(at)];
  const [taken] = alerts;
  const old = await transaction().execute((tx) =>
    cases.open(tx, ADMIN, { title: "Known", alert_ids: [taken?.id ?? ""] }),
  );
  await transaction().execute((tx) => cases.update(tx, ADMIN, old.id, { status: "resolved" }));
  let id = "";
  for (const { id: alert_id } of alerts) id = (await consider(record(0, "ws-5", { id: alert_id }))) ?? id;
  const openedCase = await transaction().execute((tx) => correlations.openCase(tx, ADMIN, id));
  expect(openedCase).toMatchObject({ severity: "medium", title: "3 related records" });
  const linked = await Promise.all(
    alerts.map(async (each) => (await opened.platform.services.alerts.get(ALL_SITES, each.id)).case_id),
  );
  expect(linked.filter((each) => each === openedCase.id)).toHaveLength(2);
  const cased = sql<object>`SELECT sites FROM cases WHERE id = ${openedCase.id}`;
  expect((await cased.execute(opened.base.db)).rows).toEqual([{ sites: ["Alpha", "Beta"] }]);
  expect((await store().find(id))?.case_id).toBe(openedCase.id);
  await expect(transaction().execute((tx) => correlations.openCase(tx, ADMIN, id))).rejects.toMatchObject({
    kind: "conflict",
  });
  await expect(transaction().execute((tx) => correlations.openCase(tx, ADMIN, DEVICE))).rejects.toMatchObject({
    kind: "not_found",
  });
});

it.skipIf(!hasLabelledAlerts)(
  "groups 182 labelled alerts one by one like their provider",
  async () => {
    const records = readLabelledAlerts();
    for (const each of records) await consider(each);
    const { rows } = await sql<{ record_id: string; correlation_id: string }>`
    SELECT record_id, correlation_id FROM correlation_members`.execute(opened.base.db);
    const groups = new Map(rows.map((row) => [row.record_id, row.correlation_id]));
    const { f1 } = measurePairs(records, (id) => groups.get(id));
    console.info(`F1 of all pairs, in the database: ${f1.toFixed(3)}`);
    expect(f1).toBeGreaterThanOrEqual(0.95);
  },
  120_000,
);
