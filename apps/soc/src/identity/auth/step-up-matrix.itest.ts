import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signIn as signInAsAdmin } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD as PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";

// Derived by hand from the requirement, not from the code.
const MARKED = [
  // Deciding an approval.
  "POST /api/v1/approvals/:id/decide",
  // Isolating a host, and releasing it.
  "POST /api/v1/edr/endpoints/:id/isolate",
  "POST /api/v1/edr/endpoints/:id/unisolate",
  // Revoking the certificate of a device or the key of another user.
  "POST /api/v1/cps/devices/:id/revoke",
  "DELETE /api/v1/api-keys/:id",
  // Creating API keys.
  "POST /api/v1/api-keys",
  // Changing users; resetting factors also ends the sessions of the user.
  "POST /api/v1/users",
  "PATCH /api/v1/users/:username",
  "DELETE /api/v1/users/:username",
  "DELETE /api/v1/users/:username/factors",
  "POST /api/v1/users/:username/vouch",
  // Ending the sessions of another user.
  "DELETE /api/v1/users/:username/sessions",
  "DELETE /api/v1/users/:username/sessions/:id",
  // Exporting the audit log and the evidence of a case.
  "GET /api/v1/audit/export",
  "GET /api/v1/ledger/bundle",
  // Blinding the detection, or the people who read about it.
  "POST /api/v1/detections/exceptions",
  "DELETE /api/v1/detections/rules/:rule_id",
  "POST /api/v1/detections/rules/bulk",
  "DELETE /api/v1/sites/:id",
  // Sending events in the name of another sender.
  "POST /api/v1/siem/dead-letters/:id/replay",
  // Trusting firmware, and a new device.
  "PUT /api/v1/firmware/:hash",
  "POST /api/v1/cps/enrolment-codes",
  // Sending data out of the platform.
  "POST /api/v1/notifications/channels",
  "PATCH /api/v1/notifications/channels/:id",
  "PUT /api/v1/soar/playbooks/:id",
  "POST /api/v1/soar/playbooks/import",
  "POST /api/v1/soar/automations",
  "PATCH /api/v1/soar/automations/:id",
];
/** A body for the routes where it decides. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /api/v1/detections/exceptions": {
    scope: "all",
    query: "host:*",
    reason: "all",
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  },
  "POST /api/v1/detections/rules/bulk": { ids: ["none"], enabled: false },
  "PUT /api/v1/firmware/:hash": { vendor: "a", product: "b", version: "1", known_good: true },
  "PATCH /api/v1/notifications/channels/:id": { settings: { url: "https://elsewhere.example.org/hook" } },
};
/** Bodies of the same routes that blind, trust and send nothing. */
const HARMLESS: Readonly<Record<string, object>> = {
  "POST /api/v1/detections/exceptions": { ...BODIES["POST /api/v1/detections/exceptions"], scope: "rule" },
  "POST /api/v1/detections/rules/bulk": { ids: ["none"], enabled: true },
  "PUT /api/v1/firmware/:hash": { vendor: "a", product: "b", version: "1", known_good: false },
  "PATCH /api/v1/notifications/channels/:id": { name: "another name" },
};
/** Those of the routes that otherwise accept API keys. */
const BY_KEY = [
  "POST /api/v1/detections/rules/bulk",
  "PUT /api/v1/firmware/:hash",
  "POST /api/v1/cps/enrolment-codes",
  "POST /api/v1/cps/devices/:id/revoke",
  "POST /api/v1/edr/endpoints/:id/isolate",
  "POST /api/v1/edr/endpoints/:id/unisolate",
];

const BUNDLE = "GET /api/v1/ledger/bundle";
const NEEDS_FRESH = "a fresh second factor is needed: POST /api/v1/auth/step-up";
const NO_KEY = "a fresh second factor is needed: an API key has none";
const NEEDS_FACTOR = "a second factor is needed: POST /api/v1/auth/step-up or /api/v1/me/factors/totp";
/** A well-formed id that no record has. */
const NOTHING = "0197f000-0000-7000-8000-00000000dead";

type Platform = Awaited<ReturnType<typeof wholePlatform>>;
type Headers = Record<string, string>;

let folder: string;
let owner: pg.Pool;
/** The same platform with step-up off and on. */
let off: Platform;
let on: Platform;
let callers: Record<string, Headers>;

const query = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows;

async function ask({ app }: Platform, method: string, path: string, headers: Headers, payload?: object) {
  const answer = await app.inject({ method: method as "GET", url: path, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body, cookie: [answer.headers["set-cookie"]].flat()[0] ?? "" };
}

async function signIn(username: string, code?: string) {
  const body = { username, password: PASSWORD, ...(code !== undefined && { code }) };
  const answer = await ask(on, "POST", "/api/v1/auth/token", {}, body);
  expect(answer.status).toBe(200);
  const cookie = answer.cookie.split(";")[0] ?? "";
  return { token: { authorization: `Bearer ${JSON.parse(answer.body).access_token}` }, session: { cookie } };
}

/** Copies a session and changes its state. */
async function changeSession(session: { cookie: string }, change: string): Promise<Headers> {
  const [, id = ""] = session.cookie.split("=");
  const hash = createHash("sha256").update(id).digest("hex");
  const changed = await query(`UPDATE sessions SET ${change} WHERE id_hash = $1 RETURNING 1`, [hash]);
  expect(changed).toHaveLength(1);
  return session;
}

/** Recovery codes are enough to pass a factor. */
async function giveFactor(username: string, codes: readonly string[]): Promise<void> {
  await query(
    `INSERT INTO user_factors (id, username, kind, name, created_at, confirmed_at)
     VALUES (gen_random_uuid(), $1, 'webauthn', 'key', now(), now())`,
    [username],
  );
  for (const code of codes) {
    const text = JSON.stringify(["recovery code", username, code.toUpperCase()]);
    const digest = createHash("sha256").update(text).digest("hex");
    await query("INSERT INTO recovery_codes (username, digest) VALUES ($1, $2)", [username, digest]);
  }
}

const CODES = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(16));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "step-up-"));
  const { url } = await freshDatabase();
  owner = new pg.Pool({ connectionString: url, max: 1 });
  const signInSettings = { providersFile: undefined, isLocalOff: false, breakGlassUser: "admin" };
  off = await wholePlatform("real", url, folder, undefined, { signIn: { ...signInSettings, isStepUpOn: false } });
  on = await wholePlatform("real", url, folder, undefined, {
    signIn: { ...signInSettings, isStepUpOn: true, minPasswordLength: 15 },
  });
  const admin = await signInAsAdmin(off.app);
  for (const username of ["chief", "plain"]) {
    const user = { username, password: PASSWORD, role: "admin" };
    expect((await ask(off, "POST", "/api/v1/users", admin, user)).status).toBe(201);
  }
  const made = await ask(off, "POST", "/api/v1/api-keys", admin, { name: "whole", scopes: PERMISSIONS });
  expect(made.status).toBe(201);
  await giveFactor("chief", CODES);
  const plain = await signIn("plain");
  const [a, b, c, d] = [
    await signIn("chief", CODES[0]),
    await signIn("chief", CODES[1]),
    await signIn("chief", CODES[2]),
    await signIn("chief", CODES[3]),
  ];
  callers = {
    "no factor, by token": plain.token,
    "no factor, by session": plain.session,
    "fresh factor, by token": a.token,
    "fresh factor, by session": a.session,
    "old factor": await changeSession(b.session, "factor_at = now() - interval '5 minutes 1 second'"),
    "old session, from before its user had a factor": await changeSession(c.session, "factor_at = NULL"),
    "pending session": await changeSession(d.session, "factor_at = NULL, is_pending = true"),
    "API key": { "x-api-key": JSON.parse(made.body).key },
  };
});

afterAll(async () => {
  await on.close();
  await off.close();
  await owner.end();
  await rm(folder, { recursive: true });
});

const split = (route: string) => {
  const [method = "", path = ""] = route.split(" ");
  const body = ["POST", "PATCH", "PUT"].includes(method) ? { body: BODIES[route] ?? {} } : {};
  const hash = "ab".repeat(32);
  return { method, path: path.replaceAll(":hash", hash).replaceAll(/:\w+/g, NOTHING), ...body };
};
const splitPath = (route: string) => {
  const { method, path } = split(route);
  return { method, path };
};
const askRoute = (platform: Platform, route: string, caller: string) => {
  const { method, path, body } = split(route);
  return ask(platform, method, path, callers[caller] ?? {}, body);
};
const isPast = (status: number) => ![401, 403, 429].includes(status) && status < 500;

it("marks exactly the routes of the requirement", () => {
  const marked = on.app.registeredRoutes.filter(({ config }) => config.stepUp);
  expect(marked.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(MARKED.toSorted());
});

it.each(MARKED)("requires a fresh factor of a person on %s", async (route) => {
  const refused = JSON.stringify({ detail: NEEDS_FRESH });
  for (const caller of ["no factor, by token", "no factor, by session", "old factor"]) {
    const { status, body } = await askRoute(on, route, caller);
    expect([caller, status, body]).toEqual([caller, 403, refused]);
  }
  const older = await askRoute(on, route, "old session, from before its user had a factor");
  expect([older.status, older.body]).toEqual([403, refused]);
  const pending = await askRoute(on, route, "pending session");
  expect([pending.status, pending.body]).toEqual([403, JSON.stringify({ detail: NEEDS_FACTOR })]);
  const byKey = await askRoute(on, route, "API key");
  expect(byKey.status).toBe(403);
  const detail = BY_KEY.includes(route) ? NO_KEY : "X-API-Key: this route does not accept an API key";
  expect(byKey.body).toBe(JSON.stringify({ detail }));
  for (const caller of ["fresh factor, by token", "fresh factor, by session"])
    expect(await askRoute(on, route, caller)).toSatisfy(({ status }: { status: number }) => isPast(status));
});

it.each(Object.keys(HARMLESS))(
  "requires no factor on %s for a body that blinds, trusts and sends nothing",
  async (route) => {
    const { method, path } = split(route);
    for (const caller of ["no factor, by token", "old factor"])
      expect(await ask(on, method, path, callers[caller] ?? {}, HARMLESS[route])).toSatisfy(
        ({ status }: { status: number }) => isPast(status),
      );
  },
);

it.each(MARKED)("answers as documented on %s while step-up is off", async (route) => {
  for (const caller of ["no factor, by token", "old factor", "fresh factor, by session"])
    expect(await askRoute(off, route, caller)).toSatisfy(({ status }: { status: number }) => isPast(status));
  if (BY_KEY.includes(route)) expect(isPast((await askRoute(off, route, "API key")).status)).toBe(true);
});

it.each(["no factor, by token", "old factor", "fresh factor, by token"])(
  "performs none of these actions in a batch for a caller with %s",
  async (caller) => {
    // A batch reads: a route that writes, or downloads a file, is 400 in it.
    const requests = MARKED.filter((route) => route !== BUNDLE).map(splitPath);
    for (const start of [0, 20]) {
      const part = requests.slice(start, start + 20);
      const { status, body } = await ask(on, "POST", "/api/v1/batch", callers[caller] ?? {}, { requests: part });
      expect(status).toBe(200);
      const statuses = JSON.parse(body).responses.map((each: { status: number }) => each.status);
      expect(statuses).toEqual(part.map(() => 400));
    }
    const one = { requests: [splitPath(BUNDLE)] };
    const bundle = JSON.parse((await ask(on, "POST", "/api/v1/batch", callers[caller] ?? {}, one)).body).responses;
    // The query has no case: a caller with a fresh factor learns that, others do not.
    expect(bundle[0].status).toBe(caller === "fresh factor, by token" ? 400 : 403);
  },
);

it("grants a pending session nothing through a batch", async () => {
  const requests = [{ path: "/api/v1/users/me" }, { path: "/api/v1/alerts" }, { path: "/api/v1/audit/export" }];
  const { status, body } = await ask(on, "POST", "/api/v1/batch", callers["pending session"] ?? {}, { requests });
  expect([status, body]).toEqual([403, JSON.stringify({ detail: NEEDS_FACTOR })]);
});

it("performs none of these actions through /mcp or /tools, for any caller", async () => {
  const needed = new Set<string | undefined>(
    on.app.registeredRoutes.filter(({ config }) => config.stepUp).flatMap(({ config }) => [config.needs].flat()),
  );
  // Tools read cases and logs, and export no bundle; none writes what a step-up protects.
  for (const permission of ["cases:read", "siem:read"]) needed.delete(permission);
  expect(needed).toEqual(
    new Set([
      "approvals:manage",
      "audit:read",
      "cps:manage",
      "detections:write",
      "edr:manage",
      "role:admin",
      "siem:ingest",
      "sites:manage",
      "soar:manage",
    ]),
  );
  for (const caller of ["fresh factor, by token", "API key"]) {
    const { status, body } = await ask(on, "GET", "/api/v1/tools?limit=200", callers[caller] ?? {});
    expect(status).toBe(200);
    const { items, total } = JSON.parse(body);
    expect(items).toHaveLength(total);
    expect(items.filter(({ permission }: { permission: string }) => needed.has(permission))).toEqual([]);
  }
  for (const name of ["decide_approval", "isolate", "revoke_device", "create_api_key", "update_user", "export_audit"]) {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { id: NOTHING } } };
    const accept = "application/json, text/event-stream";
    const headers = { ...callers["no factor, by token"], accept };
    const { status, body } = await ask(on, "POST", "/mcp", headers, call);
    expect([status < 500, body.includes('"error"')]).toEqual([true, true]);
  }
});

it("records who downloads the bundle of a case", async () => {
  const path = `/api/v1/ledger/bundle?case_id=${NOTHING}`;
  await ask(on, "GET", path, callers["fresh factor, by token"] ?? {});
  const recorded = await query("SELECT actor, subject_id, details FROM audit_log WHERE action = 'ledger.exported'");
  expect(recorded).toEqual([
    { actor: "chief", subject_id: "/api/v1/ledger/bundle", details: { query: `case_id=${NOTHING}` } },
  ]);
});

it("refuses a new password that is shorter than configured, or the user name", async () => {
  const fresh = callers["fresh factor, by token"] ?? {};
  const username = "a-very-long-user-name";
  const create = (platform: Platform, password: string) =>
    ask(platform, "POST", "/api/v1/users", fresh, { username, password, role: "tier1" });
  const refuse = (detail: string) => ({ status: 400, body: JSON.stringify({ detail }) });
  expect(await create(on, "fourteen chars")).toMatchObject(refuse("password: must have at least 15 characters"));
  expect(await create(on, username.toUpperCase())).toMatchObject(refuse("password: must not be the user name"));
  const shortened = await ask(on, "PATCH", "/api/v1/users/plain", fresh, { password: "fourteen chars" });
  expect(shortened).toMatchObject(refuse("password: must have at least 15 characters"));
  expect(await create(off, "8letters")).toMatchObject({ status: 201 });
});
