import { createFakeClock } from "@kit/clock/fake";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Identity, PASSWORD, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

const NEW_PASSWORD = "another horse battery";
const clock = createFakeClock();
let identity: Identity;

beforeAll(async () => {
  const { url } = await freshDatabase();
  identity = await startIdentity({ url, clock });
  for (const name of ["noor", "sara", "omar", "huda", "reem", "Zoe"]) await identity.addUser(name, "tier1");
});
afterAll(() => identity.close());

type Headers = Record<string, string>;
const ask = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, headers: Headers, payload?: object) =>
  identity.app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });

type Response = Awaited<ReturnType<typeof ask>>;
const cookieIn = ({ headers }: Response) => ({ cookie: String(headers["set-cookie"]).split(";")[0] ?? "" });
const signInByCookie = async (username: string, headers: Headers = {}) =>
  cookieIn(await identity.signIn(username, PASSWORD, headers));
const auditedFor = (name: string) =>
  identity.db.selectFrom("audit_log").select("action").where("subject_id", "=", name).orderBy("at").execute();

const PERMISSIONS_OF_TIER1 = ["alerts:write", "cases:write"];

it("shows callers their permissions, preferences and remaining limits", async () => {
  const headers = await identity.bearer("huda");
  const before = (await ask("GET", "/users/me", headers)).json();
  expect(before).toMatchObject({ username: "huda", role: "tier1", disabled: false, preferences: {} });
  // According to the table of docs/api/soc.md, tier1 reads everything except the audit log, and writes alerts and
  // cases.
  const isRead = (name: string) => name.endsWith(":read");
  expect(before.permissions.filter((name: string) => !isRead(name))).toEqual(PERMISSIONS_OF_TIER1);
  expect(before.permissions).toContain("siem:read");
  expect(before.permissions).not.toContain("audit:read");
  const after = await ask("GET", "/users/me", headers);
  const { general, chat } = after.json().limits;
  expect(general.remaining).toBe(before.limits.general.remaining - 1);
  expect(String(general.remaining)).toBe(after.headers["ratelimit-remaining"]);
  expect(String(general.limit)).toBe(after.headers["ratelimit-limit"]);
  expect(String(general.reset_s)).toBe(after.headers["ratelimit-reset"]);
  expect(chat).toEqual({ limit: 100_000, remaining: 100_000, reset_s: 60 });
});

it("stores preferences per user, and replaces them as a whole", async () => {
  const [huda, noor] = [await identity.bearer("huda"), await identity.bearer("noor")];
  const first = { theme: "dark", columns: { alerts: ["time", "host"] }, "\u0645": null, n: 1.5e-300 };
  expect((await ask("PUT", "/me/preferences", huda, first)).json()).toEqual(first);
  const stored = await ask("GET", "/me/preferences", huda);
  expect(stored.json()).toEqual(first);
  expect(stored.body.length).toBeLessThan(120);
  expect((await ask("GET", "/me/preferences", noor)).json()).toEqual({});
  await ask("PUT", "/me/preferences", huda, { theme: "light" });
  expect((await ask("GET", "/users/me", huda)).json().preferences).toEqual({ theme: "light" });
});

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

it.each([
  ["larger than 64 KiB", { text: "x".repeat(65_536) }, "body: must be at most 65536 bytes"],
  [
    "that grow beyond 64 KiB when they are read",
    `{"n":[${"1e20,".repeat(10_000)}0]}`,
    "body: contains an integer beyond",
  ],
  ["that grow a little", `{"n":[${"1e-7,".repeat(13_000)}0]}`, undefined],
  ["nine levels deep", nested(9), "body: must be at most 8 levels deep"],
  ["eight levels deep", nested(8), undefined],
  ["forty levels deep", nested(40), "body: must be at most 32 levels deep"],
  ["with a prototype", '{"__proto__":{"isAdmin":true}}', "body: must be valid JSON"],
  ["with U+0000", { text: "\u0000" }, "body: contains a character that cannot be stored"],
  ["as a list", [1], "body: must be an object"],
])("accepts or refuses preferences %s", async (_, payload, detail) => {
  const headers = { ...(await identity.bearer("noor")), "content-type": "application/json" };
  const answer = await identity.app.inject({ method: "PUT", url: "/api/v1/me/preferences", headers, payload });
  if (detail === undefined) expect(answer.statusCode).toBe(200);
  else expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(detail)]);
});

it("lets users change their own password, which ends their tokens and sessions", async () => {
  const headers = await identity.bearer("noor");
  const session = await signInByCookie("noor");
  const change = (current_password: string) =>
    ask("POST", "/me/password", headers, { current_password, new_password: NEW_PASSWORD });
  const refused = await change("not it");
  expect([refused.statusCode, refused.json()]).toEqual([400, { detail: "current_password: is wrong" }]);
  const changed = await change("correct horse battery");
  expect([changed.statusCode, changed.json()]).toEqual([200, { password_changed: true }]);
  expect((await ask("GET", "/users/me", headers)).statusCode).toBe(401);
  expect((await ask("GET", "/users/me", session)).statusCode).toBe(401);
  expect((await identity.signIn("noor")).statusCode).toBe(401);
  expect((await identity.signIn("noor", NEW_PASSWORD)).statusCode).toBe(200);
});

it("counts wrong passwords as sign-in attempts", async () => {
  const headers = await identity.bearer("omar");
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) {
    const body = { current_password: `guess ${i}`, new_password: NEW_PASSWORD };
    statuses.push((await ask("POST", "/me/password", headers, body)).statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
});

it("records wrong passwords of an authenticated user, and opens a new session for the browser after a change", async () => {
  const [here, there] = [await signInByCookie("reem"), await signInByCookie("reem")];
  const change = (current_password: string) =>
    ask("POST", "/me/password", here, { current_password, new_password: NEW_PASSWORD });
  expect((await change("not it")).statusCode).toBe(400);
  const changed = await change(PASSWORD);
  expect([changed.statusCode, changed.json()]).toEqual([200, { password_changed: true }]);
  for (const former of [here, there]) expect((await ask("GET", "/users/me", former)).statusCode).toBe(401);
  const renewed = cookieIn(changed);
  expect(renewed.cookie).not.toBe(here.cookie);
  expect((await ask("GET", "/users/me", renewed)).statusCode).toBe(200);
  expect((await ask("GET", "/me/sessions", renewed)).json().items).toHaveLength(1);
  const actions = (await auditedFor("reem")).map(({ action }) => action);
  expect(actions).toEqual(["auth.signed_in", "auth.signed_in", "auth.refused", "user.updated"]);
});

it("ends all sessions of the caller except the current one, and none of other users", async () => {
  const [here, there, noor] = [await signInByCookie("huda"), await signInByCookie("huda"), await signInByCookie("Zoe")];
  const before = (await ask("GET", "/me/sessions", here)).json().items.length;
  expect((await ask("DELETE", "/me/sessions", here)).json()).toEqual({ ended: before - 1 });
  expect((await ask("GET", "/users/me", there)).statusCode).toBe(401);
  expect((await ask("GET", "/users/me", here)).statusCode).toBe(200);
  expect((await ask("GET", "/users/me", noor)).statusCode).toBe(200);
  expect((await auditedFor("huda")).at(-1)).toEqual({ action: "auth.sessions_ended" });
});

it("names the device of a session, and keeps the newest hundred sessions", async () => {
  const agent = `Firefox/140 \u00e9${"x".repeat(400)}`;
  const here = await signInByCookie("Zoe", { "user-agent": agent });
  const { items } = (await ask("GET", "/me/sessions", here)).json();
  const current = items.find(({ is_current }: { is_current: boolean }) => is_current);
  expect(current).toMatchObject({ address: "127.0.0.1", user_agent: `Firefox/140 ${"x".repeat(288)}` });
  expect(JSON.stringify(items)).not.toContain(here.cookie.split("=")[1]);
  for (let i = 0; i < 100; i += 1) {
    await clock.advance(1);
    await signInByCookie("Zoe");
  }
  expect((await ask("GET", "/users/me", here)).statusCode).toBe(401);
  await clock.advance(1);
  const latest = await signInByCookie("Zoe");
  expect((await ask("GET", "/me/sessions", latest)).json().items).toHaveLength(100);
});

it("lists the caller's own sessions and ends one of them", async () => {
  const [here, there] = [await signInByCookie("sara"), await signInByCookie("sara")];
  const list = async () => (await ask("GET", "/me/sessions", here)).json().items;
  const items: { id: string; is_current: boolean }[] = await list();
  expect(items.filter(({ is_current }) => is_current)).toHaveLength(1);
  expect(items).toHaveLength(2);
  const other = items.find(({ is_current }) => !is_current)?.id ?? "";
  const noor = { authorization: `Bearer ${(await identity.signIn("noor", NEW_PASSWORD)).json().access_token}` };
  expect((await ask("DELETE", `/me/sessions/${other}`, noor)).statusCode).toBe(404);
  expect((await ask("DELETE", `/me/sessions/${other}`, here)).json()).toEqual({ deleted: true, id: other });
  expect((await ask("GET", "/users/me", there)).statusCode).toBe(401);
  expect(await list()).toHaveLength(1);
});

it("shows every user a directory of possible assignees", async () => {
  await identity.addUser("Zed", "manager");
  await identity.db.updateTable("users").set({ disabled: true }).where("username", "=", "omar").execute();
  const headers = await identity.bearer("sara");
  const list = async (query: string) => (await ask("GET", `/directory/users${query}`, headers)).json();
  const names = ({ items }: { items: { username: string }[] }) => items.map(({ username }) => username).toSorted();
  expect(names(await list(""))).toEqual(["Zed", "Zoe", "huda", "noor", "reem", "sara"]);
  expect(await list("?q=ze")).toMatchObject({
    items: [{ username: "Zed", role: "manager", email: null, active: true }],
    total: 1,
  });
  expect((await list("?active=false")).items).toEqual([
    { username: "omar", role: "tier1", email: null, active: false },
  ]);
  expect(names(await list("?limit=2"))).toEqual(["Zed", "Zoe"]);
  expect((await list("?q=%25")).items).toEqual([]);
});

it("compares usernames case-insensitively", async () => {
  const signedIn = await identity.signIn("SARA");
  expect(signedIn.statusCode).toBe(200);
  const headers = { authorization: `Bearer ${signedIn.json().access_token}` };
  expect((await ask("GET", "/users/me", headers)).json()).toMatchObject({ username: "sara" });
  expect(await identity.addUser("Sara", "admin")).toBeUndefined();
});
