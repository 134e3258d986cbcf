import { SignJWT } from "jose";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { genuineClaims, toAnswer } from "../../../testing/fixtures/forged-answers.ts";
import { CLIENT, findFreePort, type SignInWorld, startSignInWorld } from "../../../testing/harness/sign-in-world.ts";
import { type LyingProvider, startLyingProvider } from "../../../testing/servers/malicious-provider.ts";
import { computeCode, computeStep } from "../factors/totp.ts";

let provider: LyingProvider;
let world: SignInWorld;
let owner: pg.Pool;

beforeAll(async () => {
  provider = await startLyingProvider();
  const { issuer } = provider;
  const providers = [{ id: "trusted", issuer }, { id: "here", issuer, second_factor: "here" } as const];
  world = await startSignInWorld({ providers, port: await findFreePort() });
  owner = new pg.Pool({ connectionString: world.url, max: 1 });
});

afterAll(async () => {
  await owner.end();
  await world.close();
  await provider.close();
});

/** Signs in through a provider that reports these authentication methods. Returns the session. */
async function signIn(id: string, username: string, amr: unknown): Promise<string> {
  const { location, cookie } = await world.begin(id);
  const asked = new URL(location).searchParams;
  const [state, nonce] = [asked.get("state") ?? "", asked.get("nonce") ?? ""];
  const begun = { state, nonce, provider, other: provider, client: CLIENT };
  const claims = { ...genuineClaims(begun), sub: username, preferred_username: username, amr };
  const signed = await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "real" }).sign(provider.privateKey);
  provider.answerWith(toAnswer(signed));
  const parameters = new URLSearchParams({ code: "code", state, iss: provider.issuer });
  const address = new URL(`${world.publicUrl}/api/v1/auth/oidc/${id}/callback?${parameters}`);
  const { session } = await world.comeBack(address, cookie);
  expect(session).toBeDefined();
  return session ?? "";
}

async function ask(method: string, path: string, session: string, body?: object) {
  const headers = { cookie: session, ...(body && { "content-type": "application/json" }) };
  const answer = await world.ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: await answer.json(), cookie: answer.headers.getSetCookie()[0]?.split(";")[0] };
}

const batch = (session: string) => {
  const requests = ["/users/me", "/alerts", "/me/sessions"].map((path) => ({ path: `/api/v1${path}` }));
  return ask("POST", "/batch", session, { requests });
};

it.each([
  ["nothing", undefined],
  ["a password alone", ["pwd"]],
  ["a text in place of a list", "mfa"],
  ["a list in a list", [["mfa"]]],
])("leaves a session pending after %s at the provider if the factor is checked here", async (_what, amr) => {
  const session = await signIn("here", "pending-user", amr);
  const refused = await ask("GET", "/alerts", session);
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    "a second factor is needed: POST /api/v1/auth/step-up or /api/v1/me/factors/totp",
  ]);
  expect((await batch(session)).status).toBe(403);
  expect((await ask("GET", "/users/me", session)).status).toBe(200);
});

it("accepts mfa of the provider as second factor if the factor is checked here", async () => {
  const session = await signIn("here", "proven-user", ["pwd", "mfa"]);
  expect((await ask("GET", "/alerts", session)).status).toBe(200);
  expect((await batch(session)).status).toBe(200);
});

it("ignores the methods of the provider if the provider checks the factor", async () => {
  expect((await ask("GET", "/alerts", await signIn("trusted", "trusted-user", ["pwd"]))).status).toBe(200);
});

it("lets a pending session enrol right after its sign-in, and requires a new sign-in later", async () => {
  const session = await signIn("here", "new-user", ["pwd"]);
  await owner.query("UPDATE sessions SET created_at = created_at - interval '5 minutes' WHERE username = 'new-user'");
  const late = await ask("POST", "/me/factors/totp", session, {});
  expect([late.status, late.body.detail]).toEqual([
    403,
    "the first factor needs a sign-in of the last five minutes; sign in again",
  ]);
  const again = await signIn("here", "new-user", ["pwd"]);
  const made = await ask("POST", "/me/factors/totp", again, {});
  expect(made.status).toBe(201);
  const secret = readBase32(made.body.secret);
  const code = computeCode(secret, computeStep(new Date()));
  const confirmed = await ask("POST", `/me/factors/totp/${made.body.id}/confirm`, again, { code });
  expect(confirmed.status).toBe(200);
  expect((await ask("GET", "/alerts", confirmed.cookie ?? "")).status).toBe(200);
  // The next sign-in is pending again until it passes the factor.
  const next = await signIn("here", "new-user", ["pwd"]);
  expect((await ask("GET", "/alerts", next)).status).toBe(403);
  const stepped = await ask("POST", "/auth/step-up", next, { code: confirmed.body.recovery_codes[0] });
  expect([stepped.status, stepped.body.token]).toEqual([200, null]);
  expect((await ask("GET", "/alerts", next)).status).toBe(200);
});

function readBase32(text: string): Buffer {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = text
    .split("")
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
