import { createClock } from "@kit/clock";
import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENTRA, OKTA } from "../../../testing/fixtures/scim-requests.ts";
import { type ScimWorld, startScimWorld, TOKENS } from "../../../testing/harness/scim-world.ts";
import { CLIENT, findFreePort, type SignInWorld, startSignInWorld } from "../../../testing/harness/sign-in-world.ts";
import { type OidcAccount, startOidcProvider } from "../../../testing/servers/oidc-provider.ts";

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const PASSWORD = "a password for tests";
/** The contract allows a minute; the service reacts within seconds. */
const SOON = { timeout: 30_000 };

describe("a person who leaves", () => {
  let world: ScimWorld;
  let group: string;
  let made = 0;

  beforeAll(async () => {
    world = await startScimWorld();
    group = (await world.send("POST", "/Groups", ENTRA.group("soc-analysts"))).body.id;
  });
  afterAll(() => world.close());

  /** Adds a user with a token, a session, a stream on each, and an API key. */
  async function addPerson() {
    made += 1;
    const userName = `leaver${made}`;
    const { id } = (await world.send("POST", "/Users", ENTRA.user(userName))).body;
    await world.send("PATCH", `/Groups/${group}`, ENTRA.addMember(id));
    // Only users without a provider sign in with a password, which replaces the sign-in of the provider here.
    const rewrite = (provider: string | null, password_hash: string) =>
      world.query("UPDATE users SET provider = $2, password_hash = $3 WHERE username = $1", [
        userName,
        provider,
        password_hash,
      ]);
    const [known] = await world.query("SELECT provider, password_hash FROM users WHERE username = $1", [userName]);
    await rewrite(null, await hash(PASSWORD, CHEAP));
    const { token, session } = await world.signIn(userName, PASSWORD);
    await rewrite(known.provider, known.password_hash);
    const { token: admin } = await world.signIn("admin");
    const body = { name: `key-of-${userName}`, scopes: ["alerts:read"], owner: userName };
    const { key } = await (await world.askJson("POST", "/api-keys", admin, body)).json();
    const streams = [await world.listen(token), await world.listen(session)];
    const readStatuses = async () => [
      (await world.askJson("GET", "/users/me", token)).status,
      (await world.askJson("GET", "/users/me", session)).status,
      (await world.askJson("GET", "/alerts", { "x-api-key": key })).status,
    ];
    expect(await readStatuses()).toEqual([200, 200, 200]);
    expect(streams.map(({ status, isEnded }) => [status, isEnded])).toEqual([
      [200, false],
      [200, false],
    ]);
    return { id, userName, readStatuses, streams };
  }

  it.each([
    ["disabled by Entra ID", (id: string) => world.send("PATCH", `/Users/${id}`, ENTRA.disable)],
    ["deactivated by Okta", (id: string) => world.send("PATCH", `/Users/${id}`, OKTA.deactivate)],
    [
      "replaced as inactive",
      (id: string) => world.send("PUT", `/Users/${id}`, { userName: `was-${id}`, active: false }),
    ],
    ["deleted", (id: string) => world.send("DELETE", `/Users/${id}`)],
    ["removed from the group", (id: string) => world.send("PATCH", `/Groups/${group}`, ENTRA.removeMember(id))],
  ])("ends tokens, sessions, streams and keys of a person at once when %s", async (_, end) => {
    const { id, readStatuses, streams } = await addPerson();
    const clock = createClock();
    const start = clock.monotonicMs();
    expect((await end(id)).status).toBeLessThan(300);
    expect(await readStatuses()).toEqual([401, 401, 401]);
    await expect.poll(() => streams.every(({ isEnded }) => isEnded), SOON).toBe(true);
    expect(clock.monotonicMs() - start).toBeLessThan(60_000);
  });

  it("does not regain an old token when the right returns", async () => {
    const { id, userName, readStatuses } = await addPerson();
    await world.send("PATCH", `/Users/${id}`, ENTRA.disable);
    await world.send("PATCH", `/Users/${id}`, ENTRA.enable);
    const [token, session] = await readStatuses();
    expect([token, session]).toEqual([401, 401]);
    expect((await world.query("SELECT disabled FROM users WHERE username = $1", [userName]))[0].disabled).toBe(false);
  });

  it("keeps tokens and sessions but loses streams if the remaining groups are for one site", async () => {
    await world.query("INSERT INTO sites (id, name, profile) VALUES (gen_random_uuid(), 'Hall', '{}')");
    const guards = (await world.send("POST", "/Groups", ENTRA.group("hall-guards"))).body.id;
    const { id, userName, readStatuses, streams } = await addPerson();
    expect((await world.send("PATCH", `/Groups/${guards}`, ENTRA.addMember(id))).status).toBe(204);
    expect((await world.send("PATCH", `/Groups/${group}`, ENTRA.removeMember(id))).status).toBe(204);
    const [account] = await world.query("SELECT sites FROM users WHERE username = $1", [userName]);
    expect(account.sites).toMatchObject([{ name: "Hall" }]);
    await expect.poll(() => streams.map(({ isEnded }) => isEnded), SOON).toEqual([true, true]);
    expect((await readStatuses()).slice(0, 2)).toEqual([200, 200]);
  });
});

describe("with sign-in through a provider", () => {
  const accounts = new Map<string, OidcAccount>();
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  let world: SignInWorld;
  let group: string;

  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${world.publicUrl}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKENS.main}`, "content-type": "application/scim+json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.status === 204 ? {} : answer.json();
  };
  async function signIn(name: string) {
    accounts.set(name, { groups: ["soc-analysts"] });
    const { location, cookie } = await world.begin("main");
    return world.comeBack(await provider.signIn(location, name, new Map()), cookie);
  }
  async function addUser(userName: string): Promise<string> {
    const { id } = await send("POST", "/Users", ENTRA.user(userName));
    await send("PATCH", `/Groups/${group}`, ENTRA.addMember(id));
    return id;
  }

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
    const providers = [{ id: "main", issuer: provider.issuer, scimToken: TOKENS.main }];
    world = await startSignInWorld({ providers, port });
    group = (await send("POST", "/Groups", ENTRA.group("soc-analysts"))).id;
  });
  afterAll(async () => {
    await world.close();
    await provider.close();
  });

  it("links a user at the first sign-in, and refuses a user who has left", async () => {
    const id = await addUser("noor");
    const { status, session = "" } = await signIn("noor");
    expect(status).toBe(200);
    const me = await (await world.ask("/users/me", { headers: { cookie: session } })).json();
    expect(me).toMatchObject({ username: "noor", role: "tier2" });
    await send("DELETE", `/Users/${id}`);
    expect(await signIn("noor")).toMatchObject({ status: 403, session: undefined });
  });

  it("links a renamed user by the new name, and never another person by the old name", async () => {
    const id = await addUser("maiden");
    await send("PATCH", `/Users/${id}`, ENTRA.rename("married"));
    expect(await signIn("maiden")).toMatchObject({ status: 409, session: undefined });
    const { session = "" } = await signIn("married");
    const me = await (await world.ask("/users/me", { headers: { cookie: session } })).json();
    expect(me.username).toBe("maiden");
  });

  it("refuses a person who was renamed, left, and never signed in", async () => {
    const id = await addUser("quiet");
    await send("PATCH", `/Users/${id}`, ENTRA.rename("quieter"));
    await send("DELETE", `/Users/${id}`);
    expect(await signIn("quieter")).toMatchObject({ status: 403, session: undefined });
  });

  it("manages a user who signed in earlier, from then on", async () => {
    const { session = "" } = await signIn("early");
    const { id } = await send("POST", "/Users", ENTRA.user("early"));
    const readStatus = async () => (await world.ask("/users/me", { headers: { cookie: session } })).status;
    expect(await readStatus()).toBe(401);
    await send("PATCH", `/Groups/${group}`, ENTRA.addMember(id));
    expect((await signIn("early")).status).toBe(200);
  });
});

describe("SCIM in other modes", () => {
  it("refuses every provider in dummy mode", async () => {
    const world = await startScimWorld({ mode: "dummy" });
    const read = await world.send("GET", "/Users");
    expect(read).toMatchObject({ status: 403, body: { status: "403" } });
    expect((await world.send("POST", "/Users", ENTRA.user("x"))).status).toBe(403);
    expect((await world.send("GET", "/Users", undefined, "wrong")).status).toBe(401);
    await world.close();
  });

  it("ends access in dry_run, like every sign-in", async () => {
    const world = await startScimWorld({ mode: "dry_run" });
    const { status, body } = await world.send("POST", "/Users", ENTRA.user("x"));
    expect(status).toBe(201);
    expect((await world.send("PATCH", `/Users/${body.id}`, ENTRA.disable)).body.active).toBe(false);
    await world.close();
  });

  it("keeps the name of the break-glass administrator free while passwords are disabled", async () => {
    const world = await startScimWorld({ isLocalOff: true });
    await world.query("UPDATE users SET username = 'renamed' WHERE username = 'admin'");
    expect((await world.send("POST", "/Users", ENTRA.user("Admin"))).status).toBe(409);
    await world.close();
  });
});
