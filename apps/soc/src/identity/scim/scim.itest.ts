import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENTRA, OKTA } from "../../../testing/fixtures/scim-requests.ts";
import { type ScimWorld, startScimWorld, TOKENS } from "../../../testing/harness/scim-world.ts";

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

let world: ScimWorld;
let analysts: string;
let made = 0;

beforeAll(async () => {
  world = await startScimWorld();
  analysts = (await world.send("POST", "/Groups", ENTRA.group("soc-analysts"))).body.id;
});
afterAll(() => world.close());

const nextName = () => {
  made += 1;
  return `person${made}`;
};

/** Adds a user of the provider with the rights of analysts. */
async function addUser(userName = nextName()): Promise<{ id: string; userName: string }> {
  const { body } = await world.send("POST", "/Users", ENTRA.user(userName));
  await world.send("PATCH", `/Groups/${analysts}`, ENTRA.addMember(body.id));
  return { id: body.id, userName };
}

async function findAccount(username: string) {
  const columns = "role, disabled, email, provider";
  return (await world.query(`SELECT ${columns} FROM users WHERE username = $1`, [username]))[0];
}

const filter = (path: string, text: string) => world.send("GET", `${path}?filter=${encodeURIComponent(text)}`);

describe("requests of Entra ID", () => {
  it("creates a user, who is disabled until a group grants a right", async () => {
    const userName = nextName();
    expect((await filter("/Users", `userName eq "${userName}"`)).body).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
    const { status, headers, body } = await world.send("POST", "/Users", ENTRA.user(userName));
    expect(status).toBe(201);
    expect(headers.get("content-type")).toBe("application/scim+json; charset=utf-8");
    expect(headers.get("location")).toBe(body.meta.location);
    expect(body).toEqual({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalId: ENTRA.user(userName).externalId,
      userName,
      name: { givenName: "givenName", familyName: "familyName" },
      emails: [{ value: `${userName}@testuser.example`, type: "work", primary: true }],
      active: true,
      meta: {
        resourceType: "User",
        created: expect.stringMatching(/Z$/),
        lastModified: expect.stringMatching(/Z$/),
        location: `${world.publicUrl}/scim/v2/Users/${body.id}`,
      },
    });
    expect(await findAccount(userName)).toMatchObject({ disabled: true, provider: "main" });
    expect((await world.send("PATCH", `/Groups/${analysts}`, ENTRA.addMember(body.id))).status).toBe(204);
    const email = `${userName}@testuser.example`;
    expect(await findAccount(userName)).toEqual({ role: "tier2", disabled: false, email, provider: "main" });
    const audit = await world.query("SELECT DISTINCT actor FROM audit_log WHERE subject_id = $1", [userName]);
    expect(audit).toEqual([{ actor: "scim:main" }]);
  });

  it("update, disable and enable a user", async () => {
    const { id, userName } = await addUser();
    const updated = await world.send("PATCH", `/Users/${id}`, ENTRA.updateAttributes);
    expect(updated.status).toBe(200);
    expect(updated.body.name.familyName).toBe("updatedFamilyName");
    expect(updated.body.emails[0].value).toBe("updatedEmail@testuser.example");
    expect((await world.send("PATCH", `/Users/${id}`, ENTRA.disable)).body.active).toBe(false);
    expect(await findAccount(userName)).toMatchObject({ disabled: true });
    expect((await world.send("GET", `/Users/${id}`)).body.active).toBe(false);
    expect((await world.send("PATCH", `/Users/${id}`, ENTRA.enable)).body.active).toBe(true);
    expect(await findAccount(userName)).toMatchObject({ disabled: false, role: "tier2" });
  });

  it("grants a user the sites of a group, and revokes them", async () => {
    await world.query("INSERT INTO sites (id, name, profile) VALUES (gen_random_uuid(), 'Hall', '{}')");
    const [hall] = await world.query("SELECT id, name FROM sites");
    const guards = (await world.send("POST", "/Groups", ENTRA.group("hall-guards"))).body.id;
    const { body } = await world.send("POST", "/Users", ENTRA.user(nextName()));
    const readSites = () => world.query("SELECT sites FROM users WHERE username = $1", [body.userName]);
    await world.send("PATCH", `/Groups/${guards}`, ENTRA.addMember(body.id));
    expect(await readSites()).toEqual([{ sites: [hall] }]);
    // The right of analysts comes first, and covers all sites.
    await world.send("PATCH", `/Groups/${analysts}`, ENTRA.addMember(body.id));
    expect(await readSites()).toEqual([{ sites: null }]);
  });

  it("renames a user, whose account keeps its name", async () => {
    const { id, userName } = await addUser();
    const renamed = await world.send("PATCH", `/Users/${id}`, ENTRA.rename(`${userName}.new`));
    expect(renamed.body.userName).toBe(`${userName}.new`);
    expect((await filter("/Users", `userName eq "${userName}.NEW"`)).body.totalResults).toBe(1);
    expect(await findAccount(userName)).toMatchObject({ disabled: false });
    expect((await world.send("POST", "/Users", ENTRA.user(userName))).status).toBe(409);
  });

  it("renames a group, and applies the rights of the new name", async () => {
    const { body } = await world.send("POST", "/Groups", ENTRA.group("guests"));
    const user = (await world.send("POST", "/Users", ENTRA.user(nextName()))).body;
    await world.send("PATCH", `/Groups/${body.id}`, ENTRA.addMember(user.id));
    expect(await findAccount(user.userName)).toMatchObject({ disabled: true });
    expect((await world.send("PATCH", `/Groups/${body.id}`, ENTRA.renameGroup("soc-admins"))).status).toBe(204);
    expect(await findAccount(user.userName)).toMatchObject({ disabled: false, role: "admin" });
    expect((await world.send("DELETE", `/Groups/${body.id}`)).status).toBe(204);
    expect(await findAccount(user.userName)).toMatchObject({ disabled: true });
  });

  it("reads a group without its members", async () => {
    const { body } = await world.send("GET", `/Groups/${analysts}?excludedAttributes=members`);
    expect(Object.keys(body).toSorted()).toEqual(["displayName", "externalId", "id", "meta", "schemas"]);
    const listed = await world.send(
      "GET",
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "SOC-analysts"')}`,
    );
    expect(listed.body).toMatchObject({ totalResults: 1, Resources: [{ id: analysts }] });
    expect(listed.body.Resources[0].members).toBeUndefined();
  });
});

describe("requests of Okta", () => {
  it("creates, reads, replaces and deactivates a user", async () => {
    const userName = `${nextName()}@okta.example`;
    const { status, body } = await world.send("POST", "/Users", OKTA.user(userName), TOKENS.other);
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain("1mz050nq");
    const [{ password_hash }] = await world.query("SELECT password_hash FROM users WHERE username = $1", [userName]);
    expect(await world.askJson("POST", "/auth/token", {}, { username: userName, password: "1mz050nq" })).toMatchObject({
      status: 401,
    });
    expect(password_hash).not.toContain("1mz050nq");
    const put = { ...OKTA.user(userName), name: { givenName: "Another", familyName: "Name" } };
    const replaced = await world.send("PUT", `/Users/${body.id}`, put, TOKENS.other);
    expect(replaced).toMatchObject({ status: 200, body: { name: { givenName: "Another" }, active: true } });
    const deactivated = await world.send("PATCH", `/Users/${body.id}`, OKTA.deactivate, TOKENS.other);
    expect(deactivated).toMatchObject({ status: 200, body: { active: false } });
  });

  it("pushes a group and changes its members", async () => {
    const send = (...[method, path, body]: Parameters<ScimWorld["send"]>) =>
      world.send(method, path, body, TOKENS.other);
    const group = (await send("POST", "/Groups", OKTA.group("soc-analysts"))).body;
    const [first, second] = [nextName(), nextName()];
    const one = (await send("POST", "/Users", OKTA.user(first))).body;
    const two = (await send("POST", "/Users", OKTA.user(second))).body;
    await send("PUT", `/Groups/${group.id}`, { ...OKTA.group("soc-analysts"), members: [{ value: one.id }] });
    expect(await findAccount(first)).toMatchObject({ disabled: false, role: "tier2" });
    expect((await send("PATCH", `/Groups/${group.id}`, OKTA.changeMembers(one.id, two.id))).status).toBe(204);
    expect(await findAccount(first)).toMatchObject({ disabled: true });
    expect(await findAccount(second)).toMatchObject({ disabled: false });
    const { body } = await send("GET", `/Groups/${group.id}`);
    expect(body.members).toEqual([{ value: two.id, display: second, type: "User" }]);
    expect((await send("PATCH", `/Groups/${group.id}`, OKTA.renameGroup(group.id, "Others"))).status).toBe(204);
    expect(await findAccount(second)).toMatchObject({ disabled: true });
  });

  it("tests the connection with a page of two", async () => {
    await addUser();
    await addUser();
    const { status, body } = await world.send("GET", "/Users?startIndex=1&count=2");
    expect(status).toBe(200);
    expect(body).toMatchObject({ startIndex: 1, itemsPerPage: 2 });
    const next = (await world.send("GET", "/Users?startIndex=2&count=1")).body;
    expect(next.Resources[0].id).toBe(body.Resources[1].id);
    expect((await world.send("GET", "/Users?count=0")).body).toMatchObject({ itemsPerPage: 0, Resources: [] });
    expect((await world.send("GET", "/Users?startIndex=0&count=100000")).status).toBe(200);
  });
});

describe("a SCIM filter", () => {
  it("finds users by each attribute, and by all of them", async () => {
    const { id, userName } = await addUser();
    const texts = [
      `id eq "${id}"`,
      `externalId eq "${ENTRA.user(userName).externalId}"`,
      `emails.value eq "${userName}@testuser.example"`,
      `emails[type eq "work"].value eq "${userName}@TESTUSER.example"`,
    ];
    for (const text of [...texts, `${texts.join(" and ")} and active eq true`]) {
      expect((await filter("/Users", text)).body, text).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    }
    expect((await filter("/Users", `id eq "${id}" and active eq false`)).body.totalResults).toBe(0);
    expect((await filter("/Groups", `id eq "${analysts}" and members eq "${id}"`)).body.totalResults).toBe(1);
  });

  it.each([
    'userName eq "x" or userName pr',
    "userName eq 'x'",
    `userName eq "x' OR '1'='1`,
    'password_hash eq "x"',
    'username; DROP TABLE users eq "x"',
    `userName eq "${"x".repeat(1500)}"`,
  ])("refuses a SCIM filter: %s", async (text) => {
    const { status, body } = await filter("/Users", text);
    expect(status).toBe(400);
    expect(body).toEqual({
      schemas: [ERROR],
      status: "400",
      scimType: "invalidFilter",
      detail: expect.stringMatching(/^filter: /),
    });
  });

  it.each(["x' OR '1'='1", "%", "\\u0000", "'; DROP TABLE users; --"])("matches %j literally", async (text) => {
    const { status, body } = await filter("/Users", `userName eq "${text}"`);
    if (text === "\\u0000") expect(body.totalResults).toBe(0);
    expect({ status, total: body.totalResults }).toEqual({ status: 200, total: 0 });
  });
});

describe("the token of a provider", () => {
  it("accepts no other credential than the token of a provider", async () => {
    const admin = await world.signIn("admin");
    const key = await world.askJson("POST", "/api-keys", admin.token, { name: "scim", scopes: ["alerts:read"] });
    const forged = [
      { authorization: `Bearer ${TOKENS.main}x` },
      { authorization: `Bearer ${TOKENS.main.slice(1)}` },
      { authorization: `Basic ${TOKENS.main}` },
      { authorization: `Bearer ${(await key.clone().json()).key}` },
      { "x-api-key": (await key.json()).key },
      admin.token,
      admin.session,
      { authorization: "Bearer " },
      {},
    ];
    for (const headers of forged) {
      const answer = await fetch(`${world.publicUrl}/scim/v2/Users`, { headers });
      expect(answer.status, JSON.stringify(headers)).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(await answer.json()).toEqual({ schemas: [ERROR], status: "401", detail: expect.any(String) });
    }
    expect((await world.askJson("GET", "/users", { authorization: `Bearer ${TOKENS.main}` })).status).toBe(401);
  });
});

describe("a SCIM provider", () => {
  it("sees and changes only its own users and groups", async () => {
    const { id, userName } = await addUser();
    for (const path of [`/Users/${id}`, `/Groups/${analysts}`]) {
      for (const [method, body] of [
        ["GET", undefined],
        ["PUT", { ...ENTRA.user(userName), displayName: "x" }],
        ["PATCH", ENTRA.disable],
        ["DELETE", undefined],
      ] as const) {
        const { status, body: answer } = await world.send(method, path, body, TOKENS.other);
        expect(status, `${method} ${path}`).toBe(404);
        expect(answer.schemas).toEqual([ERROR]);
      }
    }
    const found = await world.send(
      "GET",
      `/Users?filter=${encodeURIComponent(`id eq "${id}"`)}`,
      undefined,
      TOKENS.other,
    );
    expect(found.body.totalResults).toBe(0);
    const group = (await world.send("POST", "/Groups", OKTA.group(nextName()), TOKENS.other)).body;
    const stolen = await world.send("PATCH", `/Groups/${group.id}`, ENTRA.addMember(id), TOKENS.other);
    expect(stolen).toMatchObject({ status: 400, body: { scimType: "invalidValue" } });
    expect((await world.send("POST", "/Users", ENTRA.user(userName), TOKENS.other)).status).toBe(409);
    expect(await findAccount(userName)).toMatchObject({ disabled: false, provider: "main" });
  });

  it("never takes over a local user", async () => {
    for (const userName of ["admin", "ADMIN"]) {
      const { status, body } = await world.send("POST", "/Users", ENTRA.user(userName));
      expect(status).toBe(409);
      expect(body).toEqual({ schemas: [ERROR], status: "409", scimType: "uniqueness", detail: expect.any(String) });
    }
    expect(await findAccount("admin")).toMatchObject({ role: "admin", disabled: false, provider: null });
  });

  it("does not enable a user whom a local administrator disabled", async () => {
    const { id, userName } = await addUser();
    const { token } = await world.signIn("admin");
    await world.askJson("PATCH", `/users/${userName}`, token, { disabled: true });
    await world.send("PATCH", `/Users/${id}`, ENTRA.updateAttributes);
    await world.send("PATCH", `/Users/${id}`, ENTRA.disable);
    await world.send("PATCH", `/Users/${id}`, ENTRA.enable);
    expect(await findAccount(userName)).toMatchObject({ disabled: true });
    await world.askJson("PATCH", `/users/${userName}`, token, { disabled: false });
    await world.send("PATCH", `/Users/${id}`, ENTRA.updateAttributes);
    expect(await findAccount(userName)).toMatchObject({ disabled: false });
  });

  it("does not let a SCIM provider disable the last administrator", async () => {
    const { id, userName } = await addUser();
    const admins = (await world.send("POST", "/Groups", ENTRA.group("soc-admins"))).body.id;
    await world.send("PATCH", `/Groups/${admins}`, ENTRA.addMember(id));
    expect(await findAccount(userName)).toMatchObject({ role: "admin" });
    await world.query("UPDATE users SET disabled = true WHERE username = 'admin'");
    for (const [method, path, body] of [
      ["PATCH", `/Users/${id}`, ENTRA.disable],
      ["DELETE", `/Users/${id}`, undefined],
      ["PATCH", `/Groups/${admins}`, ENTRA.removeMember(id)],
      ["DELETE", `/Groups/${admins}`, undefined],
    ] as const) {
      const refused = await world.send(method, path, body);
      expect(refused.status, `${method} ${path}`).toBe(409);
      expect(refused.body).toEqual({
        schemas: [ERROR],
        status: "409",
        detail: `user '${userName}' is the last administrator`,
      });
    }
    await world.query("UPDATE users SET disabled = false WHERE username = 'admin'");
    expect((await world.send("DELETE", `/Groups/${admins}`)).status).toBe(204);
    expect(await findAccount(userName)).toMatchObject({ role: "tier2", disabled: false });
  });

  it("restores a deleted user under a new id", async () => {
    const { id, userName } = await addUser();
    expect((await world.send("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await world.send("GET", `/Users/${id}`)).status).toBe(404);
    expect((await world.send("DELETE", `/Users/${id}`)).status).toBe(404);
    expect((await filter("/Users", `userName eq "${userName}"`)).body.totalResults).toBe(0);
    expect(await findAccount(userName)).toMatchObject({ disabled: true });
    const again = await world.send("POST", "/Users", ENTRA.user(userName));
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(id);
    expect(await findAccount(userName)).toMatchObject({ disabled: true });
    await world.send("PATCH", `/Groups/${analysts}`, ENTRA.addMember(again.body.id));
    expect(await findAccount(userName)).toMatchObject({ disabled: false });
  });

  it.each([
    ["no JSON", "{", "invalidSyntax"],
    ["no user name", {}, "invalidValue"],
    ["a name that is none", { userName: "<script>" }, "invalidValue"],
    ["a path as name", { userName: "../../etc" }, "invalidValue"],
    ["a body that is too large", { userName: "x", displayName: "x".repeat(70_000) }, "invalidSyntax"],
  ])("refuses a SCIM request with %s", async (_, body, scimType) => {
    const refused = await world.send("POST", "/Users", body);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ schemas: [ERROR], status: "400", scimType });
  });

  it("reads the supported features", async () => {
    const config = (await world.send("GET", "/ServiceProviderConfig")).body;
    expect(config).toMatchObject({ patch: { supported: true }, filter: { supported: true, maxResults: 200 } });
    const types = (await world.send("GET", "/ResourceTypes")).body;
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(["/Users", "/Groups"]);
    const schemas = (await world.send("GET", "/Schemas")).body;
    expect(schemas.Resources.map(({ id }: { id: string }) => id)).toEqual([
      "urn:ietf:params:scim:schemas:core:2.0:User",
      "urn:ietf:params:scim:schemas:core:2.0:Group",
    ]);
  });

  it("changes members in concurrent requests, and is refused too many members", async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => addUser()));
    const second = (await world.send("POST", "/Groups", ENTRA.group(nextName()))).body.id;
    const members = users.map(({ id }) => ({ value: id }));
    await world.send("PUT", `/Groups/${second}`, { displayName: nextName(), members });
    const operations = users.map(({ id }) => world.send("PATCH", `/Groups/${analysts}`, ENTRA.removeMember(id)));
    expect(new Set((await Promise.all(operations)).map(({ status }) => status))).toEqual(new Set([204]));
    for (const { userName } of users) expect(await findAccount(userName)).toMatchObject({ disabled: true });
    const tooMany = { displayName: "x", members: Array.from({ length: 10_001 }, () => ({ value: "x" })) };
    expect((await world.send("POST", "/Groups", tooMany)).status).toBe(400);
  });
});
