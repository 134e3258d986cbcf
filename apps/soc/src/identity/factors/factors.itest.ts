import { createFakeClock } from "@kit/clock/fake";
import { decodeJwt } from "jose";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Identity, PASSWORD, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { computeCode, computeStep } from "./totp.ts";

const clock = createFakeClock();
let url: string;
/** Two processes share one database. */
let first: Identity;
let second: Identity;

beforeEach(async () => {
  ({ url } = await freshDatabase());
  first = await startIdentity({ url, clock });
  second = await startIdentity({ url, clock });
  await first.addUser("admin");
  await first.addUser("ann", "tier2");
});

afterEach(async () => {
  await first.close();
  await second.close();
});

type Headers = Record<string, string | undefined>;

async function ask({ app }: Identity, method: string, path: string, headers: Headers, payload?: object) {
  const answer = await app.inject({
    method: method as "GET",
    url: `/api/v1${path}`,
    headers,
    ...(payload && { payload }),
  });
  const { statusCode: status, headers: answered } = answer;
  return {
    status,
    body: answer.json(),
    code: answered["problem-code"],
    cookie: cookieIn(answered["set-cookie"]),
  };
}

const cookieIn = (set: string | string[] | number | undefined) => [set].flat()[0]?.toString().split(";")[0];

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** Generates codes as an authenticator app does from the displayed text. */
function createApp(secret: string) {
  const bits = secret
    .split("")
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return { show: (stepsAhead = 0) => computeCode(bytes, computeStep(clock.now()) + stepsAhead) };
}

const signIn = ({ app }: Identity, username: string, code?: string, remoteAddress?: string) =>
  app.inject({
    method: "POST",
    url: "/api/v1/auth/token",
    payload: { username, password: PASSWORD, ...(code !== undefined && { code }) },
    ...(remoteAddress !== undefined && { remoteAddress }),
  });

/** Enrols the first factor with a browser. Afterwards the clock is one step ahead, so that the next code is new. */
async function enrol(identity: Identity, username: string) {
  const cookie = cookieIn((await signIn(identity, username)).headers["set-cookie"]);
  const made = await ask(identity, "POST", "/me/factors/totp", { cookie }, { current_password: PASSWORD });
  expect(made.status).toBe(201);
  const app = createApp(made.body.secret);
  const path = `/me/factors/totp/${made.body.id}/confirm`;
  const confirmed = await ask(identity, "POST", path, { cookie }, { code: app.show() });
  expect(confirmed.status).toBe(200);
  await clock.advance(30_000);
  return {
    id: made.body.id,
    made: made.body,
    app,
    codes: confirmed.body.recovery_codes,
    before: cookie,
    cookie: confirmed.cookie,
  };
}

const listAudit = async () =>
  first.db.selectFrom("audit_log").select(["actor", "action", "subject_id", "details"]).execute();

describe("enrolment of an authenticator app", () => {
  it("takes effect only after a code has confirmed it, within ten minutes", async () => {
    const { cookie = "" } = { cookie: cookieIn((await signIn(first, "ann")).headers["set-cookie"]) };
    const made = await ask(
      first,
      "POST",
      "/me/factors/totp",
      { cookie },
      { current_password: PASSWORD, name: "phone" },
    );
    const app = createApp(made.body.secret);
    expect(made.body.otpauth_uri).toContain(`secret=${made.body.secret}`);
    expect((await signIn(first, "ann")).statusCode).toBe(200);
    const confirm = (code: string) =>
      ask(second, "POST", `/me/factors/totp/${made.body.id}/confirm`, { cookie }, { code });
    const wrong = app.show() === "000000" ? "000001" : "000000";
    expect(await confirm(wrong)).toMatchObject({ status: 400, body: { detail: "code: is wrong" } });
    expect((await ask(first, "GET", "/me/factors", { cookie })).body.items).toEqual([]);
    await clock.advance(10 * 60_000);
    expect((await confirm(app.show())).status).toBe(404);
    expect((await signIn(first, "ann")).statusCode).toBe(200);
  });

  it("requires the password, so that a stolen session cannot enrol", async () => {
    const headers = await first.bearer("ann");
    const none = await ask(first, "POST", "/me/factors/totp", headers, {});
    expect(none).toMatchObject({ status: 400, body: { detail: "current_password: is required for the first factor" } });
    const wrong = await ask(first, "POST", "/me/factors/totp", headers, { current_password: "guess" });
    expect(wrong).toMatchObject({ status: 400, body: { detail: "current_password: is wrong" } });
  });

  it("ends the sessions that the password alone has opened, and opens a new one for the browser", async () => {
    const token = await first.bearer("ann");
    const other = cookieIn((await signIn(first, "ann")).headers["set-cookie"]);
    const { before, cookie } = await enrol(first, "ann");
    expect((await ask(second, "GET", "/users/me", token)).status).toBe(401);
    expect((await ask(second, "GET", "/users/me", { cookie: other })).status).toBe(401);
    expect((await ask(second, "GET", "/users/me", { cookie: before })).status).toBe(401);
    expect((await ask(second, "GET", "/users/me", { cookie })).status).toBe(200);
  });

  it("shows ten recovery codes once, and stores neither them nor the secret in readable form", async () => {
    const { made, codes, cookie } = await enrol(first, "ann");
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const listed = await ask(first, "GET", "/me/factors", { cookie });
    expect(listed.body).toEqual({
      items: [
        {
          id: made.id,
          kind: "totp",
          name: "Authenticator app",
          created_at: expect.any(String),
          last_used_at: expect.any(String),
          is_passkey: false,
          cloned_at: null,
        },
      ],
      recovery_codes_left: 10,
      is_required: false,
    });
    const rows = [
      await first.db.selectFrom("user_factors").selectAll().execute(),
      await first.db.selectFrom("recovery_codes").selectAll().execute(),
      await listAudit(),
    ];
    const stored = JSON.stringify(rows);
    for (const secret of [made.secret, ...codes, ...codes.map((code: string) => code.replaceAll("-", ""))])
      expect(stored.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  it("refuses an eleventh factor", async () => {
    const { cookie } = await enrol(first, "ann");
    for (let count = 1; count < 10; count += 1) {
      const made = await ask(first, "POST", "/me/factors/totp", { cookie }, {});
      const code = createApp(made.body.secret).show();
      const added = await ask(first, "POST", `/me/factors/totp/${made.body.id}/confirm`, { cookie }, { code });
      expect([added.status, added.body.recovery_codes]).toEqual([200, null]);
    }
    expect((await ask(first, "POST", "/me/factors/totp", { cookie }, {})).status).toBe(409);
  });
});

describe("sign-in with a second factor", () => {
  it("grants nothing for the password alone, and a session and a token with a code", async () => {
    const { app } = await enrol(first, "ann");
    const alone = await signIn(second, "ann");
    expect([alone.statusCode, alone.json()]).toEqual([401, { detail: "code: a second factor is needed" }]);
    expect(alone.headers["problem-code"]).toBe("factor_missing");
    expect(alone.headers["set-cookie"]).toBeUndefined();
    const whole = await signIn(second, "ann", app.show());
    expect(whole.statusCode).toBe(200);
    expect(decodeJwt(whole.json().access_token).fa).toBe(Math.floor(clock.now().getTime() / 1000));
    expect((await signIn(second, "admin")).statusCode).toBe(200);
    expect((await signIn(second, "ann", undefined)).statusCode).toBe(401);
    expect(await listAudit()).toContainEqual({
      actor: "ann",
      action: "auth.signed_in",
      subject_id: "ann",
      details: { address: "127.0.0.1", factor: "totp" },
    });
  });

  it("reveals nothing about factors before the password is right", async () => {
    await enrol(first, "ann");
    const refused = await first.signIn("ann", "wrong");
    expect([refused.statusCode, refused.json()]).toEqual([401, { detail: "username or password is wrong" }]);
  });

  it("accepts a code once, even if two processes receive it at the same time", async () => {
    const { app } = await enrol(first, "ann");
    const code = app.show();
    const answers = await Promise.all([first, second, first, second].map((each) => signIn(each, "ann", code)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    expect((await signIn(first, "ann", code)).statusCode).toBe(401);
    // The code of the previous step was never used, but a later one was accepted.
    expect((await signIn(first, "ann", app.show(-1))).statusCode).toBe(401);
    expect((await signIn(first, "ann", app.show(1))).statusCode).toBe(200);
  });

  it.each([-2, 2])("refuses the code of %i steps ahead", async (steps) => {
    const { app } = await enrol(first, "ann");
    await clock.advance(5 * 60_000);
    expect((await signIn(first, "ann", app.show(steps))).statusCode).toBe(401);
  });

  it("accepts each recovery code once, in any notation", async () => {
    const { codes, cookie } = await enrol(first, "ann");
    const typed = codes[0].toUpperCase().replaceAll("-", " ");
    const answers = await Promise.all([first, second].map((each) => signIn(each, "ann", typed)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await signIn(first, "ann", codes[1])).statusCode).toBe(200);
    expect((await ask(first, "GET", "/me/factors", { cookie })).body.recovery_codes_left).toBe(8);
  });

  it("does not accept the code of another user", async () => {
    const ann = await enrol(first, "ann");
    const admin = await enrol(first, "admin");
    expect((await signIn(first, "admin", ann.app.show())).statusCode).toBe(401);
    expect((await signIn(first, "ann", admin.codes[0])).statusCode).toBe(401);
  });

  it("fails closed on a host with another channels.key", async () => {
    const { app, codes } = await enrol(first, "ann");
    const foreign = await startIdentity({ url, clock, sealedWith: 8 });
    expect((await signIn(foreign, "ann", app.show())).statusCode).toBe(503);
    expect((await signIn(foreign, "ann", codes[0])).statusCode).toBe(200);
    await foreign.close();
  });
});

describe("200 wrong codes", () => {
  it("limits wrong codes and accepts none, while a recovery code still signs in from elsewhere", {
    timeout: 120_000,
  }, async () => {
    const { app, codes } = await enrol(first, "ann");
    const right = [-1, 0, 1].map((steps) => app.show(steps));
    const wrong = Array.from({ length: 250 }, (_, i) => String(100_000 + i)).filter((code) => !right.includes(code));
    const statuses: number[] = [];
    for (const [at, code] of wrong.slice(0, 200).entries()) {
      // The attacker has the password and 50 addresses.
      const answer = await signIn(at % 2 ? first : second, "ann", code, `203.0.113.${at % 50}`);
      expect(answer.headers["set-cookie"]).toBeUndefined();
      statuses.push(answer.statusCode);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(170);
    // Even the right code is refused while the limit applies.
    expect((await signIn(first, "ann", app.show(), "203.0.113.1")).statusCode).toBe(429);
    expect((await signIn(first, "ann", codes[0], "198.51.100.7")).statusCode).toBe(200);
    const entries = await listAudit();
    expect(entries.filter(({ action }) => action === "auth.factor_refused")).toHaveLength(30);
    expect(entries.filter(({ action }) => action === "auth.factor_guessed")).toHaveLength(1);
    await sql`UPDATE request_counts SET ends_at = now()`.execute(first.db);
    expect((await signIn(first, "ann", app.show(1))).statusCode).toBe(200);
  });

  it("lets ten wrong codes from one address reach the check", async () => {
    const { codes } = await enrol(first, "ann");
    const statuses: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      const code = `aaaa-bbbb-cccc-dd${(i % 6) + 2}${(i % 5) + 2}`;
      statuses.push((await signIn(i % 2 ? first : second, "ann", code)).statusCode);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect((await signIn(first, "ann", codes[0])).statusCode).toBe(429);
    const locked = (await listAudit()).filter(({ action }) => action === "auth.locked_out");
    expect(locked).toHaveLength(1);
  });
});

describe("changing factors", () => {
  it("requires a fresh factor, which a step-up adds to a session or to a new token", async () => {
    const { id, app, cookie } = await enrol(first, "ann");
    await clock.advance(5 * 60_000);
    const stale = await ask(first, "DELETE", `/me/factors/${id}`, { cookie });
    expect([stale.status, stale.body]).toEqual([
      403,
      { detail: "a fresh second factor is needed: POST /api/v1/auth/step-up" },
    ]);
    expect(stale.code).toBe("factor_not_fresh");
    expect((await ask(first, "POST", "/me/factors/totp", { cookie }, { current_password: PASSWORD })).status).toBe(403);
    expect((await ask(first, "POST", "/me/factors/recovery-codes", { cookie })).status).toBe(403);
    const token = { authorization: `Bearer ${(await signIn(first, "ann", app.show())).json().access_token}` };
    await clock.advance(6 * 60_000);
    expect((await ask(first, "POST", "/me/factors/recovery-codes", token)).status).toBe(403);
    const wrong = await ask(first, "POST", "/auth/step-up", token, { code: "aaaa-bbbb-cccc-dddd" });
    expect(wrong).toMatchObject({ status: 400, body: { detail: "code: is wrong or was used already" } });
    const stepped = await ask(second, "POST", "/auth/step-up", token, { code: app.show() });
    expect(stepped.status).toBe(200);
    // The previous token is unchanged.
    expect((await ask(first, "POST", "/me/factors/recovery-codes", token)).status).toBe(403);
    const fresh = { authorization: `Bearer ${stepped.body.token.access_token}` };
    expect((await ask(first, "POST", "/me/factors/recovery-codes", fresh)).body.recovery_codes).toHaveLength(10);
    await clock.advance(30_000);
    const browser = await ask(second, "POST", "/auth/step-up", { cookie }, { code: app.show() });
    expect([browser.status, browser.body.token]).toEqual([200, null]);
    expect(Date.parse(browser.body.fresh_until)).toBe(clock.now().getTime() + 5 * 60_000);
    expect((await ask(first, "DELETE", `/me/factors/${id}`, { cookie })).status).toBe(200);
    expect((await ask(first, "GET", "/me/factors", { cookie })).body).toMatchObject({
      items: [],
      recovery_codes_left: 0,
    });
    expect((await signIn(first, "ann")).statusCode).toBe(200);
  });

  it("gives a token by step-up the full thirty minutes, and ends it with the session of its sign-in", async () => {
    const { app } = await enrol(first, "ann");
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    await clock.advance(30_000);
    const token = bearer((await signIn(first, "ann", app.show())).json().access_token);
    const sessions = (await ask(first, "GET", "/me/sessions", token)).body.items;
    const { id } = sessions.find((each: { is_current: boolean }) => each.is_current);
    await clock.advance(20 * 60_000);
    const stepped = await ask(second, "POST", "/auth/step-up", token, { code: app.show() });
    const fresh = bearer(stepped.body.token.access_token);
    await clock.advance(20 * 60_000);
    expect((await ask(second, "GET", "/users/me", fresh)).status).toBe(200);
    expect((await ask(first, "DELETE", `/me/sessions/${id}`, fresh)).status).toBe(200);
    expect((await ask(second, "GET", "/users/me", fresh)).status).toBe(401);
  });

  it("renews recovery codes and invalidates the previous ones", async () => {
    const { codes, cookie } = await enrol(first, "ann");
    const renewed = await ask(first, "POST", "/me/factors/recovery-codes", { cookie });
    expect((await signIn(first, "ann", codes[0])).statusCode).toBe(401);
    expect((await signIn(first, "ann", renewed.body.recovery_codes[0])).statusCode).toBe(200);
  });

  it("does not affect the factors of another user", async () => {
    const { id } = await enrol(first, "ann");
    const admin = await enrol(first, "admin");
    expect((await ask(first, "DELETE", `/me/factors/${id}`, { cookie: admin.cookie })).status).toBe(404);
    expect((await ask(first, "DELETE", "/me/factors/..%2Fx", { cookie: admin.cookie })).status).toBe(404);
  });

  it("keeps the factor of a session after a password change", async () => {
    const { cookie } = await enrol(first, "ann");
    const body = { current_password: PASSWORD, new_password: "another password" };
    const changed = await ask(first, "POST", "/me/password", { cookie }, body);
    expect((await ask(first, "POST", "/me/factors/recovery-codes", { cookie: changed.cookie })).status).toBe(200);
  });

  it("lets an administrator reset the factors of another user, which ends access and is recorded", async () => {
    const { cookie } = await enrol(first, "ann");
    const admin = await first.bearer("admin");
    expect((await ask(first, "DELETE", "/users/ann/factors", { cookie })).status).toBe(403);
    expect((await ask(first, "DELETE", "/users/admin/factors", admin)).status).toBe(409);
    expect((await ask(first, "DELETE", "/users/missing/factors", admin)).status).toBe(404);
    expect((await ask(first, "DELETE", "/users/ann/factors", admin)).body).toEqual({ removed: 1 });
    expect((await ask(second, "GET", "/users/me", { cookie })).status).toBe(401);
    expect((await signIn(second, "ann")).statusCode).toBe(200);
    expect(await listAudit()).toContainEqual({
      actor: "admin",
      action: "factor.reset",
      subject_id: "ann",
      details: { removed: 1 },
    });
  });

  it("returns a preview in dry_run and stores nothing", async () => {
    const dry = await startIdentity({ url, clock, mode: "dry_run" });
    const headers = await dry.bearer("ann");
    const made = await ask(dry, "POST", "/me/factors/totp", headers, { current_password: PASSWORD });
    expect([made.status, made.body.dry_run]).toEqual([200, true]);
    expect(await dry.db.selectFrom("user_factors").selectAll().execute()).toEqual([]);
    await dry.close();
  });
});

describe("a role that requires a second factor", () => {
  it("lets a user enrol after the password alone, and grants the role's rights afterwards", async () => {
    const strict = await startIdentity({ url, clock, secondFactorRoles: ["admin"] });
    const answer = await signIn(strict, "admin");
    const token = { authorization: `Bearer ${answer.json().access_token}` };
    const cookie = cookieIn(answer.headers["set-cookie"]);
    for (const headers of [token, { cookie }]) {
      for (const path of ["/users", "/me/sessions", "/auth/jwks", "/api-keys", "/nothing"]) {
        const refused = await ask(strict, "GET", path, headers);
        expect([path, refused.status]).toEqual([path, 403]);
        expect(refused.body.detail).toContain("a second factor is needed");
        expect(refused.code).toBe("factor_missing");
      }
      expect((await ask(strict, "GET", "/users/me", headers)).status).toBe(200);
      expect((await ask(strict, "GET", "/me/factors", headers)).body).toMatchObject({ items: [], is_required: true });
      expect((await ask(strict, "POST", "/me/password", headers, {})).status).toBe(403);
    }
    // Another role is unaffected.
    expect((await ask(strict, "GET", "/me/sessions", await strict.bearer("ann"))).status).toBe(200);
    const enrolled = await enrol(strict, "admin");
    expect((await ask(strict, "GET", "/users", { cookie: enrolled.cookie })).status).toBe(200);
    expect((await ask(strict, "DELETE", `/me/factors/${enrolled.id}`, { cookie: enrolled.cookie })).status).toBe(409);
    const whole = await signIn(strict, "admin", enrolled.app.show());
    const { access_token } = whole.json();
    expect((await ask(strict, "GET", "/users", { authorization: `Bearer ${access_token}` })).status).toBe(200);
    await strict.close();
  });

  it("refuses a session that is older than the requirement", async () => {
    const cookie = cookieIn((await signIn(first, "admin")).headers["set-cookie"]);
    const strict = await startIdentity({ url, clock, secondFactorRoles: ["admin"] });
    expect((await ask(strict, "GET", "/users", { cookie })).status).toBe(403);
    await strict.close();
  });
});
