import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT, findFreePort, type SignInWorld, startSignInWorld } from "../../../testing/harness/sign-in-world.ts";
import { ADMIN_PASSWORD } from "../../../testing/harness/whole-platform.ts";
import { type OidcAccount, startOidcProvider } from "../../../testing/servers/oidc-provider.ts";

type TestedProvider = Awaited<ReturnType<typeof startOidcProvider>>;

const accounts = new Map<string, OidcAccount>();
let provider: TestedProvider;
let world: SignInWorld;
let owner: pg.Pool;

beforeAll(async () => {
  const port = await findFreePort();
  const api = `http://127.0.0.1:${port}/api/v1`;
  provider = await startOidcProvider({
    ...CLIENT,
    redirect_uris: [`${api}/auth/oidc/main/callback`],
    backchannel_logout_uri: `${api}/auth/oidc/main/logout`,
    post_logout_redirect_uris: [`http://127.0.0.1:${port}/`],
    accounts,
  });
  world = await startSignInWorld({ providers: [{ id: "main", issuer: provider.issuer }], port });
  owner = new pg.Pool({ connectionString: world.url, max: 2 });
});

afterAll(async () => {
  await owner.end();
  await world.close();
  await provider.close();
});

let count = 0;
/** Adds a person with these groups to the provider. */
function addPerson(groups = ["soc-analysts"]): string {
  count += 1;
  const name = `person${count}`;
  accounts.set(name, { groups, email: `${name}@company.example` });
  return name;
}

async function signIn(name: string, next?: string) {
  const cookies = new Map<string, string>();
  const { location, cookie } = await world.begin("main", next);
  const answered = await provider.signIn(location, name, cookies);
  return { ...(await world.comeBack(answered, cookie)), answered, attempt: cookie, cookies };
}

const me = async (session = "") => (await world.ask("/users/me", { headers: { cookie: session } })).json();
const readStatus = async (session = "") => (await world.ask("/users/me", { headers: { cookie: session } })).status;
const query = async (sql: string, values: unknown[] = []) => (await owner.query(sql, values)).rows;

async function bearer(): Promise<{ authorization: string }> {
  const answer = await world.ask("/auth/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "admin", password: ADMIN_PASSWORD }),
  });
  return { authorization: `Bearer ${(await answer.json()).access_token}` };
}

describe("a sign-in through a provider", () => {
  it("offers the sign-in through a provider to everyone", async () => {
    const answer = await world.ask("/auth/methods");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      password: { is_break_glass_only: false },
      // The address of this service is an IP address, for which browsers offer no keys.
      passkey: { is_available: false },
      factors: ["totp", "recovery_code"],
      providers: [{ id: "main", label: "Company main", start_url: "/api/v1/auth/oidc/main/start" }],
    });
  });

  it("creates the user with the role of the group and redirects to the requested page", async () => {
    const name = addPerson();
    const { status, body, session } = await signIn(name, "/alerts?severity=high");
    expect(status).toBe(200);
    expect(body).toContain('content="0;url=/alerts?severity=high"');
    expect(await me(session)).toMatchObject({ username: name, role: "tier2", email: `${name}@company.example` });
    const actions = await query("SELECT action, actor FROM audit_log WHERE subject_id = $1 ORDER BY at, id", [name]);
    expect(actions).toEqual([
      { action: "user.created", actor: "oidc:main" },
      { action: "auth.signed_in", actor: "oidc:main" },
    ]);
  });

  it("applies the current groups at each sign-in, and refuses a person without any of them", async () => {
    const name = addPerson(["soc-analysts"]);
    const { session: first } = await signIn(name);
    accounts.set(name, { groups: ["others", "soc-admins"] });
    const { session: second } = await signIn(name);
    expect(await me(second)).toMatchObject({ username: name, role: "admin", email: null });
    expect(await me(first)).toMatchObject({ role: "admin" });
    accounts.set(name, { groups: ["others"] });
    const refused = await signIn(name);
    expect(refused).toMatchObject({ status: 403, session: undefined });
    expect(await readStatus(second)).toBe(401);
  });

  it("grants the sites of the group, ignoring sites that do not exist", async () => {
    const name = addPerson(["hall-guards"]);
    const { session } = await signIn(name);
    expect(await me(session)).toMatchObject({ role: "tier1", sites: [] });
    const headers = { ...(await bearer()), "content-type": "application/json" };
    const body = JSON.stringify({ name: "Hall", profile: { asset_classes: ["it"] } });
    const { id } = await (await world.ask("/sites", { method: "POST", headers, body })).json();
    await signIn(name);
    expect(await me(session)).toMatchObject({ sites: [{ id, name: "Hall" }] });
    accounts.set(name, { groups: ["soc-analysts"] });
    await signIn(name);
    expect(await me(session)).not.toHaveProperty("sites");
  });

  it("refuses a user who is disabled here", async () => {
    const name = addPerson();
    const { session } = await signIn(name);
    await world.ask(`/users/${name}`, {
      method: "PATCH",
      headers: { ...(await bearer()), "content-type": "application/json" },
      body: JSON.stringify({ disabled: true }),
    });
    expect(await readStatus(session)).toBe(401);
    expect(await signIn(name)).toMatchObject({ status: 403, session: undefined });
  });

  it("never takes over a local user with the same name", async () => {
    accounts.set("admin", { groups: ["soc-admins"] });
    expect(await signIn("admin")).toMatchObject({ status: 409, session: undefined });
  });

  it("creates another user if the provider reuses an old name for another person", async () => {
    const name = addPerson();
    await signIn(name);
    await query("UPDATE user_identities SET subject = 'a person who left' WHERE username = $1", [name]);
    expect(await signIn(name)).toMatchObject({ status: 409, session: undefined });
  });

  it("opens one session if its response arrives twice at once, and none if it is replayed", async () => {
    const name = addPerson();
    const { location, cookie } = await world.begin("main");
    const answered = await provider.signIn(location, name);
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.comeBack(answered, cookie)));
    expect(answers.filter(({ session }) => session !== undefined)).toHaveLength(1);
    expect((await world.comeBack(answered, cookie)).session).toBeUndefined();
  });

  it("refuses a sign-in in another browser than the one that started it", async () => {
    const { location } = await world.begin("main");
    const { cookie: other } = await world.begin("main");
    const answered = await provider.signIn(location, addPerson());
    expect(await world.comeBack(answered, "")).toMatchObject({ status: 401, session: undefined });
    expect(await world.comeBack(answered, other)).toMatchObject({ status: 401, session: undefined });
  });

  it("works at once after the provider has changed its keys", async () => {
    expect((await signIn(addPerson())).status).toBe(200);
    await provider.rotateKeys();
    expect((await signIn(addPerson())).status).toBe(200);
  });

  it("answers 503 while the provider is unavailable, and works when it is back", async () => {
    const { location, cookie } = await world.begin("main");
    const name = addPerson();
    const answered = await provider.signIn(location, name);
    provider.goDown();
    expect(await world.comeBack(answered, cookie)).toMatchObject({ status: 503, session: undefined });
    await provider.rotateKeys();
    expect((await signIn(name)).status).toBe(200);
  });

  it("shows a returning browser a page instead of JSON", async () => {
    const answer = await world.ask("/auth/oidc/main/callback?code=%3Cscript%3E", {
      headers: { accept: "text/html,*/*" },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await answer.text()).toContain('<a href="/sign-in">');
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/a\nb", "evil"])(
    "refuses to redirect to %j",
    async (next) => {
      expect((await world.begin("main", next)).status).toBe(400);
    },
  );
});

describe("logout", () => {
  it("ends the session that the provider began, and no other, on logout at the provider", async () => {
    const name = addPerson();
    const first = await signIn(name);
    const second = await signIn(name);
    await provider.endSession(`${provider.issuer}/session/end`, first.cookies);
    await expect.poll(() => readStatus(first.session), { timeout: 5000 }).toBe(401);
    expect(await readStatus(second.session)).toBe(200);
  });

  it("ends all sessions on logout here, and returns where to end the provider's session", async () => {
    const { session = "" } = await signIn(addPerson());
    const answer = await world.ask("/auth/oidc/logout", { method: "POST", headers: { cookie: session } });
    const { logged_out, end_session_url } = await answer.json();
    expect(logged_out).toBe(true);
    expect(end_session_url).toContain(`${provider.issuer}/session/end`);
    expect(await readStatus(session)).toBe(401);
  });
});

it("refuses a password for a user of a provider, whose second factor it would bypass", async () => {
  const name = addPerson();
  await signIn(name);
  const admin = { username: "admin", password: ADMIN_PASSWORD };
  const headers = { "content-type": "application/json" };
  const signedIn = await world.ask("/auth/token", { method: "POST", headers, body: JSON.stringify(admin) });
  const { access_token } = await signedIn.json();
  const refused = await world.ask(`/users/${name}`, {
    method: "PATCH",
    headers: { ...headers, authorization: `Bearer ${access_token}` },
    body: JSON.stringify({ password: "a long password" }),
  });
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { detail: `password: user '${name}' signs in through provider 'main'` },
  ]);
  // As a release before this one allowed it.
  const owner = new pg.Client(world.url);
  await owner.connect();
  await owner.query(
    "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE username = 'admin') WHERE username = $1",
    [name],
  );
  await owner.end();
  const body = JSON.stringify({ username: name, password: ADMIN_PASSWORD });
  expect((await world.ask("/auth/token", { method: "POST", headers, body })).status).toBe(401);
});

describe("with passwords disabled", () => {
  let alone: SignInWorld;
  const post = (path: string, body: object) =>
    alone.ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const token = (username: string, password: string) => post("/auth/token", { username, password });

  beforeAll(async () => {
    const port = await findFreePort();
    alone = await startSignInWorld({ providers: [{ id: "main", issuer: provider.issuer }], port, isLocalOff: true });
  });
  afterAll(() => alone.close());

  it("allows only the break-glass administrator to sign in with a password, and each sign-in raises an alert", async () => {
    expect((await (await alone.ask("/auth/methods")).json()).password).toEqual({ is_break_glass_only: true });
    const answer = await token("admin", ADMIN_PASSWORD);
    expect(answer.status).toBe(200);
    const headers = { authorization: `Bearer ${(await answer.json()).access_token}` };
    const json = { ...headers, "content-type": "application/json" };
    const user = { username: "local", password: "a long password", role: "admin" };
    expect((await alone.ask("/users", { method: "POST", headers: json, body: JSON.stringify(user) })).status).toBe(201);
    expect((await token("local", "a wrong password")).status).toBe(401);
    expect((await token("unknown", "a long password")).status).toBe(401);
    await token("admin", ADMIN_PASSWORD);
    const { items } = await (await alone.ask("/alerts?source=sign-in", { headers })).json();
    expect(items).toEqual([
      expect.objectContaining({ severity: "high", user: "admin", occurrence_count: 2, status: "new" }),
    ]);
    const answers = await Promise.all(
      ["a long password", "a wrong password"].flatMap((password) =>
        ["/auth/token", "/auth/webauthn/options"].map(async (path) => {
          const refused = await post(path, { username: "local", password });
          return [refused.status, await refused.json()];
        }),
      ),
    );
    for (const each of answers) expect(each).toEqual([401, { detail: "username or password is wrong" }]);
    const audit = await (await alone.ask("/audit?action=auth.refused&subject_id=local", { headers })).json();
    expect(audit.items).toHaveLength(5);
  });

  it("raises the alert and records the password also if a security key or a code is still missing", async () => {
    const json = { authorization: `Bearer ${(await (await token("admin", ADMIN_PASSWORD)).json()).access_token}` };
    const count = async () =>
      (await (await alone.ask("/alerts?source=sign-in", { headers: json })).json()).items[0].occurrence_count;
    const before = await count();
    const options = await post("/auth/webauthn/options", { username: "admin", password: ADMIN_PASSWORD });
    expect(options.status).toBe(409);
    expect(await count()).toBe(before + 1);
    const audit = await (await alone.ask("/audit?action=auth.factor_pending", { headers: json })).json();
    expect(audit.items).toMatchObject([{ actor: "admin", subject_id: "admin" }]);
  });
});

it("never gives the name of the break-glass administrator to a user of a provider", async () => {
  const port = await findFreePort();
  const lone = await startOidcProvider({
    ...CLIENT,
    redirect_uris: [`http://127.0.0.1:${port}/api/v1/auth/oidc/main/callback`],
    accounts,
  });
  const providers = [{ id: "main", issuer: lone.issuer }];
  const strict = await startSignInWorld({ providers, port, isLocalOff: true, breakGlassUser: "Last-Resort" });
  accounts.set("last-resort", { groups: ["soc-admins"] });
  accounts.set("another", { groups: ["soc-admins"] });
  const tryIn = async (name: string) => {
    const { location, cookie } = await strict.begin("main");
    return strict.comeBack(await lone.signIn(location, name), cookie);
  };
  expect(await tryIn("last-resort")).toMatchObject({ status: 409, session: undefined });
  expect((await tryIn("another")).status).toBe(200);
  await strict.close();
  await lone.close();
});

it("offers and contacts no provider in dummy mode", async () => {
  const port = await findFreePort();
  const dummy = await startSignInWorld({ providers: [{ id: "main", issuer: provider.issuer }], port, mode: "dummy" });
  expect((await (await dummy.ask("/auth/methods")).json()).providers).toEqual([]);
  expect((await dummy.begin("main")).status).toBe(403);
  await dummy.close();
});
