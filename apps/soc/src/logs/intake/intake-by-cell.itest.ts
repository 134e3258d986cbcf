import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/worlds/callers-platform.ts";
import { testPlatform } from "../../../testing/worlds/feature-app.ts";
import { createIntake } from "../../../testing/worlds/shippers-intake.ts";
import { LEDGER_KEY_FILE, ADMIN_PASSWORD as password } from "../../../testing/worlds/whole-platform.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";

const SOUTH = "https://south.example";
const ASWAN = { id: "0197f000-0000-7000-8000-0000000000a2", name: "Aswan" };
const DETAIL = `site: 'Aswan' is in cell 'south', at ${SOUTH}`;
let platform: CallersPlatform;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cells-"));
  await writeFile(join(folder, "key"), "k".repeat(32), { mode: 0o600 });
  const { key_id } = await openLedgerKey(LEDGER_KEY_FILE);
  const north = { name: "north", url: "https://north.example", key_id };
  const south = { name: "south", url: SOUTH, key_id: "0".repeat(64), api_key_file: "key" };
  const file = join(folder, "cells.json");
  await writeFile(file, JSON.stringify([north, south]));
  platform = await startCallersPlatform({ cells: { self: "north", file } });
  // What the worker has learnt of the other cell.
  const statement = { cell: "south", at: "2026-11-18T10:00:00Z", sites: [ASWAN], checkpoint: null };
  await platform.query("INSERT INTO cell_statements VALUES ('south', $1, now(), NULL)", [JSON.stringify(statement)]);
  await platform.asAdmin("POST", "/sites", { name: "Cairo", profile: { asset_classes: [] } });
  // Each process reads the directory once a second.
  await vi.waitFor(async () => {
    expect((await platform.ask("GET", "/api/v1/agents?site=Aswan", await admin())).status).toBe(421);
  }, 10_000);
});

afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});

const admin = async () => ({ authorization: `Bearer ${(await platform.signIn("admin")).token}` });

const BODIES = {
  "/api/v1/siem/ingest": [
    { message: "kept", site: "Cairo" },
    { message: "kept", site: "Aswan" },
  ],
  "/api/v1/siem/ingest?site=Aswan": [{ message: "kept" }],
  "/services/collector/event": { event: { message: "kept", site: "Aswan" } },
};

it.each(Object.entries(BODIES))("refuses logs of a site in another cell at %s as a whole", async (path, body) => {
  const answer = await platform.ask("POST", path, await admin(), body);
  expect(answer.status).toBe(421);
  expect(answer.body).toContain(DETAIL);
  const { total } = await platform.asAdmin("GET", "/siem/logs?query=kept");
  expect(total).toBe(0);
});

it("takes logs of its own sites and of none", async () => {
  for (const site of ["Cairo", "Luxor", undefined]) {
    const taken = await platform.ask("POST", "/api/v1/siem/ingest", await admin(), [{ message: "stored", site }]);
    expect(taken.status).toBe(202);
  }
});

it("refuses requests that name the site, and callers whose sites are all in another cell", async () => {
  const alert = { title: "a", source: "ids", site: "Aswan" };
  expect(await platform.ask("POST", "/api/v1/alerts", await admin(), alert)).toMatchObject({
    status: 421,
    body: JSON.stringify({ detail: DETAIL }),
  });
  expect((await platform.ask("GET", "/api/v1/agents?site=Aswan", await admin())).status).toBe(421);
  const addUser = async (username: string, sites: object[]) => {
    await platform.asAdmin("POST", "/users", { username, password, role: "tier1" });
    await platform.query("UPDATE users SET sites = $1 WHERE username = $2", [JSON.stringify(sites), username]);
    const { token } = await platform.signIn(username);
    return (await platform.ask("GET", "/api/v1/alerts", { authorization: `Bearer ${token}` })).status;
  };
  const cairo = (await platform.asAdmin("GET", "/sites")).items[0];
  expect(await addUser("mona", [ASWAN])).toBe(421);
  expect(await addUser("omar", [ASWAN, { id: cairo.id, name: cairo.name }])).toBe(200);
});

it("keeps a syslog message of such a site as a dead letter, and stores the others", async () => {
  const { db, runtime, close } = await testPlatform("real");
  await runtime.truth();
  const stored: string[] = [];
  const logStore = {
    ...absentLogStore(),
    insert: async (batch: readonly { site: string }[]) => {
      stored.push(...batch.map(({ site }) => site));
    },
  };
  const findRefusals = async (texts: Iterable<string>) =>
    new Map([...texts].filter((text) => text === "Aswan").map((text) => [text, new Problem("misdirected", DETAIL)]));
  const { intake } = createIntake({ db, logStore, findRefusals });
  const toEvent = (site: string) => ({ fields: { message: "m", site }, raw: `<13>1 ${site}` });
  const taken = await intake.accept([toEvent("Cairo"), toEvent("Aswan")], { format: "syslog", sender: "10.0.0.1" });
  expect(taken).toMatchObject({ accepted: 1, rejected: 1, refused: [{ index: 1, reason: DETAIL }] });
  expect(stored).toEqual(["Cairo"]);
  await intake.close();
  await close();
});
