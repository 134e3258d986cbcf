import { SignJWT } from "jose";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  FORGERIES,
  genuineAnswer,
  genuineClaims,
  type SignInContext,
  toAnswer,
} from "../../../testing/fixtures/forged-answers.ts";
import { CLIENT, findFreePort, type SignInWorld, startSignInWorld } from "../../../testing/harness/sign-in-world.ts";
import { type LyingProvider, startLyingProvider } from "../../../testing/servers/malicious-provider.ts";

let main: LyingProvider;
let other: LyingProvider;
let world: SignInWorld;
let owner: pg.Pool;

beforeAll(async () => {
  main = await startLyingProvider();
  other = await startLyingProvider();
  const providers = [
    { id: "main", issuer: main.issuer },
    { id: "other", issuer: other.issuer },
  ];
  world = await startSignInWorld({ providers, port: await findFreePort() });
  owner = new pg.Pool({ connectionString: world.url, max: 1 });
});

afterAll(async () => {
  await owner.end();
  await world.close();
  await main.close();
  await other.close();
});

async function begin(): Promise<SignInContext & { cookie: string; parameters: URLSearchParams }> {
  const { location, cookie } = await world.begin("main");
  const asked = new URL(location).searchParams;
  const state = asked.get("state") ?? "";
  const parameters = new URLSearchParams({ code: "code", state, iss: main.issuer });
  return { state, nonce: asked.get("nonce") ?? "", provider: main, other, client: CLIENT, cookie, parameters };
}

const comeBack = (parameters: URLSearchParams, cookie: string, provider = "main") =>
  world.comeBack(new URL(`${world.publicUrl}/api/v1/auth/oidc/${provider}/callback?${parameters}`), cookie);

const countSessions = async () => Number((await owner.query("SELECT count(*) FROM sessions")).rows[0].count);

it("covers at least sixty forgeries", () => {
  expect(FORGERIES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(FORGERIES.map(({ name }) => name)).size).toBe(FORGERIES.length);
});

it.each(FORGERIES)("opens no session for a response with $name", async ({ answer = genuineAnswer, returning }) => {
  const before = await countSessions();
  const begun = await begin();
  main.answerWith(await answer(begun));
  returning?.(begun.parameters, begun);
  const { status, session } = await comeBack(begun.parameters, begun.cookie);
  expect([400, 401, 403, 409]).toContain(status);
  expect(session).toBeUndefined();
  expect(await countSessions()).toBe(before);
});

it("opens a session for the genuine response of the same kind, even if clocks differ by ten seconds", async () => {
  for (const seconds of [0, 10, -10]) {
    const begun = await begin();
    const { iat = 0, exp = 0, ...claims } = genuineClaims(begun);
    const shifted = { ...claims, iat: iat + seconds, nbf: iat + seconds, exp: (seconds < 0 ? iat : exp) + seconds };
    const signed = new SignJWT(shifted).setProtectedHeader({ alg: "RS256", kid: "real" });
    main.answerWith(toAnswer(await signed.sign(main.privateKey)));
    expect((await comeBack(begun.parameters, begun.cookie)).session).toBeDefined();
  }
});

it("opens no session for a response to the address of another provider", async () => {
  const begun = await begin();
  main.answerWith(await genuineAnswer(begun));
  other.answerWith(await genuineAnswer(begun));
  expect(await comeBack(begun.parameters, begun.cookie, "other")).toMatchObject({ status: 401, session: undefined });
  expect(await comeBack(begun.parameters, begun.cookie, "unknown")).toMatchObject({ status: 404, session: undefined });
});

const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };

it.each([
  ["a nonce", { nonce: "x" }],
  ["no event", { events: {} }],
  ["an event as text", { events: "http://schemas.openid.net/event/backchannel-logout" }],
  ["another audience", { aud: "another" }],
  ["another issuer", { iss: "https://another.example" }],
  ["neither user nor session", { sub: undefined }],
  ["no id", { jti: undefined }],
  ["an old time", { iat: Math.floor(Date.now() / 1000) - 3600 }],
])("ends nothing for a logout token with %s", async (_name, change) => {
  const begun = await begin();
  main.answerWith(await genuineAnswer(begun));
  const { session = "" } = await comeBack(begun.parameters, begun.cookie);
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: main.issuer,
    aud: CLIENT.client_id,
    sub: "mallory",
    iat,
    jti: crypto.randomUUID(),
    events: EVENTS,
  };
  const send = async (payload: object) => {
    const header = { alg: "RS256", kid: "real", typ: "logout+jwt" };
    const logout_token = await new SignJWT({ ...payload }).setProtectedHeader(header).sign(main.privateKey);
    const body = new URLSearchParams({ logout_token });
    return (await world.ask("/auth/oidc/main/logout", { method: "POST", body })).status;
  };
  const isLive = async () => (await world.ask("/users/me", { headers: { cookie: session } })).status === 200;
  expect(await send({ ...claims, ...change })).toBe(400);
  expect(await isLive()).toBe(true);
  expect(await send(claims)).toBe(200);
  expect(await isLive()).toBe(false);
  expect(await send(claims)).toBe(401);
});

it("asks the provider for nothing before a logout token could be its own, and rarely for unknown keys", async () => {
  const iat = Math.floor(Date.now() / 1000);
  const genuine = { iss: main.issuer, aud: CLIENT.client_id, sub: "mallory", iat, jti: "x", events: EVENTS };
  const send = async (claims: object, kid: string) => {
    const signed = new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid, typ: "logout+jwt" });
    const body = new URLSearchParams({ logout_token: await signed.sign(other.privateKey) });
    return (await world.ask("/auth/oidc/main/logout", { method: "POST", body })).status;
  };
  const before = main.countRequests();
  for (const change of [{ iss: other.issuer }, { aud: "another" }, { iat: iat - 3600 }, { iat: iat + 3600 }]) {
    expect(await send({ ...genuine, ...change }, "real")).toBe(400);
  }
  const body = new URLSearchParams({ logout_token: "no token" });
  expect((await world.ask("/auth/oidc/main/logout", { method: "POST", body })).status).toBe(400);
  expect(main.countRequests()).toBe(before);
  const kids = Array.from({ length: 20 }, (_, at) => `unknown-${at}`);
  for (const kid of kids) expect(await send(genuine, kid)).toBe(400);
  expect(main.countRequests() - before).toBeLessThanOrEqual(3);
});
