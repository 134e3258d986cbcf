import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { type FaultProxy, startFaultProxy } from "@kit/testing/fault-proxy";
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from "jose";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

const wall = createClock();
const clock = createFakeClock();
let url: string;
let proxy: FaultProxy;
/** Two processes share one database; the second one connects through a proxy that can fail. */
let first: Identity;
let second: Identity;

beforeEach(async () => {
  const fresh = await freshDatabase();
  url = fresh.url;
  proxy = await startFaultProxy(fresh.port);
  first = await startIdentity({ url, clock });
  second = await startIdentity({ url: url.replace(`:${fresh.port}`, `:${proxy.port}`), clock });
  await first.addUser("admin");
});

afterEach(async () => {
  proxy.heal();
  await first.close();
  await second.close();
  await proxy.close();
});

type Headers = Record<string, string | undefined>;
const get = async ({ app }: Identity, path: string, headers: Headers) =>
  (await app.inject({ url: `/api/v1${path}`, headers })).statusCode;
const cookieFrom = (answered: { headers: Record<string, unknown> }) =>
  String(answered.headers["set-cookie"]).split(";")[0];

interface SignedIn {
  cookie: string;
  token: { authorization: string };
}

/** Returns both credentials of one sign-in. */
async function signInBoth(process: Identity, username: string): Promise<SignedIn> {
  const answered = await process.signIn(username);
  return {
    cookie: cookieFrom(answered) ?? "",
    token: { authorization: `Bearer ${answered.json().access_token}` },
  };
}

const byAction = (a: { action: string }, b: { action: string }) => a.action.localeCompare(b.action);

describe("an access token", () => {
  it("accepts an access token in every process, and names the key that verifies it", async () => {
    const headers = await first.bearer("admin");
    expect(await get(second, "/users/me", headers)).toBe(200);
    const token = headers.authorization.slice("Bearer ".length);
    const { keys } = (await second.app.inject({ url: "/api/v1/auth/jwks", headers })).json();
    expect(keys).toHaveLength(1);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "EdDSA", typ: "JWT", kid: keys[0].kid });
    const { payload } = await jwtVerify(token, await importJWK(keys[0]), { currentDate: clock.now() });
    expect(payload).toEqual({
      iss: "manara-soc",
      aud: "manara-soc",
      sub: "admin",
      role: "admin",
      tv: expect.any(Number),
      sid: expect.stringMatching(/^[0-9a-f]{64}$/),
      jti: expect.any(String),
      iat: expect.any(Number),
      nbf: payload.iat,
      exp: Number(payload.iat) + 1800,
    });
  });

  it("signs with the same key if several processes sign their first token concurrently", async () => {
    const tokens = await Promise.all([first, second, first, second].map((each) => each.bearer("admin")));
    const kids = tokens.map(({ authorization }) => decodeProtectedHeader(authorization.slice(7)).kid);
    expect(new Set(kids).size).toBe(1);
  });

  it("invalidates the token and the session in all processes on logout, and allows a new sign-in", async () => {
    const headers = await first.bearer("admin");
    const cookie = cookieFrom(await first.signIn("admin"));
    expect(await get(second, "/users/me", { cookie })).toBe(200);
    const answered = await first.app.inject({ method: "POST", url: "/api/v1/auth/logout", headers });
    expect(answered.json()).toEqual({ logged_out: true });
    expect(await get(second, "/users/me", headers)).toBe(401);
    expect(await get(second, "/users/me", { cookie })).toBe(401);
    const again = await first.bearer("admin");
    expect(await get(second, "/users/me", again)).toBe(200);
    expect(decodeJwt(again.authorization.slice(7)).tv).not.toBe(decodeJwt(headers.authorization.slice(7)).tv);
  });

  it("ends with its session in all processes at once, and another session keeps its token", async () => {
    await first.addUser("noor", "tier1");
    const admin = await first.bearer("admin");
    const noor = await Promise.all([1, 2, 3].map(() => signInBoth(first, "noor")));
    const [own, other, kept] = noor as [SignedIn, SignedIn, SignedIn];
    const listed = async ({ cookie }: SignedIn) => {
      const { items } = (await second.app.inject({ url: "/api/v1/me/sessions", headers: { cookie } })).json();
      return items.find((each: { is_current: boolean }) => each.is_current).id;
    };
    const end = async (path: string, headers: Headers) =>
      (await second.app.inject({ method: "DELETE", url: `/api/v1${path}`, headers })).statusCode;
    expect(await end(`/me/sessions/${await listed(own)}`, { cookie: kept.cookie })).toBe(200);
    expect(await end(`/users/noor/sessions/${await listed(other)}`, admin)).toBe(200);
    for (const process of [first, second]) {
      expect(await get(process, "/users/me", own.token)).toBe(401);
      expect(await get(process, "/users/me", other.token)).toBe(401);
      expect(await get(process, "/users/me", kept.token)).toBe(200);
    }
  });

  it("keeps its own session and ends the tokens of all others", async () => {
    const [kept, other] = [await signInBoth(first, "admin"), await signInBoth(first, "admin")];
    const ended = await first.app.inject({ method: "DELETE", url: "/api/v1/me/sessions", headers: kept.token });
    expect(ended.json()).toEqual({ ended: 1 });
    expect(await get(second, "/users/me", kept.token)).toBe(200);
    expect(await get(second, "/users/me", { cookie: kept.cookie })).toBe(200);
    expect(await get(second, "/users/me", other.token)).toBe(401);
  });

  it("is valid for thirty minutes without a session if a former release has issued it", async () => {
    const { token } = await signInBoth(first, "admin");
    const { private_jwk } = await first.db.selectFrom("signing_keys").selectAll().executeTakeFirstOrThrow();
    const { sid: _sid, ...claims } = decodeJwt(token.authorization.slice(7));
    const former = await new SignJWT(claims)
      .setProtectedHeader({ ...decodeProtectedHeader(token.authorization.slice(7)), alg: "EdDSA" })
      .sign(await importJWK(private_jwk, "EdDSA"));
    const headers = { authorization: `Bearer ${former}` };
    expect(await get(second, "/users/me", headers)).toBe(200);
    await clock.advance(31 * 60_000);
    expect(await get(second, "/users/me", headers)).toBe(401);
  });

  it.each(["cut", "stall"] as const)(
    "lets a token read the system mode after a %s of the database, while other routes answer 503 instead of 401",
    async (fault) => {
      const headers = await first.bearer("admin");
      const cookie = cookieFrom(await first.signIn("admin"));
      await first.addUser("unseen");
      const unseen = await first.bearer("unseen");
      expect(await get(second, "/users/me", headers)).toBe(200);
      const slowest = { ms: 0 };
      const getLost = async (path: string, credentials: Headers) => {
        const start = wall.monotonicMs();
        const status = await get(second, path, credentials);
        slowest.ms = Math.max(slowest.ms, wall.monotonicMs() - start);
        // Long enough for the next check of the database.
        await wall.sleep(150);
        return status;
      };
      proxy[fault]();
      expect(await getLost("/users/me", headers)).toBe(200);
      expect(await getLost("/system/mode", headers)).toBe(200);
      expect(await getLost("/users", headers)).toBe(503);
      expect(await getLost("/users", { cookie })).toBe(503);
      expect(await getLost("/system/mode", unseen)).toBe(503);
      expect(await getLost("/users", {})).toBe(401);
      expect(await getLost("/users", { authorization: `${headers.authorization}x` })).toBe(401);
      expect((await second.signIn("admin")).statusCode).toBe(503);
      expect(slowest.ms).toBeLessThan(2000);
    },
  );
});

describe("a session", () => {
  it("ends a session thirty minutes after its last use", async () => {
    const cookie = cookieFrom(await first.signIn("admin"));
    await clock.advance(29 * 60_000);
    expect(await get(first, "/users/me", { cookie })).toBe(200);
    await clock.advance(29 * 60_000);
    expect(await get(second, "/users/me", { cookie })).toBe(200);
    await clock.advance(30 * 60_000);
    expect(await get(first, "/users/me", { cookie })).toBe(401);
  });

  it("ends a session twelve hours after its start, even if it is in use", async () => {
    const cookie = cookieFrom(await first.signIn("admin"));
    for (let used = 0; used < 35; used += 1) {
      await clock.advance(20 * 60_000);
      expect(await get(first, "/users/me", { cookie })).toBe(200);
    }
    await clock.advance(20 * 60_000);
    expect(await get(first, "/users/me", { cookie })).toBe(401);
  });

  it("stores a session only as a hash, and deletes it at the next sign-in after its end", async () => {
    const [, id = ""] = cookieFrom(await first.signIn("admin"))?.split("=") ?? [];
    expect(JSON.stringify(await first.db.selectFrom("sessions").selectAll().execute())).not.toContain(id);
    await clock.advance(31 * 60_000);
    await first.signIn("admin");
    expect(await first.db.selectFrom("sessions").select("username").execute()).toHaveLength(1);
  });

  it("allows no change and no sign-in from a page of another site", async () => {
    const cookie = cookieFrom(await first.signIn("admin"));
    const attack = { cookie, "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const refused = await first.app.inject({ method: "DELETE", url: "/api/v1/users/noor", headers: attack });
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ detail: "Origin: a session cannot be used from another site" });
    expect((await first.signIn("admin", undefined, attack)).statusCode).toBe(403);
    const own = { cookie, "sec-fetch-site": "same-origin" };
    expect((await first.app.inject({ method: "DELETE", url: "/api/v1/users/noor", headers: own })).statusCode).toBe(
      404,
    );
  });
});

describe("the audit log", () => {
  const listAudit = (db = first.db) =>
    db
      .selectFrom("audit_log")
      .select(["actor", "action", "subject_type", "subject_id", "details"])
      .where("action", "like", "auth.%")
      .orderBy("at")
      .orderBy("id")
      .execute();
  const address = "127.0.0.1";

  it("records sign-ins, logouts and refusals with their address, but never a password", async () => {
    const headers = await first.bearer("admin");
    await first.signIn("admin", "a wrong secret");
    await first.signIn("unknown", "another secret");
    // The user has typed the password into the username field.
    await first.signIn("my secret", "x");
    await first.app.inject({ method: "POST", url: "/api/v1/auth/logout", headers });
    const [user, details] = [{ subject_type: "user", subject_id: "admin" }, { address }];
    expect(await listAudit()).toEqual([
      { actor: "admin", action: "auth.signed_in", ...user, details },
      { actor: address, action: "auth.refused", ...user, details },
      { actor: address, action: "auth.refused", subject_type: "user", subject_id: "unknown:b23a6a84", details },
      { actor: address, action: "auth.refused", subject_type: "user", subject_id: expect.any(String), details },
      { actor: "admin", action: "auth.logged_out", ...user, details },
    ]);
    const written = JSON.stringify(await first.db.selectFrom("audit_log").selectAll().execute());
    expect(written).not.toMatch(/secret|correct horse/);
  });

  it("records a lockout once, however many attempts it refuses, and records the next lockout again", async () => {
    const guess = () =>
      Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? first : second).signIn("admin", "x")));
    await guess();
    const refused = {
      actor: address,
      action: "auth.refused",
      subject_type: "user",
      subject_id: "admin",
      details: { address },
    };
    const expected = [...Array.from({ length: 10 }, () => refused), { ...refused, action: "auth.locked_out" }];
    expect((await listAudit()).toSorted(byAction)).toEqual(expected.toSorted(byAction));
    await sql`UPDATE request_counts SET ends_at = now()`.execute(first.db);
    await guess();
    expect((await listAudit()).toSorted(byAction)).toEqual([...expected, ...expected].toSorted(byAction));
  });

  it("records the lockout of an address once, whichever users it tried", async () => {
    await Promise.all(Array.from({ length: 80 }, (_, i) => first.signIn(`user-${i}`)));
    const entries = await listAudit();
    expect(entries.filter(({ action }) => action === "auth.refused")).toHaveLength(50);
    expect(entries.filter(({ action }) => action === "auth.locked_out")).toEqual([
      { actor: address, action: "auth.locked_out", subject_type: "address", subject_id: address, details: { address } },
    ]);
  });

  it("records once that a password is guessed from many addresses, and locks no user out", async () => {
    const guess = (i: number) =>
      (i % 2 ? first : second).app.inject({
        method: "POST",
        url: "/api/v1/auth/token",
        payload: { username: i % 3 ? "admin" : "Admin", password: "x" },
        remoteAddress: `203.0.113.${i}`,
      });
    for (let i = 1; i <= 30; i += 1) expect((await guess(i)).statusCode).toBe(401);
    const listGuessed = async () => (await listAudit()).filter(({ action }) => action === "auth.guessed");
    expect(await listGuessed()).toEqual([]);
    for (let i = 31; i <= 40; i += 1) expect((await guess(i)).statusCode).toBe(401);
    expect(await listGuessed()).toEqual([
      {
        actor: "203.0.113.31",
        action: "auth.guessed",
        subject_type: "user",
        subject_id: "admin",
        details: { address: "203.0.113.31", more_than: 30 },
      },
    ]);
    expect((await first.signIn("admin")).statusCode).toBe(200);
  });

  it.each([
    ["dummy", 0],
    ["dry_run", 3],
  ] as const)("writes in %s %i of three sign-in steps to the audit log", async (mode, count) => {
    const identity = await startIdentity({ url, mode, clock });
    const headers = await identity.bearer("admin");
    await identity.signIn("admin", "x");
    await identity.app.inject({ method: "POST", url: "/api/v1/auth/logout", headers });
    expect(await listAudit()).toHaveLength(count);
    await identity.close();
  });

  it("does not query the audit log for a name that PostgreSQL cannot store", async () => {
    const refused = await first.signIn("a\u0000b");
    expect([refused.statusCode, refused.json().detail]).toEqual([
      400,
      "username: contains a character that cannot be stored",
    ]);
  });
});

describe("the rate limits of two processes", () => {
  it("lets ten of 60 concurrent attempts over two processes reach the password check", async () => {
    const guesses = Array.from({ length: 60 }, (_, i) => (i % 2 ? first : second).signIn("admin", `guess ${i}`));
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(first.checked.length + second.checked.length).toBe(10);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
    const refused = await second.signIn("admin");
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
    // Only the pair of user and address is locked out, not every user behind the address.
    expect((await first.signIn("another")).statusCode).toBe(401);
  });

  it("lets fifty attempts from one address reach the password check, whichever users it tries", async () => {
    const guesses = Array.from({ length: 80 }, (_, i) => (i % 2 ? first : second).signIn(`user-${i}`));
    await Promise.all(guesses);
    expect(first.checked.length + second.checked.length).toBe(50);
    // Fifteen minutes later on the database clock.
    await sql`UPDATE request_counts SET ends_at = now()`.execute(first.db);
    expect((await first.signIn("admin")).statusCode).toBe(200);
  });

  it("does not count successful sign-ins", async () => {
    for (let i = 0; i < 12; i += 1) expect((await first.signIn("admin")).statusCode).toBe(200);
  });

  it("counts the requests of a caller over two processes exactly", async () => {
    const limited = await Promise.all([1, 2].map(() => startIdentity({ url, clock, generalLimitPerMinute: 40 })));
    const headers = await first.bearer("admin");
    const asked = limited.flatMap((each) => Array.from({ length: 40 }, () => get(each, "/users/me", headers)));
    const statuses = await Promise.all(asked);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    await Promise.all(limited.map((each) => each.close()));
  });

  it("reports in headers how much of a limit is left over all processes", async () => {
    const limited = await Promise.all([1, 2].map(() => startIdentity({ url, clock, generalLimitPerMinute: 3 })));
    const headers = await first.bearer("admin");
    const left: unknown[] = [];
    for (const { app } of [...limited, ...limited]) {
      const answer = await app.inject({ url: "/api/v1/users/me", headers });
      expect(Number(answer.headers["ratelimit-reset"])).toBeGreaterThan(50);
      left.push([answer.statusCode, answer.headers["ratelimit-limit"], answer.headers["ratelimit-remaining"]]);
    }
    expect(left).toEqual([
      [200, "3", "2"],
      [200, "3", "1"],
      [200, "3", "0"],
      [429, "3", "0"],
    ]);
    await Promise.all(limited.map((each) => each.close()));
  });
});
