import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Identity, PASSWORD, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

let identity: Identity;
let preview: Identity;
let dummy: Identity;
let admin: { authorization: string };

beforeAll(async () => {
  const { url } = await freshDatabase();
  identity = await startIdentity({ url });
  preview = await startIdentity({ url, mode: "dry_run" });
  dummy = await startIdentity({ url, mode: "dummy" });
  await identity.addUser("admin");
  await identity.addUser("auditor", "auditor");
  admin = await identity.bearer("admin");
});

afterAll(async () => {
  await identity.close();
  await preview.close();
  await dummy.close();
});

type Method = "GET" | "POST" | "PATCH" | "DELETE";

function ask(method: Method, path: string, payload?: object, { app } = identity, headers = admin) {
  return app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
}

async function readAudit(subject: string) {
  const rows = await identity.db
    .selectFrom("audit_log")
    .selectAll()
    .where("subject_id", "=", subject)
    .where("action", "like", "user.%")
    .execute();
  return rows.map(({ actor, action, details }) => ({ actor, action, details }));
}

describe("POST /users", () => {
  it("creates a user who can sign in, and never returns the password", async () => {
    const body = { username: "noor", password: "a long secret", role: "tier2", email: "noor@soc.example" };
    const created = await ask("POST", "/users", body);
    expect(created.statusCode).toBe(201);
    expect(created.json()).toEqual({
      username: "noor",
      role: "tier2",
      email: "noor@soc.example",
      disabled: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await identity.signIn("noor", "a long secret")).statusCode).toBe(200);
    expect(await readAudit("noor")).toEqual([
      {
        actor: "admin",
        action: "user.created",
        details: { role: "tier2", email: "noor@soc.example", disabled: false },
      },
    ]);
  });

  it.each([
    [{ username: "admin", password: "12345678", role: "tier1" }, 409, "username: user 'admin' already exists"],
    [{ username: "x", password: "1234567", role: "tier1" }, 400, "password: must be a text of 8 to 1000 characters"],
    [{ username: "x", password: "12345678" }, 400, "role: is required"],
    [{ username: "x", password: "12345678", role: "root" }, 400, /^role: must be one of admin, manager/],
    [{ username: "key:x", password: "12345678", role: "tier1" }, 400, /^username: /],
    [{ username: "x", password: "12345678", role: "tier1", email: "x" }, 400, /^email: /],
  ])("refuses %j with %i", async (body, status, detail) => {
    const refused = await ask("POST", "/users", body);
    expect(refused.statusCode).toBe(status);
    expect(refused.json().detail).toMatch(detail);
  });

  it("creates one of twenty users with the same name", async () => {
    const body = { username: "twin", password: "12345678", role: "tier1" };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask("POST", "/users", body)).statusCode),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  it("returns a preview and stores nothing in dry_run, and is blocked in dummy mode", async () => {
    const body = { username: "ghost", password: "12345678", role: "tier1" };
    const shown = await ask("POST", "/users", body, preview);
    expect(shown.statusCode).toBe(200);
    expect(shown.json()).toMatchObject({ dry_run: true, preview: { username: "ghost", role: "tier1" } });
    expect((await identity.signIn("ghost", "12345678")).statusCode).toBe(401);
    expect(await readAudit("ghost")).toEqual([]);
    const blocked = await ask("POST", "/users", body, dummy);
    expect(blocked.statusCode).toBe(403);
    expect(blocked.json()).toEqual({ detail: "Runtime mode 'dummy' blocks this change" });
  });
});

it.each([{}, { username: "another" }])(
  "refuses a PATCH with %j, and names the fields that can change",
  async (body) => {
    const refused = await ask("PATCH", "/users/admin", body);
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { detail: "body: must have password, role, email, disabled or sites" },
    ]);
  },
);

describe("GET /users", () => {
  it("lists users by name with pagination", async () => {
    const all = (await ask("GET", "/users")).json();
    const names = all.items.map(({ username }: { username: string }) => username);
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(expect.arrayContaining(["admin", "auditor"]));
    expect(all).toMatchObject({ total: names.length, skip: 0, limit: 50, next_cursor: null });
    expect(JSON.stringify(all)).not.toContain("hash");

    const first = (await ask("GET", "/users?limit=1")).json();
    expect(first.items).toEqual(all.items.slice(0, 1));
    const second = (await ask("GET", `/users?limit=1&cursor=${first.next_cursor}`)).json();
    expect(second.items).toEqual(all.items.slice(1, 2));
    expect((await ask("GET", "/users?limit=1&skip=1")).json().items).toEqual(second.items);
  });

  it.each(["/users?limit=201", "/users?limit=0", "/users?skip=-1", "/users?cursor=abc"])("refuses %s", async (path) =>
    expect((await ask("GET", path)).statusCode).toBe(400),
  );

  it.each([
    ["GET", "/users"],
    ["POST", "/users"],
    ["PATCH", "/users/admin"],
    ["DELETE", "/users/admin"],
  ] as const)("allows %s %s to administrators only", async (method, path) => {
    const auditor = await identity.bearer("auditor");
    const refused = await ask(method, path, undefined, identity, auditor);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ detail: "role 'auditor' is not 'admin'" });
  });

  it("shows every user their own account", async () => {
    const auditor = await identity.bearer("auditor");
    const me = (await ask("GET", "/users/me", undefined, identity, auditor)).json();
    expect(me).toMatchObject({ username: "auditor", role: "auditor", email: null, disabled: false });
  });
});

describe("PATCH /users/:username", () => {
  it("applies a new role at the next request with the same token", async () => {
    await identity.addUser("climber", "auditor");
    const climber = await identity.bearer("climber");
    expect((await ask("GET", "/users", undefined, identity, climber)).statusCode).toBe(403);
    const changed = await ask("PATCH", "/users/climber", { role: "admin", email: "c@soc.example" });
    expect(changed.json()).toMatchObject({ role: "admin", email: "c@soc.example" });
    expect((await ask("GET", "/users", undefined, identity, climber)).statusCode).toBe(200);
    await ask("PATCH", "/users/climber", { role: "tier1", email: null });
    expect((await ask("GET", "/users", undefined, identity, climber)).statusCode).toBe(403);
    expect((await readAudit("climber"))[0]).toEqual({
      actor: "admin",
      action: "user.updated",
      details: { role: "admin", email: "c@soc.example" },
    });
  });

  it.each([
    ["a new password", { password: "another secret" }],
    ["being disabled", { disabled: true }],
  ])("invalidates tokens and sessions after %s", async (why, change) => {
    const username = `ended-${Object.keys(change)[0]}`;
    await identity.addUser(username, "tier1");
    const cookie = String((await identity.signIn(username)).headers["set-cookie"]).split(";")[0];
    const token = await identity.bearer(username);
    expect((await ask("GET", "/users/me", undefined, identity, token)).statusCode, why).toBe(200);
    expect((await ask("PATCH", `/users/${username}`, change)).statusCode).toBe(200);
    expect((await ask("GET", "/users/me", undefined, identity, token)).statusCode).toBe(401);
    const byCookie = await identity.app.inject({ url: "/api/v1/users/me", headers: { cookie } });
    expect(byCookie.statusCode).toBe(401);
    expect((await identity.signIn(username, PASSWORD)).statusCode).toBe(401);
    const audit = JSON.stringify(await readAudit(username));
    expect(audit).not.toContain("another secret");
  });

  it("answers 404 for an unknown user", async () => {
    const refused = await ask("PATCH", "/users/unknown", { role: "tier1" });
    expect(refused.statusCode).toBe(404);
    expect(refused.json()).toEqual({ detail: "user 'unknown' does not exist" });
  });
});

describe("DELETE /users/:username", () => {
  it("deletes a user, whose token remains invalid even if the name is reused", async () => {
    await identity.addUser("leaver", "tier1");
    const leaver = await identity.bearer("leaver");
    const deleted = await ask("DELETE", "/users/leaver");
    expect(deleted.statusCode).toBe(200);
    expect(deleted.json()).toEqual({ deleted: true, id: "leaver" });
    expect((await ask("GET", "/users/me", undefined, identity, leaver)).statusCode).toBe(401);
    await identity.addUser("leaver", "admin");
    expect((await ask("GET", "/users/me", undefined, identity, leaver)).statusCode).toBe(401);
    expect((await ask("DELETE", "/users/leaver")).statusCode).toBe(200);
    expect((await ask("DELETE", "/users/leaver")).statusCode).toBe(404);
  });

  it("does not let users delete themselves", async () => {
    const refused = await ask("DELETE", "/users/admin");
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({ detail: "username: you cannot delete your own account" });
  });
});

describe("the last administrator", () => {
  it.each([{ disabled: true }, { role: "manager" }])(
    "refuses to change the last administrator to %j",
    async (change) => {
      const refused = await ask("PATCH", "/users/admin", change);
      expect(refused.statusCode).toBe(409);
      expect(refused.json()).toEqual({ detail: "user 'admin' is the last administrator" });
      expect((await ask("PATCH", "/users/admin", { role: "admin", disabled: false })).statusCode).toBe(200);
    },
  );

  it("remains if two administrators delete each other concurrently", async () => {
    for (let round = 0; round < 10; round += 1) {
      await identity.addUser("second");
      const second = await identity.bearer("second");
      const answers = await Promise.all([
        ask("DELETE", "/users/second"),
        ask("DELETE", "/users/admin", undefined, identity, second),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
      const admins = await identity.db
        .selectFrom("users")
        .select("username")
        .where("role", "=", "admin")
        .where("disabled", "=", false)
        .execute();
      expect(admins).toHaveLength(1);
      await identity.db.deleteFrom("users").where("username", "in", ["admin", "second"]).execute();
      await identity.addUser("admin");
      admin = await identity.bearer("admin");
    }
  });
});
