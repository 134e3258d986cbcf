import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { type Cell, listUsers, runCellsCommand, type Sent, sendOnce, startSender, startTwoCells } from "./cells.ts";

const clock = createClock();
/** How long one cell is cut off. */
const CUT_MS = Number(process.env.PROVE_CUT_SECONDS ?? 600) * 1000;
const CALM_MS = CUT_MS / 10;
/** Cells ask each other every 30 s, and sign checkpoints every 60 s. */
const KNOWN_MS = 150_000;
const ASKED_MS = 45_000;
const MAX_TEST_MS = 1_800_000;
const SLOWER = 1.5;
const SPARE_MS = 50;
const RULE = `title: Whoami of a service
id: 5a4c6d1e-0000-4000-8000-000000000001
level: low
logsource: {product: windows, category: process_creation}
detection: {selection: {Image|endswith: whoami.exe}, condition: selection}
`;

const seenAt = async ({ client }: Cell) => (await client.get("/cells")).body;
const knows = (cell: Cell, other: Cell) =>
  expect
    .poll(async () => (await seenAt(cell)).cells.find(({ name }: { name: string }) => name === other.name), {
      timeout: KNOWN_MS,
      interval: 1000,
    })
    .toMatchObject({ problem: null, sites: [{ name: other.site }], tree_size: expect.any(Number) });

function percentile(tookMs: readonly number[], share: number): number {
  return tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * share)] ?? 0;
}

async function checkCommands({ north, south, folder, file, keyIds }: Awaited<ReturnType<typeof startTwoCells>>) {
  // One tree over both ledgers, verified offline.
  await expect.poll(async () => (await seenAt(north)).tree?.root.size, { timeout: KNOWN_MS, interval: 1000 }).toBe(2);
  await writeFile(join(folder, "answer.json"), JSON.stringify(await seenAt(north)));
  const verified = await runCellsCommand(file, "verify", join(folder, "answer.json"), keyIds[0] ?? "");
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^GENUINE: root \d+ .* over 2 cells/) });
  expect((await runCellsCommand(file, "verify", join(folder, "answer.json"), keyIds[1] ?? "")).code).toBe(1);

  // Rules in rings: north is in the first, south in the second.
  const rules = join(folder, "rules");
  await mkdir(rules);
  await writeFile(join(rules, "whoami.yml"), RULE);
  expect(await runCellsCommand(file, "cells", "rules", rules, "--ring", "2")).toMatchObject({ code: 1 });
  expect(await runCellsCommand(file, "cells", "rules", rules, "--ring", "1")).toMatchObject({ code: 0 });
  expect(await runCellsCommand(file, "cells", "rules", rules, "--ring", "2")).toMatchObject({ code: 0 });
  for (const { client } of [north, south]) {
    const names = (await client.list("/detections/rules")).map(({ name }) => name);
    expect(names).toContain("Whoami of a service");
  }
}

async function searchBoth(file: string) {
  const found = await runCellsCommand(file, "cells", "search", "source:word", "--limit", "10");
  const counted = await runCellsCommand(file, "cells", "count", "source:word");
  const logs = found.out.trim().split("\n").filter(Boolean);
  return { found, counted, cells: logs.map((line) => JSON.parse(line).cell) };
}

it("refuses a site of the other cell, proves both ledgers in one tree, searches both, and pushes rules in rings", {
  timeout: MAX_TEST_MS,
}, async () => {
  const started = await startTwoCells();
  const { north, south, file } = started;
  await knows(north, south);
  await knows(south, north);

  const alert = await north.client.post("/alerts", { title: "a", source: "ids", site: "Aswan" });
  expect(alert.status).toBe(421);
  expect(alert.headers.get("problem-code")).toBe("other_cell");
  expect(alert.body.detail).toBe(`site: 'Aswan' is in cell 'south', at ${south.url}`);
  expect((await north.client.post("/alerts", { title: "a", source: "ids", site: "Cairo" })).status).toBe(201);
  const mixed = [
    { source: "word", site: "Cairo" },
    { source: "word", site: "Aswan" },
  ];
  expect(await sendOnce(north, "mixed", mixed)).toMatchObject({
    status: 421,
    body: { detail: expect.stringMatching(/is in cell 'south'/) },
  });
  expect(await sendOnce(north, "own", [{ source: "word", site: "Cairo" }])).toMatchObject({ status: 202 });
  expect(await sendOnce(south, "own", [{ source: "word", site: "Aswan" }])).toMatchObject({ status: 202 });

  await checkCommands(started);

  // Nothing of the refused batch was stored.
  await expect.poll(async () => (await searchBoth(file)).cells.length, { timeout: 20_000, interval: 1000 }).toBe(2);
  const both = await searchBoth(file);
  expect(new Set(both.cells)).toEqual(new Set(["north", "south"]));
  expect(both.counted).toMatchObject({ code: 0, out: "north\t1\nsouth\t1\nall\t2\n" });
  south.line.cut();
  const partial = await searchBoth(file);
  expect(partial.found.code).toBe(1);
  expect(partial.counted).toMatchObject({ code: 1, out: "north\t1\nall\t1\n" });
  expect(partial.counted.err).toMatch(/^MISSING south: cell 'south' at .* does not answer$/m);
});

/** Each acknowledged log is stored once. */
async function compare(cell: Cell, { users }: Sent) {
  await expect
    .poll(async () => (await listUsers(cell)).length, { timeout: 120_000, interval: 2000 })
    .toBeGreaterThanOrEqual(users.length);
  const stored = await listUsers(cell);
  const known = new Set(stored);
  return { lost: users.filter((user) => !known.has(user)).length, doubled: stored.length - known.size };
}

it(
  "cuts one cell off: the other is unaffected, and nothing is lost",
  async () => {
    const { north, south } = await startTwoCells();
    await knows(north, south);
    const senders = { north: startSender(north), south: startSender(south) };
    await clock.sleep(CALM_MS);
    const cutAt = clock.monotonicMs();
    // The line refuses first; then it takes what is sent, and nothing arrives.
    south.line.cut();
    await clock.sleep(CUT_MS / 2);
    south.line.stall();
    await clock.sleep(CUT_MS / 2);
    // What north knew of the sites of south, it still knows.
    await expect
      .poll(async () => (await seenAt(north)).cells[1], { timeout: ASKED_MS, interval: 1000 })
      .toMatchObject({ name: "south", problem: expect.any(String), sites: [{ name: "Aswan" }] });
    const healedAt = clock.monotonicMs();
    expect((await north.client.post("/alerts", { title: "a", source: "ids", site: "Aswan" })).status).toBe(421);
    // Inside, south goes on.
    expect((await south.client.post("/alerts", { title: "a", source: "ids", site: "Aswan" })).status).toBe(201);
    const unsent = senders.south.sent.users.length;
    south.line.heal();
    await clock.sleep(CALM_MS);
    const [toNorth, toSouth] = [await senders.north.stop(), await senders.south.stop()];

    const within = (from: number, to: number) =>
      toNorth.tookMs.filter(({ atMs }) => atMs >= from && atMs < to).map(({ tookMs }) => tookMs);
    const [before, during] = [within(0, cutAt), within(cutAt, healedAt)];
    const p95 = [percentile(before, 0.95), percentile(during, 0.95)].map(Math.round);
    expect(toNorth.refusals).toBe(0);
    expect(during.length / (healedAt - cutAt)).toBeGreaterThan((0.7 * before.length) / CALM_MS);
    expect(p95[1]).toBeLessThan(SLOWER * (p95[0] ?? 0) + SPARE_MS);
    expect(toSouth.refusals).toBeGreaterThan(0);
    expect(toSouth.users.length).toBeGreaterThan(unsent);
    const ends = { north: await compare(north, toNorth), south: await compare(south, toSouth) };
    process.stdout.write(
      `cells: south cut off for ${CUT_MS / 1000} s; north ${toNorth.users.length} logs, p95 ${p95[0]} ms before and ${p95[1]} ms meanwhile; ` +
        `south ${toSouth.users.length} logs; ${JSON.stringify(ends)}\n`,
    );
    expect(ends).toEqual({ north: { lost: 0, doubled: 0 }, south: { lost: 0, doubled: 0 } });
    await knows(north, south);
  },
  MAX_TEST_MS,
);
