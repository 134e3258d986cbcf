import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { type FaultProxy, startFaultProxy } from "@kit/testing/fault-proxy";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { responseShownAt } from "../../../testing/fixtures/response-samples.ts";
import { askAs, BODIES, makeWorld, pathIn, QUERIES, signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest, World } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startSharedLogStore } from "../../../testing/servers/shared-log-store.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { createShowcaseCorrelations } from "../../devices/correlations/correlations.showcase.ts";
import { type Effect, type Fate, MODE_TABLE, selectRow } from "./mode-table.ts";
import { MODES, type Mode } from "./runtime.schema.ts";

const clock = createClock();
/** How long a process may still report a disconnected database as available. */
const NOTICED_MS = 150;
// Many routes are called concurrently on a possibly busy machine; the deadline itself is 1.5 s.
const WITHIN_MS = process.env.PROVE === "full" ? 4000 : 15_000;
const AT_ONCE = 40;
/** Calling each route in a fresh platform takes minutes, so a normal build tests one of forty routes this way. */
const EVERY = process.env.PROVE === "full" ? 1 : 40;
/** During an outage each request waits for its time limit, so a normal build tests one of ten routes. */
const EVERY_OUTAGE = process.env.PROVE === "full" ? 1 : 10;
// These routes create and end sessions; separate tests cover them.
const SESSION_ROUTES = [
  ...["POST /auth/token", "POST /auth/logout", "POST /auth/oidc/logout", "POST /me/password"],
  ...["start", "callback"].map((step) => `GET /auth/oidc/{provider}/${step}`),
  "POST /auth/oidc/{provider}/logout",
  ...["DELETE /me/sessions", "DELETE /me/sessions/{id}", "PATCH /me/sessions/{id}"],
  ...["DELETE /users/{username}/sessions", "DELETE /users/{username}/sessions/{id}"],
  // They need a one-time code.
  ...["POST /auth/step-up", "POST /me/factors/totp/{id}/confirm", "POST /me/factors/recovery-codes"],
  ...["PATCH /me/factors/{id}", "DELETE /me/factors/{id}", "DELETE /users/{username}/factors"],
  // They need a security key.
  ...["POST /auth/webauthn/options", "POST /auth/step-up/options", "POST /auth/passkey", "POST /me/factors/webauthn"],
];
/** Reads that write an audit entry. */
const EXPORTS = [
  ...["GET /audit/export", "GET /siem/logs/export", "GET /iocs/export", "GET /detections/rules/export"],
  ...["GET /reports/{id}/download", "GET /cases/{case_id}/files/{file_id}"],
];

interface Cell {
  route: string;
  path: string;
  payload?: object | undefined;
  effect: Effect;
  isAlways: boolean;
}

/** Every address that this process tried to connect to, and every name that it resolved. */
const places = new Set<string>();
const connect = Object.getOwnPropertyDescriptor(Socket.prototype, "connect")?.value;
Object.defineProperty(Socket.prototype, "connect", {
  value(this: Socket, ...args: unknown[]) {
    this.on("connectionAttempt", (ip: string, port?: number) => {
      // Without a port it is a Unix domain socket, such as that of the log engine, which does not leave the machine.
      if (port !== undefined) places.add(`${ip}:${port}`);
    });
    this.on("lookup", (_error, _address, _family, host) => places.add(host));
    return Reflect.apply(connect, this, args);
  },
});
/** The addresses of the databases and of the proxies in front of them. */
const databases = new Set<string>();

const SHOWCASE = buildShowcase(clock.now());
const { alerts, ledger, logs, detections, hunts, views, investigations } = SHOWCASE;
const SHOWN: World = {
  // The only user of the showcase.
  users: "admin",
  alerts: alerts[0]?.id ?? "",
  cases: ledger[0]?.case_id ?? "",
  // A file of the case has the id of its evidence.
  files: SHOWCASE.cases.find(({ id }) => id === ledger[0]?.case_id)?.evidence[0]?.id ?? "",
  "case-templates": SHOWCASE.cases[0]?.id ?? "",
  tree_size: String(ledger.length),
  logs: logs[0]?.id ?? "",
  hunts: hunts[0]?.id ?? "",
  views: views[0]?.id ?? "",
  rules: detections.rules[0]?.id ?? "",
  exceptions: detections.exceptions[0]?.id ?? "",
  backtests: detections.backtests[0]?.id ?? "",
  investigations: investigations[0]?.investigation_id ?? "",
  correlations: (await createShowcaseCorrelations(SHOWCASE).list({})).items[0]?.id ?? "",
  ...responseShownAt(clock.now()),
};
/** The prefix that only ids of the showcase have. */
const SHOWN_ID = SHOWN.alerts?.slice(0, 18) ?? "";

interface Look {
  status: number;
  body: string;
  mode: Mode;
  /** The id of an alert that is in the database. */
  stored: string;
}

/** The response that each word of the table means. */
const LOOKS: Readonly<Record<Fate | "always", (look: Look) => boolean>> = {
  database: ({ status, body }) => status === 200 && !body.includes(SHOWN_ID),
  showcase: ({ status, body, stored }) => status === 200 && !body.includes(stored),
  always: ({ status, body }) => status === 200 && !body.includes(SHOWN_ID),
  done: ({ status, body }) => [200, 201, 202].includes(status) && !("dry_run" in JSON.parse(body)),
  preview: ({ status, body }) => status === 200 && JSON.parse(body).dry_run === true && "preview" in JSON.parse(body),
  blocked: ({ status, body, mode }) =>
    status === 403 && body === JSON.stringify({ detail: `Runtime mode '${mode}' blocks this change` }),
  unavailable: ({ status, body }) => status === 503 && Object.keys(JSON.parse(body)).join() === "detail",
};

/** Accepts batches and answers when they are durable; `logs/intake/intake.itest.ts` tests it in every mode. */
const INTAKE = /^\/api\/v1\/siem\/(ingest|dead-letters)\b/;
/** Needs a running search; `logs/search/logs-network.itest.ts` tests it. */
const SEARCHES = /^\/api\/v1\/siem\/searches\//;
/** The routes of the response features. */
const RESPONSE = / \/(edr|soar|playbooks|approvals|notifications|iocs|reports)\b/;
/** The routes of one investigation. */
const INVESTIGATIONS = / \/agents\/investigations\/\{/;
/**
 * According to the API document they exist in dummy mode only; `response/automations/automations.itest.ts` tests them
 * in every mode.
 */
const SOAR_RULES = /^\/api\/v1\/soar\/rules\b/;

/** They answer in an envelope; `assistants/tools/tools-modes.itest.ts` tests them in every mode. */
const TOOLS = /^\/api\/v1\/tools\//;
/** Answers with a stream and stores conversations; `assistants/chat/chat.itest.ts` tests it in every mode. */
const CHAT = /^\/api\/v1\/chat\//;

/**
 * A digest of all tables except request counters, sessions, signing keys, the heartbeats of the log writers and what
 * the ledger does with its entries each minute. The place that a reader assigns to an event and the last use of a key
 * are not records either.
 */
async function storedIn(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
     AND tablename NOT IN ('request_counts', 'sessions', 'signing_keys', 'log_writers')
     AND (tablename NOT LIKE 'ledger%' OR tablename = 'ledger_entries') ORDER BY 1`,
  );
  const digests = rows.map(
    ({ name }) =>
      `SELECT '${name} ' || coalesce(md5(string_agg(body, '|' ORDER BY body)), '') AS digest
       FROM (SELECT (to_jsonb(t) - 'place' - 'last_used_at')::text AS body FROM ${name} t) AS bodies`,
  );
  const found = await owner.query<{ digest: string }>(digests.join(" UNION ALL "));
  // PostgreSQL may read the tables in parallel, in any order.
  return found.rows
    .map(({ digest }) => digest)
    .toSorted()
    .join("\n");
}

describe.each(MODES)("in mode %s", (mode) => {
  let folder: string;
  let logEngine: Awaited<ReturnType<typeof startSharedLogStore>>;
  let proxy: FaultProxy;
  let owner: pg.Client;
  let seeding: Awaited<ReturnType<typeof wholePlatform>>;
  let platform: Awaited<ReturnType<typeof wholePlatform>>;
  let make: (needsResponse?: boolean, needsInvestigation?: boolean) => Promise<World>;
  let settled: World;
  let asAdmin: SendRequest;
  let cells: (world: World) => Cell[];

  /** Devices enrol at a separate server. */
  async function addDevice(): Promise<string> {
    const { rows } = await owner.query<{ id: string }>(
      `INSERT INTO devices (id, name, type, enrolled_at, last_seen)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'player', now(), now()) RETURNING id`,
    );
    return rows[0]?.id ?? "";
  }

  /** The worker creates groups of alerts. */
  async function addCorrelation(alert_id: string): Promise<string> {
    const { rows } = await owner.query<{ id: string }>(
      `WITH made AS (
         INSERT INTO correlations VALUES (gen_random_uuid(), 0.8, 'both name a host', 'high', 1, now(), now(), NULL, now(), now())
         RETURNING id)
       INSERT INTO correlation_members SELECT 'alert', $1, id, now(), 'high', NULL FROM made RETURNING correlation_id AS id`,
      [alert_id],
    );
    return rows[0]?.id ?? "";
  }

  /** Adds an event that the automations could not handle, a device and a group of alerts. */
  async function withParked(world: World): Promise<World> {
    const { rows } = await owner.query<{ id: string }>(
      `INSERT INTO parked_events (id, event_id, type, subject_id, data, at, error, parked_at, retry_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'alert.created', $1, '{}', now(), 'failed', now(), now()) RETURNING id`,
      [world.alerts],
    );
    const correlations = await addCorrelation(world.alerts ?? "");
    return { ...world, "parked-events": rows[0]?.id ?? "", devices: await addDevice(), correlations };
  }

  beforeAll(async () => {
    const { url, port } = await freshDatabase();
    proxy = await startFaultProxy(port);
    databases.add(`127.0.0.1:${port}`).add(`127.0.0.1:${proxy.port}`);
    owner = new pg.Client(url);
    await owner.connect();
    // There is no worker here. The alert about its absence must not be mistaken for a change by a request.
    await owner.query("UPDATE detection_stream SET position = now() + interval '1 day'");
    // Create the objects independently of the tested mode, and early enough for the next start of the ledger to sign
    // them.
    folder = await mkdtemp(join(tmpdir(), "modes-"));
    logEngine = await startSharedLogStore();
    const { logStore } = logEngine;
    const first = await wholePlatform("real", url, folder, logStore);
    settled = await withParked(await makeWorld(askAs(first.app, await signIn(first.app))));
    await first.close();
    seeding = await wholePlatform("real", url, folder, logStore);
    const seed = askAs(seeding.app, await signIn(seeding.app));
    const checkpoints = async () => JSON.parse((await seed("GET", "/ledger/checkpoints")).body);
    await vi.waitFor(async () => expect((await checkpoints()).total).toBeGreaterThan(0), { timeout: 10_000 });
    const tree_size = String((await checkpoints()).items[0].tree_size);
    settled = { ...settled, tree_size };
    make = async (...needs) => ({ ...(await withParked(await makeWorld(seed, ...needs))), tree_size });
    const proxied = url.replace(`:${port}`, `:${proxy.port}`);
    platform = await wholePlatform(mode, proxied, folder, logStore);
    asAdmin = askAs(platform.app, await signIn(platform.app));
    cells = (world) =>
      platform.app.registeredRoutes
        .filter(
          ({ path }) =>
            path.startsWith("/api/v1") && ![INTAKE, SEARCHES, SOAR_RULES, TOOLS, CHAT].some((own) => own.test(path)),
        )
        .map(({ method, path, config }) => {
          const documented = path.replace("/api/v1", "").replaceAll(/:([a-z_]+)/g, "{$1}");
          const route = `${method} ${documented}`;
          return {
            route,
            path: pathIn(documented, world) + (QUERIES[route]?.(world) ?? ""),
            payload: BODIES[route]?.(world),
            effect: config.effect ?? "none",
            isAlways: config.worksOffline ?? false,
          };
        })
        .filter(({ route }) => !SESSION_ROUTES.includes(route));
  });

  afterAll(async () => {
    proxy.heal();
    await platform.close();
    await seeding.close();
    await owner.end();
    await proxy.close();
    await logEngine.stop();
    await rm(folder, { recursive: true });
  });

  async function whatIsWrong(
    ask: SendRequest,
    { route, path, payload }: Cell,
    fate: Fate | "always",
  ): Promise<string[]> {
    const start = clock.monotonicMs();
    const { status, body } = await ask(route.split(" ")[0] ?? "", path, payload);
    const tookMs = Math.round(clock.monotonicMs() - start);
    const isRight = tookMs < WITHIN_MS && LOOKS[fate]({ status, body, mode, stored: settled.alerts ?? "" });
    return isRight ? [] : [`${route} must be ${fate}, but is ${status} ${body.slice(0, 120)} after ${tookMs} ms`];
  }

  const fateOf = ({ effect, isAlways }: Cell, state: "up" | "down"): Fate | "always" => {
    const fate = MODE_TABLE[selectRow(effect, false)][mode][state];
    return fate === "unavailable" && isAlways ? "always" : fate;
  };

  const leavesRecord = (route: string, fate: Fate | "always") =>
    fate === "done" || (EXPORTS.includes(route) && mode !== "dummy");

  it("follows the mode table while the database is available, and stores only what is done", async () => {
    const wrong: string[] = [];
    let before = await storedIn(owner);
    for (const shared of cells(settled).filter((_, at) => at % EVERY === 0)) {
      const { route } = shared;
      const fate = fateOf(shared, "up");
      let cell: Cell | undefined = shared;
      // Only executed requests use up their objects.
      if (fate === "done") {
        const own = await make(RESPONSE.test(route), INVESTIGATIONS.test(route));
        cell = cells(own).find((each) => each.route === route);
        before = await storedIn(owner);
      }
      if (!cell) throw new Error(`no cell for ${route}`);
      wrong.push(...(await whatIsWrong(asAdmin, cell, fate)));
      const after = await storedIn(owner);
      const isKept = after !== before;
      before = after;
      if (isKept !== leavesRecord(route, fate))
        wrong.push(`${route}: ${fate}, and ${isKept ? "something" : "nothing"} was stored`);
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it("treats a finding of a sensor as a record of the platform itself", async () => {
    const { key = "" } = await make();
    const [cell] = cells(settled).filter(({ route }) => route === "POST /alerts");
    if (!cell) throw new Error("no route for findings");
    const before = await storedIn(owner);
    const fate = MODE_TABLE.internal[mode].up;
    expect(await whatIsWrong(askAs(platform.app, { "x-api-key": key }), cell, fate)).toEqual([]);
    expect((await storedIn(owner)) !== before).toBe(fate === "done");
  });

  it.each(["cut", "stall"] as const)("follows the mode table after a %s of the database", async (fault) => {
    const world = await make();
    const before = await storedIn(owner);
    // During an outage, only callers that authenticated before it are recognised.
    expect((await asAdmin("GET", "/users/me")).status).toBe(200);
    proxy[fault]();
    await clock.sleep(NOTICED_MS);
    const asked = cells(mode === "dummy" ? { ...world, ...SHOWN } : world).filter((_, at) => at % EVERY_OUTAGE === 0);
    const wrong: string[] = [];
    for (let first = 0; first < asked.length; first += AT_ONCE) {
      const some = asked.slice(first, first + AT_ONCE);
      wrong.push(...(await Promise.all(some.map((cell) => whatIsWrong(asAdmin, cell, fateOf(cell, "down"))))).flat());
    }
    proxy.heal();
    expect(wrong).toEqual([]);
    expect(await storedIn(owner)).toBe(before);
    await expect
      .poll(async () => (await asAdmin("GET", "/alerts")).body, { timeout: 10_000 })
      .toContain(world.alerts ?? "");
  });

  it("allows sign-in and logout whenever it answers reads", async () => {
    const tryIn = async () =>
      (await askAs(platform.app, {})("POST", "/auth/token", BODIES["POST /auth/token"]?.({}))).status;
    expect(await tryIn()).toBe(200);
    proxy.cut();
    await clock.sleep(NOTICED_MS);
    expect(await tryIn()).toBe(MODE_TABLE.none[mode].down === "showcase" ? 200 : 503);
    proxy.heal();
    await expect.poll(tryIn, { timeout: 10_000 }).toBe(200);
    const leaving = askAs(platform.app, await signIn(platform.app));
    expect((await leaving("POST", "/auth/logout")).status).toBe(200);
    expect((await leaving("GET", "/users/me")).status).toBe(401);
  });

  it("opens connections only to its database and its log engine", () => {
    expect(places).toContain(`127.0.0.1:${proxy.port}`);
    expect([...places].filter((place) => !databases.has(place))).toEqual([]);
  });
});
