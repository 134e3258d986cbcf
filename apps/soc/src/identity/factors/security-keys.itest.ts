import { createFakeClock } from "@kit/clock/fake";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSoftwareAuthenticator } from "../../../testing/fixtures/software-authenticator.ts";
import { type Identity, PASSWORD, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

// Uses software authenticators, which can forge. `e2e/soc/passkeys.e2e.ts` uses a real browser.

const SITE = "https://soc.example.org";
const WRONG = "is wrong or was used already";
const clock = createFakeClock();
let url: string;
/** Two processes share one database. */
let first: Identity;
let second: Identity;

beforeEach(async () => {
  ({ url } = await freshDatabase());
  first = await startIdentity({ url, clock, publicUrl: SITE });
  second = await startIdentity({ url, clock, publicUrl: `${SITE}/` });
  await first.addUser("admin");
  await first.addUser("ann", "tier2");
});

afterEach(async () => {
  await first.close();
  await second.close();
});

const cookieIn = (set: string | string[] | number | undefined) => [set].flat()[0]?.toString().split(";")[0];

async function ask({ app }: Identity, method: string, path: string, payload?: object, headers = {}, address = "") {
  const answer = await app.inject({
    method: method as "GET",
    url: `/api/v1${path}`,
    headers,
    ...(payload && { payload }),
    ...(address !== "" && { remoteAddress: address }),
  });
  return { status: answer.statusCode, body: answer.json(), cookie: cookieIn(answer.headers["set-cookie"]) };
}

const password = (username: string) => ({ username, password: PASSWORD });

async function enrol(username: string, key = createSoftwareAuthenticator(SITE), isVerified = true) {
  const { cookie: before } = await ask(first, "POST", "/auth/token", password(username));
  const body = { current_password: PASSWORD };
  const options = await ask(first, "POST", "/me/factors/webauthn/options", body, { cookie: before });
  expect(options.status).toBe(200);
  const credential = key.create(options.body, { isVerified });
  const added = await ask(second, "POST", "/me/factors/webauthn", { credential }, { cookie: before });
  expect(added.status).toBe(201);
  return { key, before, cookie: added.cookie, factor: added.body, options: options.body };
}

const askOptions = async (username: string, address = "") =>
  (await ask(first, "POST", "/auth/webauthn/options", password(username), {}, address)).body;
const signIn = (identity: Identity, username: string, webauthn: object, address = "") =>
  ask(identity, "POST", "/auth/token", { ...password(username), webauthn }, {}, address);
const askPasskey = async () => (await ask(first, "POST", "/auth/passkey/options")).body;
const signInByPasskey = (identity: Identity, credential: object, address = "") =>
  ask(identity, "POST", "/auth/passkey", { credential }, {}, address);
const listAudit = async (action: string) =>
  first.db.selectFrom("audit_log").select(["actor", "subject_id", "details"]).where("action", "=", action).execute();

describe("enrolment of a security key", () => {
  it("requires the password, ends the sessions of the password alone, and returns recovery codes", async () => {
    const { cookie } = await ask(first, "POST", "/auth/token", password("ann"));
    const none = await ask(first, "POST", "/me/factors/webauthn/options", {}, { cookie });
    expect(none).toMatchObject({ status: 400, body: { detail: "current_password: is required for the first factor" } });
    const enrolled = await enrol("ann");
    expect(enrolled.factor).toMatchObject({ kind: "webauthn", name: "Security key", is_passkey: true });
    expect(enrolled.factor.recovery_codes).toHaveLength(10);
    expect((await ask(first, "GET", "/users/me", undefined, { cookie: enrolled.before })).status).toBe(401);
    expect((await ask(first, "GET", "/users/me", undefined, { cookie: enrolled.cookie })).status).toBe(200);
    expect(await listAudit("factor.added")).toHaveLength(1);
    const plain = await ask(first, "POST", "/auth/token", password("ann"));
    expect([plain.status, plain.body.detail]).toEqual([401, "code: a second factor is needed"]);
    const code = enrolled.factor.recovery_codes[0];
    expect((await ask(first, "POST", "/auth/token", { ...password("ann"), code })).status).toBe(200);
  });

  it.each([
    ["of another origin", { origin: "https://evil.example" }, 0],
    ["after five minutes", {}, 5 * 60_000 + 6000],
  ])("refuses a key %s", async (_what, signing, laterMs) => {
    const { cookie } = await ask(first, "POST", "/auth/token", password("ann"));
    const body = { current_password: PASSWORD };
    const options = await ask(first, "POST", "/me/factors/webauthn/options", body, { cookie });
    const credential = createSoftwareAuthenticator(SITE).create(options.body, signing);
    await clock.advance(laterMs);
    const refused = await ask(first, "POST", "/me/factors/webauthn", { credential }, { cookie });
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      "credential: is not valid here or was already used; start again",
    ]);
  });

  it("refuses a challenge for another user, for another purpose, or already used", async () => {
    const { key, options, cookie } = await enrol("ann");
    const again = { credential: createSoftwareAuthenticator(SITE).create(options) };
    expect((await ask(first, "POST", "/me/factors/webauthn", again, { cookie })).status).toBe(400);
    const { cookie: admin } = await ask(first, "POST", "/auth/token", password("admin"));
    const foreign = await ask(first, "POST", "/me/factors/webauthn/options", {}, { cookie });
    const stolen = { credential: createSoftwareAuthenticator(SITE).create(foreign.body) };
    expect((await ask(first, "POST", "/me/factors/webauthn", stolen, { cookie: admin })).status).toBe(400);
    expect((await signIn(first, "ann", key.sign(foreign.body))).status).toBe(401);
    expect((await signIn(first, "ann", key.sign(await askPasskey()))).status).toBe(401);
    expect((await signInByPasskey(first, key.sign(await askOptions("ann")))).status).toBe(401);
    expect((await signIn(first, "ann", key.sign(await askOptions("ann")))).status).toBe(200);
  });

  it("adds a key only once, even for another user", async () => {
    const { key } = await enrol("ann");
    const { cookie } = await ask(first, "POST", "/auth/token", password("admin"));
    const body = { current_password: PASSWORD };
    const options = await ask(first, "POST", "/me/factors/webauthn/options", body, { cookie });
    const credential = key.create(options.body);
    expect((await ask(first, "POST", "/me/factors/webauthn", { credential }, { cookie })).status).toBe(409);
    expect((await ask(first, "GET", "/me/factors", undefined, { cookie })).body.items).toEqual([]);
  });

  it("offers no security key if browsers offer none for the address", async () => {
    const plain = await startIdentity({ url, clock, publicUrl: "http://soc.example.org" });
    const methods = await ask(plain, "GET", "/auth/methods");
    expect(methods.body).toMatchObject({ passkey: { is_available: false }, factors: ["totp", "recovery_code"] });
    expect((await ask(plain, "POST", "/auth/passkey/options")).status).toBe(409);
    await plain.close();
    expect((await ask(first, "GET", "/auth/methods")).body).toMatchObject({
      passkey: { is_available: true },
      factors: ["totp", "recovery_code", "webauthn"],
    });
  });
});

describe("a signature of a security key", () => {
  it("accepts a signature once, even if two processes receive it at the same time", async () => {
    const { key } = await enrol("ann");
    const signed = key.sign(await askOptions("ann"));
    const answers = await Promise.all([first, second, first, second].map((each) => signIn(each, "ann", signed)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  });

  it("refuses a signature of another user or origin, and a modified one", async () => {
    const { key } = await enrol("ann");
    await enrol("admin");
    expect((await signIn(first, "admin", key.sign(await askOptions("admin")))).status).toBe(401);
    const elsewhere = key.sign(await askOptions("ann"), { origin: "https://evil.example" });
    expect((await signIn(first, "ann", elsewhere)).body.detail).toBe(`webauthn: ${WRONG}`);
    const signed = key.sign(await askOptions("ann"));
    const { signature } = key.sign(await askOptions("ann")).response;
    expect((await signIn(first, "ann", { ...signed, response: { ...signed.response, signature } })).status).toBe(401);
    const handled = key.sign(await askPasskey(), { userHandle: "c29tZSBvdGhlciB1c2Vy" });
    expect((await signInByPasskey(first, handled)).status).toBe(401);
  });

  it("marks a key with a decreased counter as copied, so that only recovery codes and other factors work", async () => {
    const { key, factor, cookie } = await enrol("ann");
    expect((await signIn(first, "ann", key.sign(await askOptions("ann"), { count: 7 }))).status).toBe(200);
    // A forged signature must not block the key of its user.
    const forged = createSoftwareAuthenticator(SITE).sign(await askOptions("ann"), { count: 3 });
    await signIn(first, "ann", { ...forged, id: key.id, rawId: key.id });
    expect(await listAudit("auth.factor_cloned")).toEqual([]);
    expect((await signIn(second, "ann", key.sign(await askOptions("ann"), { count: 7 }))).status).toBe(401);
    expect(await listAudit("auth.factor_cloned")).toEqual([
      { actor: "127.0.0.1", subject_id: "ann", details: { address: "127.0.0.1", factor: "webauthn" } },
    ]);
    const { body } = await ask(first, "GET", "/me/factors", undefined, { cookie });
    expect(body.items).toMatchObject([{ id: factor.id, cloned_at: clock.now().toISOString() }]);
    expect((await signInByPasskey(first, key.sign(await askPasskey(), { count: 50 }))).status).toBe(401);
    expect((await ask(first, "POST", "/auth/webauthn/options", password("ann"))).status).toBe(409);
    const code = factor.recovery_codes[0];
    expect((await ask(first, "POST", "/auth/token", { ...password("ann"), code })).status).toBe(200);
  });

  it("accepts signatures of a key without a counter repeatedly", async () => {
    const { key } = await enrol("ann");
    for (let times = 0; times < 3; times += 1)
      expect((await signIn(first, "ann", key.sign(await askOptions("ann"), { count: 0 }))).status).toBe(200);
  });

  it("adds a fresh factor to a session", async () => {
    const { key, factor, cookie } = await enrol("ann");
    await clock.advance(6 * 60_000);
    expect((await ask(first, "DELETE", `/me/factors/${factor.id}`, undefined, { cookie })).status).toBe(403);
    const options = await ask(first, "POST", "/auth/step-up/options", undefined, { cookie });
    const webauthn = key.sign(options.body);
    expect((await ask(second, "POST", "/auth/step-up", { webauthn }, { cookie })).status).toBe(200);
    const again = await ask(second, "POST", "/auth/step-up", { webauthn }, { cookie });
    expect([again.status, again.body.detail]).toEqual([400, `webauthn: ${WRONG}`]);
    const renamed = await ask(first, "PATCH", `/me/factors/${factor.id}`, { name: "blue key" }, { cookie });
    expect([renamed.status, renamed.body.name]).toEqual([200, "blue key"]);
    expect((await ask(first, "DELETE", `/me/factors/${factor.id}`, undefined, { cookie })).status).toBe(200);
    expect(await first.db.selectFrom("webauthn_credentials").select("factor_id").execute()).toEqual([]);
  });
});

it("limits and records challenges for a right password that open no session", async () => {
  await enrol("ann");
  const statuses: number[] = [];
  for (let at = 0; at < 21; at += 1) {
    const asked = await ask(at % 2 ? first : second, "POST", "/auth/webauthn/options", password("ann"));
    statuses.push(asked.status);
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  const pending = await listAudit("auth.factor_pending");
  expect(pending).toHaveLength(20);
  expect(pending[0]).toMatchObject({ actor: "ann", subject_id: "ann" });
});

describe("200 wrong signatures", () => {
  it("as second factor are limited and never accepted", { timeout: 240_000 }, async () => {
    const { key } = await enrol("ann");
    const wrong = createSoftwareAuthenticator(SITE);
    const statuses: number[] = [];
    let options = await askOptions("ann", "203.0.113.0");
    for (let at = 0; at < 200; at += 1) {
      // Five addresses reach the check ten times each; after that, challenges are not checked.
      if (at < 50) options = await askOptions("ann", `203.0.113.${at % 5}`);
      const signed = { ...wrong.sign(options), id: key.id, rawId: key.id };
      const answer = await signIn(at % 2 ? first : second, "ann", signed, `203.0.113.${at % 5}`);
      expect(answer.cookie).toBeUndefined();
      statuses.push(answer.status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(150);
    const right = key.sign(await askOptions("ann"));
    expect((await signIn(first, "ann", right, "203.0.113.1")).status).toBe(429);
    expect((await signIn(first, "ann", right, "198.51.100.7")).status).toBe(200);
    // Requests refused by the limit left no trace.
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM webauthn_uses`.execute(first.db);
    expect(rows).toEqual([{ count: 52 }]);
  });

  it("as passkey are limited by address", { timeout: 240_000 }, async () => {
    const { key } = await enrol("ann");
    const wrong = createSoftwareAuthenticator(SITE);
    const statuses: number[] = [];
    let options = await askPasskey();
    for (let at = 0; at < 200; at += 1) {
      if (at < 50) options = await askPasskey();
      const signed = { ...wrong.sign(options), id: key.id, rawId: key.id };
      statuses.push((await signInByPasskey(at % 2 ? first : second, signed)).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(150);
    expect((await signInByPasskey(first, key.sign(await askPasskey()), "198.51.100.7")).status).toBe(200);
  });
});

describe("a passkey", () => {
  it("signs in with a passkey without a password, and counts it as both factors", async () => {
    const strict = await startIdentity({ url, clock, publicUrl: SITE, secondFactorRoles: ["admin"] });
    const { key } = await enrol("admin");
    const signedIn = await signInByPasskey(strict, key.sign(await askPasskey()));
    expect(signedIn.status).toBe(200);
    const { cookie } = signedIn;
    expect((await ask(strict, "GET", "/users", undefined, { cookie })).status).toBe(200);
    expect((await ask(strict, "POST", "/me/factors/recovery-codes", undefined, { cookie })).status).toBe(200);
    expect(await listAudit("auth.signed_in")).toContainEqual({
      actor: "admin",
      subject_id: "admin",
      details: { address: "127.0.0.1", factor: "passkey" },
    });
    await strict.close();
  });

  it("requires a passkey to verify its user when it is created and when it signs", async () => {
    const { key } = await enrol("ann");
    expect((await signInByPasskey(first, key.sign(await askPasskey(), { isVerified: false }))).status).toBe(401);
    // A key without a PIN: the finder can set one.
    const { key: lax, factor } = await enrol("admin", createSoftwareAuthenticator(SITE), false);
    expect(factor.is_passkey).toBe(false);
    expect((await signInByPasskey(first, lax.sign(await askPasskey()))).status).toBe(401);
    const second = lax.sign(await askOptions("admin"), { isVerified: false });
    expect((await signIn(first, "admin", second)).status).toBe(200);
  });

  it("refuses the passkey of a disabled user and of a user of a provider", async () => {
    const { key } = await enrol("ann");
    await sql`UPDATE users SET provider = 'main' WHERE username = 'ann'`.execute(first.db);
    expect((await signInByPasskey(first, key.sign(await askPasskey()))).status).toBe(403);
    await sql`UPDATE users SET provider = NULL, disabled = true WHERE username = 'ann'`.execute(first.db);
    expect((await signInByPasskey(first, key.sign(await askPasskey()))).status).toBe(401);
  });

  it("refuses a passkey from another site", async () => {
    const { key } = await enrol("ann");
    const credential = key.sign(await askPasskey());
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await ask(first, "POST", "/auth/passkey", { credential }, headers)).status).toBe(403);
  });
});
