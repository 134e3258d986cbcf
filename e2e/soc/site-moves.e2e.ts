import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import {
  type Cell,
  listUsers,
  runCellsCommand,
  sendOnce,
  startCellsCommand,
  startSender,
  startTwoCells,
} from "./cells.ts";
import { addEvidence, verifyLedger } from "./client.ts";

const clock = createClock();
const MAX_TEST_MS = 900_000;
const BATCHES = 40;
const BATCH_SIZE = 1000;
const FOUND_MS = 60_000;
/** Entries are under a checkpoint after a minute. */
const CHECKPOINT_MS = 120_000;

/** Logs that are there before the move, in batches as a shipper sends them. */
async function fill(cell: Cell): Promise<string[]> {
  const users: string[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const named = Array.from({ length: BATCH_SIZE }, (_, n) => `before-${batch}-${n}`);
    const events = named.map((user) => ({
      source: "load",
      site: cell.site,
      user,
      message: "before",
      nested: { a: 1.5 },
    }));
    expect(await sendOnce(cell, `before-${batch}`, events)).toMatchObject({ status: 202 });
    users.push(...named);
  }
  return users;
}

/** An alert in a case of the site with evidence, and one in a case that has content of no site as well. */
async function addRecords({ client, site }: Cell) {
  const alert = (await client.post("/alerts", { title: "in the case", source: "ids", site })).body;
  const { id } = (await client.post("/cases", { title: "of the site", alert_ids: [alert.id] })).body;
  await addEvidence(client, id, "disk");
  await client.post(`/cases/${id}/comments`, { body: "seen at the gate" });
  const lone = (await client.post("/alerts", { title: "in a mixed case", source: "ids", site })).body;
  const mixed = (await client.post("/cases", { title: "of the whole cell" })).body;
  await client.post(`/cases/${mixed.id}/alerts`, { alert_ids: [lone.id] });
  return { alert, lone, caseId: id };
}

const countLogs = async (cell: Cell) => (await listUsers(cell)).length;

it("moves a site under load, killed in the middle: nothing is lost or doubled", { timeout: MAX_TEST_MS }, async () => {
  const { north, south, file } = await startTwoCells();
  const { alert, lone, caseId } = await addRecords(north);
  const before = await fill(north);
  const sender = startSender(north, south);
  await clock.sleep(2000);

  const first = startCellsCommand(file, "cells", "move", "Cairo", "--to", "south");
  // Killed amid the copy of the logs.
  const hasSome = async () => (await south.client.get("/siem/logs?query=source:load&limit=1")).body.total > 0;
  await expect.poll(hasSome, { timeout: 120_000, interval: 50 }).toBe(true);
  first.kill();
  await first.ended;
  const half = await countLogs(south);
  expect(half).toBeLessThan(before.length);

  // Frozen: changes are refused, by the name of the site and by the id of a record; reads go on.
  const refused = await north.client.post("/alerts", { title: "b", source: "ids", site: "Cairo" });
  expect([refused.status, refused.headers.get("problem-code")]).toEqual([503, "site_moving"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const patched = await north.client.patch(`/alerts/${alert.id}`, { status: "triaged" });
  expect([patched.status, patched.body.detail]).toEqual([503, "site: 'Cairo' is being moved to cell 'south'"]);
  const commented = await north.client.post(`/cases/${caseId}/comments`, { body: "late" });
  expect(commented.status).toBe(503);
  expect((await north.client.get(`/alerts/${alert.id}`)).status).toBe(200);
  // The other cell sends requests back until it has the site.
  const early = await south.client.post("/alerts", { title: "b", source: "ids", site: "Cairo" });
  expect([421, 503]).toContain(early.status);

  const startMs = clock.monotonicMs();
  const moved = await runCellsCommand(file, "cells", "move", "Cairo", "--to", "south");
  const tookMs = clock.monotonicMs() - startMs;
  expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/site 'Cairo' is in cell 'south'\n$/) });
  await expect.poll(() => sender.sent.statuses[421] ?? 0, { timeout: FOUND_MS }).toBeGreaterThan(0);
  await clock.sleep(3000);
  const sent = await sender.stop();
  const acknowledged = [...before, ...sent.users];

  // Every acknowledged log is in the new cell, once.
  await expect.poll(() => countLogs(south), { timeout: FOUND_MS, interval: 2000 }).toBe(acknowledged.length);
  const stored = (await listUsers(south)).toSorted();
  expect(stored).toEqual(acknowledged.toSorted());
  // The records have their ids, and the ledger of the case goes on with where it was.
  expect((await south.client.get(`/alerts/${alert.id}`)).body).toMatchObject({ id: alert.id, case_id: caseId });
  expect((await south.client.get(`/alerts/${lone.id}`)).body).toMatchObject({ id: lone.id, case_id: null });
  const full = (await south.client.get(`/cases/${caseId}/full`)).body;
  expect(JSON.stringify(full)).toContain("seen at the gate");
  const verify = () => verifyLedger(south.client, caseId);
  await expect.poll(verify, { timeout: CHECKPOINT_MS, interval: 5000 }).toMatch(/^GENUINE/);
  expect((await south.client.patch(`/alerts/${alert.id}`, { status: "triaged" })).status).toBe(200);

  // The former cell has it no more.
  const late = await north.client.post("/alerts", { title: "c", source: "ids", site: "Cairo" });
  expect([late.status, late.body.detail]).toEqual([421, `site: 'Cairo' is in cell 'south', at ${south.url}`]);
  expect((await north.client.patch(`/alerts/${alert.id}`, { status: "resolved" })).status).toBe(421);
  expect((await north.client.get("/cells")).body.statement.sites).toEqual([]);
  expect(await runCellsCommand(file, "cells", "move", "Cairo", "--to", "south")).toMatchObject({
    code: 0,
    out: "site 'Cairo' is in cell 'south'\n",
  });
  process.stdout.write(
    `site-moves: ${acknowledged.length} logs, ${half} of them copied when it was killed; run again in ` +
      `${Math.round(tookMs / 100) / 10} s; answers to the sender ${JSON.stringify(sent.statuses)}\n${moved.out}`,
  );
});
