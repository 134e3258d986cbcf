import { createFakeClock } from "@kit/clock/fake";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { type Identity, startIdentity } from "../../../testing/worlds/identity.ts";

const NEW_PASSWORD = "another horse battery";
let identity: Identity;

beforeAll(async () => {
  const { url } = await freshDatabase();
  identity = await startIdentity({ url, clock: createFakeClock() });
  for (const name of ["noor", "sara", "omar"]) await identity.addUser(name, "tier1");
});
afterAll(() => identity.close());

type Headers = Record<string, string>;
const ask = (method: "GET" | "POST" | "DELETE", path: string, headers: Headers, payload?: object) =>
  identity.app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });

const signInByCookie = async (username: string) => {
  const { headers } = await identity.signIn(username);
  return { cookie: String(headers["set-cookie"]).split(";")[0] ?? "" };
};

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

it("counts wrong passwords like attempts to sign in", async () => {
  const headers = await identity.bearer("omar");
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) {
    const body = { current_password: `guess ${i}`, new_password: NEW_PASSWORD };
    statuses.push((await ask("POST", "/me/password", headers, body)).statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
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

it("shows every user a directory of those who can be assignees", async () => {
  await identity.addUser("Zed", "manager");
  await identity.db.updateTable("users").set({ disabled: true }).where("username", "=", "omar").execute();
  const headers = await identity.bearer("sara");
  const list = async (query: string) => (await ask("GET", `/directory/users${query}`, headers)).json();
  const names = ({ items }: { items: { username: string }[] }) => items.map(({ username }) => username).toSorted();
  expect(names(await list(""))).toEqual(["Zed", "noor", "sara"]);
  expect(await list("?q=ze")).toMatchObject({ items: [{ username: "Zed", role: "manager", email: null }], total: 1 });
  expect((await list("?q=%25")).items).toEqual([]);
});

it("compares user names without case", async () => {
  const signedIn = await identity.signIn("SARA");
  expect(signedIn.statusCode).toBe(200);
  const headers = { authorization: `Bearer ${signedIn.json().access_token}` };
  expect((await ask("GET", "/users/me", headers)).json()).toMatchObject({ username: "sara" });
  expect(await identity.addUser("Sara", "admin")).toBeUndefined();
});
