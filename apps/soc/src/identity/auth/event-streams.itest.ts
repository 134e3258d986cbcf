import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createClock } from "@kit/clock";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signIn } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

type Headers = Record<string, string>;
/** The service must react within seconds; the limit allows for a busy machine. */
const SOON = { timeout: 20_000 };

let platform: Awaited<ReturnType<typeof wholePlatform>>;
let owner: pg.Client;
let admin: Headers;
let made = 0;

beforeAll(async () => {
  const { url } = await freshDatabase();
  platform = await wholePlatform("real", url);
  admin = await signIn(platform.app);
  await platform.app.listen({ host: "127.0.0.1", port: 0 });
  owner = new pg.Client(url);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await platform.close();
});

const ask = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, headers: Headers, payload?: object) =>
  platform.app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });

/** Creates a user with a session and a token, and opens a stream with each. */
async function addListener(role: string) {
  made += 1;
  const username = `listener-${made}`;
  const credentials = { username, password: ADMIN_PASSWORD };
  await ask("POST", "/users", admin, { ...credentials, role });
  const { headers, ...signedIn } = await ask("POST", "/auth/token", {}, credentials);
  const cookie = { cookie: String(headers["set-cookie"]).split(";")[0] ?? "" };
  const token = { authorization: `Bearer ${signedIn.json().access_token}` };
  return { username, cookie, token, bySession: await listen(cookie), byToken: await listen(token) };
}

async function listen(headers: Headers) {
  const { port } = platform.app.server.address() as AddressInfo;
  const asked = request({ port, host: "127.0.0.1", path: "/api/v1/events", headers });
  asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const stream = { status: answer.statusCode, text: "", isEnded: false };
  answer.on("data", (chunk: Buffer) => {
    stream.text += chunk.toString();
  });
  answer.on("close", () => {
    stream.isEnded = true;
  });
  return stream;
}

it("does not keep its session alive, and ends when the session times out", async () => {
  const { username, cookie, bySession, byToken } = await addListener("tier1");
  const used = async () =>
    (await owner.query("SELECT last_used_at FROM sessions WHERE username = $1", [username])).rows[0].last_used_at;
  const before = await used();
  await createClock().sleep(20);
  expect((await listen(cookie)).status).toBe(200);
  expect(await used()).toEqual(before);
  await createClock().sleep(20);
  await ask("GET", "/users/me", cookie);
  expect((await used()).getTime()).toBeGreaterThan(before.getTime());
  await owner.query("UPDATE sessions SET last_used_at = last_used_at - interval '31 minutes' WHERE username = $1", [
    username,
  ]);
  await expect.poll(() => bySession.isEnded, SOON).toBe(true);
  expect((await listen(cookie)).status).toBe(401);
  // The token of the sign-in ends with its session.
  await expect.poll(() => byToken.isEnded, SOON).toBe(true);
});

it("ends when its session is ended, and leaves other streams of the user open", async () => {
  const { username, token, bySession, byToken } = await addListener("tier1");
  const [session] = (await ask("GET", "/me/sessions", token)).json().items;
  const again = await ask("POST", "/auth/token", {}, { username, password: ADMIN_PASSWORD });
  const other = { authorization: `Bearer ${again.json().access_token}` };
  const byOther = await listen(other);
  expect((await ask("DELETE", `/me/sessions/${session.id}`, other)).statusCode).toBe(200);
  await expect.poll(() => bySession.isEnded && byToken.isEnded, SOON).toBe(true);
  expect(byOther.isEnded).toBe(false);
});

it.each([
  ["disabled", (username: string) => ask("PATCH", `/users/${username}`, admin, { disabled: true })],
  ["deleted", (username: string) => ask("DELETE", `/users/${username}`, admin)],
] as const)("ends with every other stream of a user who is %s", async (_, end) => {
  const { username, bySession, byToken } = await addListener("tier1");
  expect((await end(username)).statusCode).toBe(200);
  await expect.poll(() => bySession.isEnded && byToken.isEnded, SOON).toBe(true);
});

it("ends with every other stream of a user who logs out", async () => {
  const { token, bySession, byToken } = await addListener("tier1");
  await ask("POST", "/auth/logout", token);
  await expect.poll(() => bySession.isEnded && byToken.isEnded, SOON).toBe(true);
});

it("applies a new role of the user while it is open", async () => {
  const { username, bySession } = await addListener("admin");
  await ask("POST", "/users", admin, { username: "seen-one", password: ADMIN_PASSWORD, role: "tier1" });
  await expect.poll(() => bySession.text, SOON).toContain("seen-one");
  expect(bySession.text).toContain('"actor":"admin","subject_type":"user"');
  await ask("PATCH", `/users/${username}`, admin, { role: "tier1" });
  await createClock().sleep(1000);
  await ask("POST", "/users", admin, { username: "hidden-one", password: ADMIN_PASSWORD, role: "tier1" });
  await ask("POST", "/alerts", admin, { title: "after the change", source: "test" });
  await expect.poll(() => bySession.text, SOON).toContain("alert.created");
  expect(bySession.text).not.toContain("hidden-one");
});
