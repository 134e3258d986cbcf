import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { BODIES, makeWorld, pathIn } from "../harness/sample-world.ts";
import type { World } from "../harness/world.ts";
import { type ContractPlatform, contractPlatform } from "./contract-platform.ts";
import { ROUTES } from "./documented-routes.ts";
import { quote } from "./platform-contract.ts";

// One database with one record of each kind, and a platform of each mode on it.

const READS = ROUTES.map(({ route }) => route).filter((route) => route.startsWith("GET "));
/** Requests by a person that change nothing. */
const NO_CHANGES = ["POST /chat/stream", "POST /siem/hunts/{hunt_id}/run"];
/** Has a separate rule. */
const SOAR_RULE = "POST /soar/rules/{id}/toggle";
const MUTATIONS = ROUTES.map(({ route }) => route).filter(
  (route) => !route.startsWith("GET ") && ![...NO_CHANGES, SOAR_RULE].includes(route),
);
const NAMES = { "GET /users/me": true, "GET /system/mode": true, "GET /system/topology": true } as const;
const isAboutPlatform = (route: string) => route in NAMES;

let real: ContractPlatform;
let dryRun: ContractPlatform;
let dummyOnDatabase: ContractPlatform;
let dummy: ContractPlatform;
let world: World;

beforeAll(async () => {
  real = await contractPlatform({ hasLogs: true, isProxied: true });
  world = await makeWorld(async (method, path, payload) => {
    const { status, body } = await real.ask(`${method} ${path}`, payload);
    return { status, body: JSON.stringify(body) };
  });
  const device = `INSERT INTO devices (id, name, type, enrolled_at, last_seen)
    VALUES (gen_random_uuid(), 'player-1', 'player', now(), now()) RETURNING id`;
  world = { ...world, devices: String((await real.query(device))[0]?.id) };
  dryRun = await contractPlatform({ mode: "dry_run", on: real, isProxied: true });
  dummyOnDatabase = await contractPlatform({ mode: "dummy", on: real });
  dummy = await contractPlatform({ mode: "dummy", hasDatabase: false });
});
afterAll(async () => {
  for (const platform of [dummy, dummyOnDatabase, dryRun, real]) await platform.close();
});

/** Inserts the first record of the corresponding list into the path of a read. */
async function fill(platform: ContractPlatform, route: string): Promise<string> {
  const [, list = "", rest] = /^GET (\S+?)\/\{\w+\}(.*)$/.exec(route) ?? [];
  if (rest === undefined) return route;
  const { items } = await platform.send(`GET ${list}`);
  return `GET ${list}/${items[0].id}${rest}`;
}

const change = (platform: ContractPlatform, route: string) =>
  platform.ask(pathIn(route, world), BODIES[route]?.(world) ?? {});

/** A digest of the records of people and pipelines. */
async function readStored(): Promise<string> {
  const rows = await real.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
    AND tablename NOT IN ('request_counts', 'sessions', 'signing_keys', 'log_writers', 'audit_entries')
    AND tablename !~ '^(ledger|detection_stream|event)' ORDER BY 1`);
  const counts = rows.map(
    ({ name }) => `SELECT '${String(name)}' AS name, count(*)::int AS count FROM ${String(name)}`,
  );
  return JSON.stringify(await real.query(`${counts.join(" UNION ALL ")} ORDER BY 1`));
}

describe("GET /system/mode", () => {
  const TRUTH = [
    [quote("| mode | dummy, dry_run or real |"), "mode", "dummy", "dummy", "dry_run", "real"],
    [
      quote("| is_database_available | a live database session factory exists |"),
      ...["is_database_available", false, true, true, true],
    ],
    [
      quote("| showcase_reads_allowed | the mode may serve showcase data when the database is unavailable |"),
      ...["showcase_reads_allowed", true, true, false, false],
    ],
    [
      quote("| uses_showcase_data | showcase reads are currently being served (database unavailable and mode dummy) |"),
      ...["uses_showcase_data", true, false, false, false],
    ],
    [
      quote("| read_data_source | database, showcase or unavailable |"),
      ...["read_data_source", "showcase", "database", "database", "database"],
    ],
    [
      quote("| is_mutations_allowed | operator-triggered state changes allowed |"),
      ...["is_mutations_allowed", false, false, false, true],
    ],
    [
      quote("| is_internal_workflows_allowed | internal pipelines may persist workflow records |"),
      ...["is_internal_workflows_allowed", false, false, true, true],
    ],
    [
      quote("| is_external_actions_allowed | external response actions allowed |"),
      ...["is_external_actions_allowed", false, false, false, true],
    ],
  ] as const;

  it.each(TRUTH)("%s: %s", async (_row, field, ...expected) => {
    const platforms = [dummy, dummyOnDatabase, dryRun, real];
    const answers = await Promise.all(platforms.map((platform) => platform.send("GET /system/mode")));
    expect(answers.map((answer) => answer[field])).toEqual(expected);
  });
});

describe("the mode, and no page, decides what the platform may do", () => {
  quote("- A runtime mode (dummy, dry_run, real) defines what the platform may do, independent of presentation.");

  it.each(["text/html", "application/json", "*/*"])(
    "decides in the same way for a client that accepts %s",
    async (accept) => {
      const headers = { ...(await dummy.credentials("admin")), accept };
      expect((await dummy.askWith(headers, "POST /cases", { title: "x" })).status).toBe(403);
    },
  );
});

describe(quote("| dummy | allowed | blocked | blocked | allowed |"), () => {
  it.each(READS)("%s is allowed, and served by the showcase without a database", async (route) => {
    expect((await dummy.ask(await fill(dummy, route))).status).toBe(200);
  });

  it.each(READS)("%s is allowed, and served by the database if there is one", async (route) => {
    const answer = await dummyOnDatabase.ask(await fill(dummyOnDatabase, route));
    expect(answer.status).toBe(200);
  });

  it.each(MUTATIONS)("%s is blocked", async (route) => {
    for (const platform of [dummy, dummyOnDatabase])
      expect(await change(platform, route)).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
  });

  it("blocks the records of internal pipelines: the finding of a sensor is refused", async () => {
    const { total } = await real.send("GET /alerts");
    const sensor = await real.keyFor("alerts:write");
    expect((await dummyOnDatabase.askWith(sensor, "POST /alerts", { title: "x", source: "s" })).status).toBe(403);
    expect((await real.send("GET /alerts")).total).toBe(total);
  });

  it.each(["alerts", "cases", "agents", "siem/logs", "detections/rules", "edr/endpoints", "soar/playbooks", "iocs"])(
    "shows showcase data of /%s",
    async (path) => {
      expect((await dummy.send(`GET /${path}`)).items.length).toBeGreaterThan(0);
    },
  );
});

describe(quote("| dry_run | allowed | preview only | allowed | not allowed |"), () => {
  it.each(READS)("%s is allowed", async (route) => {
    expect((await dryRun.ask(await fill(dryRun, route))).status).toBe(200);
  });

  it.each(MUTATIONS)("%s is only previewed", async (route) => {
    const before = await readStored();
    expect(await change(dryRun, route)).toMatchObject({ status: 200, body: { dry_run: true } });
    expect(await readStored()).toBe(before);
  });

  it("stores the records of internal pipelines: the finding of a sensor", async () => {
    const { total } = await real.send("GET /alerts");
    const sensor = await real.keyFor("alerts:write");
    const finding = { title: "found in dry_run", source: "sensor" };
    expect((await dryRun.askWith(sensor, "POST /alerts", finding)).status).toBe(201);
    expect((await real.send("GET /alerts")).total).toBe(total + 1);
  });

  it("does not store the same report by a person", async () => {
    const { total } = await real.send("GET /alerts");
    await dryRun.send("POST /alerts", { title: "reported in dry_run", source: "a person" });
    expect((await real.send("GET /alerts")).total).toBe(total);
  });
});

describe(quote("| real | allowed | allowed | allowed | not allowed |"), () => {
  it.each(READS)("%s is allowed", async (route) => {
    expect((await real.ask(await fill(real, route))).status).toBe(200);
  });

  it("stores the finding of a sensor", async () => {
    const sensor = await real.keyFor("alerts:write");
    const finding = { title: "found in real", source: "sensor" };
    expect((await real.askWith(sensor, "POST /alerts", finding)).status).toBe(201);
  });

  /** Removals, and requests that use up a record of another row, come last. */
  const ORDERED = MUTATIONS.toSorted((a, b) => Number(a.startsWith("DELETE")) - Number(b.startsWith("DELETE")));
  it.each(ORDERED)("%s is carried out", async (route) => {
    const { status, body } = await change(real, route);
    expect([200, 201, 409]).toContain(status);
    expect(body).not.toHaveProperty("dry_run", true);
  });
});

describe("rules of SOAR", () => {
  quote(
    "Outside dummy mode, GET /soar/rules returns an empty list and POST /soar/rules/{id}/toggle returns 503; playbooks and executions come from the live database.",
  );

  it.each(["dry_run", "real"])("GET /soar/rules returns an empty list in %s", async (mode) => {
    const platform = mode === "real" ? real : dryRun;
    expect((await platform.send("GET /soar/rules")).items).toEqual([]);
  });

  it.each(["dry_run", "real"])("POST /soar/rules/{id}/toggle returns 503 in %s", async (mode) => {
    const platform = mode === "real" ? real : dryRun;
    const [rule] = (await dummy.send("GET /soar/rules")).items;
    expect((await platform.ask(`POST /soar/rules/${rule.id}/toggle`)).status).toBe(503);
  });

  it("serves the rules of SOAR in dummy mode", async () => {
    const [rule] = (await dummy.send("GET /soar/rules")).items;
    expect((await dummy.ask(`POST /soar/rules/${rule.id}/toggle`)).status).toBe(200);
  });

  it("reads playbooks and executions from the live database", async () => {
    const { items } = await real.send("GET /soar/playbooks?limit=200");
    expect(items.map(({ id }: { id: string }) => id)).toContain(world.playbooks);
    const executions = await real.send("GET /soar/executions");
    const started = executions.items.map(({ execution_id }: { execution_id: string }) => execution_id);
    expect(started).toContain(world.executions);
  });
});

describe("without its database", () => {
  quote(
    "When the database is unavailable: in dummy mode selected reads may serve showcase data; in dry_run and real mode database-backed reads fail with 503 rather than substituting data. Failed writes during degradation are not committed unless success is explicit.",
  );
  const BACKED = READS.filter((route) => !isAboutPlatform(route));
  const paths = new Map<string, string>();
  let before: string;

  beforeAll(async () => {
    for (const route of BACKED) paths.set(route, await fill(real, route));
    for (const platform of [real, dryRun]) expect((await platform.ask("GET /users/me")).status).toBe(200);
    before = await readStored();
    for (const { proxy } of [real, dryRun]) proxy?.cut();
    const sources = async () => [
      (await real.ask("GET /system/mode")).body.read_data_source,
      (await dryRun.ask("GET /system/mode")).body.read_data_source,
    ];
    await vi.waitFor(async () => expect(await sources()).toEqual(["unavailable", "unavailable"]), 10_000);
  });

  it.each(["dry_run", "real"])("the runtime truth of %s reports the outage", async (mode) => {
    expect((await (mode === "real" ? real : dryRun).ask("GET /system/mode")).body).toMatchObject({
      mode,
      is_database_available: false,
      showcase_reads_allowed: false,
      uses_showcase_data: false,
      read_data_source: "unavailable",
    });
  });

  it.each(BACKED)("%s fails with 503 in dry_run and in real", async (route) => {
    for (const platform of [dryRun, real]) {
      const answer = await platform.ask(paths.get(route) ?? route);
      expect(answer).toMatchObject({ status: 503, body: { detail: expect.any(String) } });
    }
  });

  it.each(MUTATIONS)("%s fails with 503 in dry_run and in real", async (route) => {
    for (const platform of [dryRun, real]) expect((await change(platform, route)).status).toBe(503);
  });

  it("stores nothing of failed requests", async () => {
    expect(await readStored()).toBe(before);
  });
});
