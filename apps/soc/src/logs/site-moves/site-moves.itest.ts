import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/worlds/callers-platform.ts";
import { LEDGER_KEY_FILE, ADMIN_PASSWORD as password } from "../../../testing/worlds/whole-platform.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { MOVED_TABLES } from "./moved-tables.ts";

const NAMES = ["north", "south"] as const;
let folder: string;
let north: CallersPlatform;
let south: CallersPlatform;
let cairo: { id: string; name: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "site-moves-"));
  await writeFile(join(folder, "key"), "k".repeat(32), { mode: 0o600 });
  const { key_id } = await openLedgerKey(LEDGER_KEY_FILE);
  const list = NAMES.map((name) => ({ name, url: `https://${name}.example`, key_id, api_key_file: "key" }));
  const file = join(folder, "cells.json");
  await writeFile(file, JSON.stringify(list));
  north = await startCallersPlatform({ cells: { self: "north", file } });
  south = await startCallersPlatform({ cells: { self: "south", file } });
  cairo = await north.asAdmin("POST", "/sites", { name: "Cairo", profile: { asset_classes: ["ot"] } });
}, 120_000);

afterAll(async () => {
  await north.close();
  await south.close();
  await rm(folder, { recursive: true });
});

const admin = async (platform: CallersPlatform) => ({
  authorization: `Bearer ${(await platform.signIn("admin")).token}`,
});
const read = (platform: CallersPlatform, part: string, more = "") =>
  platform.asAdmin("GET", `/cells/moves/records?site_id=${cairo.id}&site_name=Cairo&part=${part}${more}`);

async function copy(part: string, items: readonly string[], last_entries: object[] = []) {
  const site = { site_id: cairo.id, site_name: cairo.name, from: "north" };
  return south.asAdmin("POST", "/cells/moves/records", { ...site, part, items, last_entries });
}

/** A case of the site with something in every table that moves, and a case that has content of the whole cell as well. */
async function addRecords() {
  const alert = await north.asAdmin("POST", "/alerts", {
    title: "port scan ٣",
    source: "ids",
    site: "Cairo",
    iocs: ["203.0.113.9"],
    risk_score: 12.25,
  });
  const { id } = await north.asAdmin("POST", "/cases", { title: "of the site", alert_ids: [alert.id] });
  const evidence = { name: "disk", evidence_type: "image", sha256: "ab".repeat(32) };
  const { id: evidenceId } = await north.asAdmin("POST", `/cases/${id}/evidence`, evidence);
  await north.asAdmin("POST", `/cases/${id}/evidence/${evidenceId}/custody`, { action: "sealed", notes: "bag 7" });
  const { id: commentId } = await north.asAdmin("POST", `/cases/${id}/comments`, { body: "first" });
  await north.asAdmin("PATCH", `/cases/${id}/comments/${commentId}`, { body: "second" });
  await north.asAdmin("POST", `/cases/${id}/observables`, { type: "ip", value: "203.0.113.9" });
  await north.asAdmin("POST", `/cases/${id}/tasks`, { title: "call the site" });
  const lone = await north.asAdmin("POST", "/alerts", { title: "another", source: "ids", site: "Cairo" });
  const mixed = await north.asAdmin("POST", "/cases", { title: "of the cell" });
  await north.asAdmin("POST", `/cases/${mixed.id}/alerts`, { alert_ids: [lone.id] });
  await north.asAdmin("POST", "/alerts", { title: "elsewhere", source: "ids", site: "Luxor" });
  return { alert, lone, caseId: id };
}

const MOVED = Object.keys(MOVED_TABLES).filter((table) => "moves" in (MOVED_TABLES[table] ?? {}));

it("knows what becomes of every table that names a site, a case, an alert or evidence", async () => {
  const rows = await north.query(`
    SELECT DISTINCT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND column_name IN ('site', 'sites', 'site_id', 'case_id', 'alert_id', 'evidence_id')`);
  const found = rows.map(({ table_name }) => table_name);
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((table) => !(table in MOVED_TABLES))).toEqual([]);
  const tables = await north.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  const all = new Set(tables.map(({ tablename }) => tablename));
  expect(Object.keys(MOVED_TABLES).filter((table) => !all.has(table))).toEqual([]);
});

it("copies the records of a site with their ids, so that both cells have the same", async () => {
  const { alert, lone, caseId } = await addRecords();
  const cases = await read(north, "cases");
  expect(cases).toMatchObject({ count: 1, next: null, last_entries: [{ case_id: caseId }] });
  await copy("cases", cases.items, cases.last_entries);
  const alerts = await read(north, "alerts");
  expect(alerts).toMatchObject({ count: 2, next: null, last_entries: [] });
  await copy("alerts", alerts.items);
  for (const [part, page] of [["cases", cases] as const, ["alerts", alerts] as const]) {
    expect(await read(south, part, "&only=digest")).toMatchObject({
      items: [],
      count: page.count,
      digest: page.digest,
    });
  }
  // Again: the same, and nothing twice.
  await copy("cases", cases.items, cases.last_entries);
  await copy("alerts", alerts.items);
  expect((await read(south, "alerts")).digest).toBe(alerts.digest);
  for (const table of MOVED) {
    const [row] = await south.query(`SELECT count(*)::int AS count FROM ${table}`);
    expect([table, row.count > 0]).toEqual([table, true]);
  }
  expect((await read(south, "cases")).digest).toBe(cases.digest);
  expect(await south.asAdmin("GET", `/alerts/${alert.id}`)).toMatchObject({ case_id: caseId, risk_score: 12.25 });
  expect(await south.asAdmin("GET", `/alerts/${lone.id}`)).toMatchObject({ case_id: null });
  const { custody_entries } = (await south.asAdmin("GET", `/cases/${caseId}/evidence`)).items[0];
  expect(custody_entries.map(({ action }: { action: string }) => action)).toContain("sealed");
  const [entry] = await south.query("SELECT body FROM ledger_entries WHERE case_id = $1 ORDER BY sequence LIMIT 1", [
    caseId,
  ]);
  expect(entry.body).toMatchObject({ from_cell: "north", last_entry_hash: cases.last_entries[0].entry_hash });
});

it("copies logs once, whatever was there before", async () => {
  const logs = Array.from({ length: 40 }, (_, n) => ({
    site: "Cairo",
    source: "fw",
    message: `line ${n}`,
    more: { n, f: 0.5 },
  }));
  const others = [{ site: "Luxor", source: "fw", message: "elsewhere" }];
  const stored = await north.ask("POST", "/api/v1/siem/ingest", await admin(north), [...logs, ...others]);
  expect(stored.status).toBe(202);
  const first = await read(north, "logs", "&limit=25");
  expect(first).toMatchObject({ count: 25, next: expect.any(String) });
  await copy("logs", first.items.slice(0, 10));
  await copy("logs", first.items);
  await copy("logs", first.items);
  const rest = await read(north, "logs", `&limit=25&after=${encodeURIComponent(first.next)}`);
  expect(rest).toMatchObject({ count: 15, next: null });
  await copy("logs", rest.items);
  const [here, there] = [await read(north, "logs"), await read(south, "logs")];
  expect(there).toEqual(here);
  expect(there.count).toBe(40);
});

it("refuses what is no record of this site", async () => {
  const refuse = async (body: object) => {
    const given = { site_id: cairo.id, site_name: "Cairo", from: "north", part: "logs", items: [""], last_entries: [] };
    const { status, body: text } = await south.ask("POST", "/api/v1/cells/moves/records", await admin(south), {
      ...given,
      ...body,
    });
    return [status, JSON.parse(text).detail];
  };
  const [log] = (await read(north, "logs", "&limit=1")).items;
  const foreign = JSON.stringify({ ...JSON.parse(log), site: "Luxor" });
  expect(await refuse({ items: ["{}"] })).toEqual([400, "items: must be logs of another cell"]);
  expect(await refuse({ items: [foreign] })).toEqual([400, expect.stringMatching(/site: is another one$/)]);
  expect(await refuse({ items: [log], from: "south" })).toEqual([409, "from: 'south' is no other cell"]);
});

it("takes no change of a frozen site, by requests that name it and by those that name a record", async () => {
  const [alert] = (await north.asAdmin("GET", "/alerts?source=ids")).items.filter(
    ({ site }: { site: string }) => site === "Cairo",
  );
  await north.asAdmin("POST", "/users", { username: "mona", password, role: "tier2", sites: ["Cairo"] });
  const mona = { authorization: `Bearer ${(await north.signIn("mona")).token}` };
  const move = await north.asAdmin("POST", "/cells/moves", { site_id: cairo.id, to: "south" });
  expect(move).toMatchObject({ site_name: "Cairo", to: "south", state: "frozen", is_settled: false });
  expect(await north.asAdmin("POST", "/cells/moves", { site_id: cairo.id, to: "south" })).toEqual(move);
  for (const headers of [await admin(north), mona]) {
    const answer = await north.ask("PATCH", `/api/v1/alerts/${alert.id}`, headers, { status: "triaged" });
    expect([answer.status, answer.headers["problem-code"], answer.headers["retry-after"]]).toEqual([
      503,
      "site_moving",
      "5",
    ]);
    expect((await north.ask("GET", `/api/v1/alerts/${alert.id}`, headers)).status).toBe(200);
  }
  // Each process reads the directory once a second.
  await expect
    .poll(async () => (await north.ask("POST", "/api/v1/siem/ingest", await admin(north), [{ site: "Cairo" }])).status)
    .toBe(503);
  // Other sites go on.
  await north.asAdmin("POST", "/alerts", { title: "other", source: "ids", site: "Luxor" });

  await north.asAdmin("DELETE", `/cells/moves/${cairo.id}`);
  await expect
    .poll(async () => (await north.ask("PATCH", `/api/v1/alerts/${alert.id}`, mona, { status: "triaged" })).status)
    .toBe(200);
});

it("sends requests to the other cell when the site has moved", async () => {
  const alerts = await read(north, "alerts");
  await north.asAdmin("POST", "/cells/moves", { site_id: cairo.id, to: "south" });
  const arrival = { site_id: cairo.id, site_name: "Cairo", profile: { asset_classes: ["ot"] }, from: "north" };
  for (let times = 0; times < 2; times += 1) {
    await south.asAdmin("POST", "/cells/moves/arrivals", arrival);
    await north.asAdmin("POST", `/cells/moves/${cairo.id}/end`);
  }
  expect((await south.asAdmin("GET", "/cells?only=self")).statement.sites).toEqual(
    [cairo].map(({ id, name }) => ({ id, name })),
  );
  expect((await north.asAdmin("GET", "/cells?only=self")).statement.sites).toEqual([]);
  const [{ id }] = alerts.items.map((text: string) => JSON.parse(text));
  const late = await north.ask("PATCH", `/api/v1/alerts/${id}`, await admin(north), { status: "resolved" });
  expect([late.status, late.headers["problem-code"]]).toEqual([421, "other_cell"]);
  await expect
    .poll(async () => (await north.ask("POST", "/api/v1/siem/ingest", await admin(north), [{ site: "Cairo" }])).status)
    .toBe(421);
  const again = await north.ask("DELETE", `/api/v1/cells/moves/${cairo.id}`, await admin(north));
  expect(again.status).toBe(409);
  // Its records are still here: it does not come back before they are deleted.
  const back = { ...arrival, from: "south" };
  expect((await north.ask("POST", "/api/v1/cells/moves/arrivals", await admin(north), back)).status).toBe(409);
});
