import { afterAll, beforeAll, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

type Headers = Record<string, string>;

let identity: Identity;
let as: Record<"tia" | "tom" | "manu" | "ada", Headers>;

beforeAll(async () => {
  const { url } = await freshDatabase();
  identity = await startIdentity({ url });
  const roles = { tia: "tier1", tom: "tier1", manu: "manager", ada: "admin" } as const;
  for (const [name, role] of Object.entries(roles)) await identity.addUser(name, role);
  const bearer = (name: string) => identity.bearer(name);
  as = { tia: await bearer("tia"), tom: await bearer("tom"), manu: await bearer("manu"), ada: await bearer("ada") };
});
afterAll(() => identity.close());

const ask = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, headers: Headers, payload?: object) =>
  identity.app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });

async function create(headers: Headers, fields: object = {}): Promise<string> {
  const answer = await ask("POST", "/views", headers, { page: "alerts", name: "mine", ...fields });
  expect(answer.statusCode).toBe(201);
  return answer.json().id;
}

/** Returns the status that each person gets for a view. */
async function seenBy(id: string): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  for (const [name, headers] of Object.entries(as)) {
    const { statusCode } = await ask("GET", `/views/${id}`, headers);
    seen[name] = statusCode;
    const { items } = (await ask("GET", "/views?limit=200", headers)).json();
    expect(items.some((view: { id: string }) => view.id === id)).toBe(statusCode === 200);
  }
  return seen;
}

it("shows a view to its author and to the users with whom it is shared", async () => {
  const hidden = await create(as.tia);
  expect(await seenBy(hidden)).toEqual({ tia: 200, tom: 404, manu: 404, ada: 404 });
  const forManagers = await create(as.tia, { sharing_mode: "roles", shared_with_roles: ["manager"] });
  expect(await seenBy(forManagers)).toEqual({ tia: 200, tom: 404, manu: 200, ada: 200 });
  const forAll = await create(as.tia, { sharing_mode: "team" });
  expect(await seenBy(forAll)).toEqual({ tia: 200, tom: 200, manu: 200, ada: 200 });
  await ask("PATCH", `/views/${forAll}`, as.tia, { sharing_mode: "private" });
  expect(await seenBy(forAll)).toEqual({ tia: 200, tom: 404, manu: 404, ada: 404 });
});

it("stores the roles of a view in every mode, and grants them nothing unless the mode is roles", async () => {
  const id = await create(as.tia, { sharing_mode: "private", shared_with_roles: ["manager"] });
  expect((await ask("GET", `/views/${id}`, as.tia)).json()).toMatchObject({ shared_with_roles: ["manager"] });
  expect(await seenBy(id)).toEqual({ tia: 200, tom: 404, manu: 404, ada: 404 });
});

it("lets only the author and administrators change a shared view", async () => {
  const id = await create(as.tia, { sharing_mode: "team", state: { columns: ["host"] } });
  expect((await ask("PATCH", `/views/${id}`, as.tom, { name: "stolen" })).statusCode).toBe(403);
  expect((await ask("DELETE", `/views/${id}`, as.manu)).statusCode).toBe(403);
  expect(
    (await ask("PATCH", `/views/${id}`, as.ada, { sharing_mode: "roles", shared_with_roles: ["tier1"] })).json(),
  ).toMatchObject({ name: "mine", state: { columns: ["host"] }, created_by: "tia", shared_with_roles: ["tier1"] });
  expect((await ask("DELETE", `/views/${id}`, as.ada)).json()).toEqual({ deleted: true, id });
  const hidden = await create(as.tia);
  for (const method of ["PATCH", "DELETE"] as const)
    expect((await ask(method, `/views/${hidden}`, as.ada, { name: "found" })).statusCode).toBe(404);
  // No audit entry contains the name of a private view.
  const audited = await identity.db
    .selectFrom("audit_log")
    .select("details")
    .where("subject_id", "=", hidden)
    .execute();
  expect(audited).toEqual([{ details: { page: "alerts", sharing_mode: "private" } }]);
});

it("lists the views of one page, and rejects a change with a stale If-Match", async () => {
  const id = await create(as.manu, { page: "cases", state: { sort: "-created_at" } });
  const { items } = (await ask("GET", "/views?page=cases", as.manu)).json();
  expect(items).toMatchObject([{ id, page: "cases", state: { sort: "-created_at" }, sharing_mode: "private" }]);
  const { etag } = (await ask("GET", `/views/${id}`, as.manu)).headers;
  const rename = (name: string) => ask("PATCH", `/views/${id}`, { ...as.manu, "if-match": String(etag) }, { name });
  expect((await rename("first")).statusCode).toBe(200);
  expect((await rename("second")).statusCode).toBe(409);
});

it.each([
  [{ page: "alerts", name: "x", state: { text: "y".repeat(16_384) } }, "state: must be at most 16384 bytes"],
  [{ page: "alerts", name: "x", sharing_mode: "roles" }, "shared_with_roles: must name a role"],
  [{ page: "alerts", name: "x", sharing_mode: "roles", shared_with_roles: ["root"] }, "shared_with_roles.0: must be"],
  [{ page: "../x", name: "x" }, "page: must"],
  [{ page: "alerts", name: "\u0000" }, "name: contains a character"],
  [{ page: "alerts" }, "name: is required"],
])("refuses a view: case %#", async (body, detail) => {
  const answer = await ask("POST", "/views", as.tom, body);
  expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(detail)]);
});

it("limits a user to one hundred views, even with concurrent requests", async () => {
  await identity.addUser("max", "tier2");
  const max = await identity.bearer("max");
  const row = { page: "alerts", name: "old", state: "{}", sharing_mode: "private" as const, shared_with_roles: [] };
  const at = new Date();
  for (let i = 0; i < 97; i += 1) {
    const id = `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
    const made = { ...row, id, created_by: "max", created_at: at, updated_at: at };
    await identity.db.insertInto("views").values(made).execute();
  }
  const add = async () => (await ask("POST", "/views", max, { page: "alerts", name: "new" })).statusCode;
  const concurrent = await Promise.all(Array.from({ length: 6 }, add));
  // A busy machine answers some of them with 503.
  const added = concurrent.filter((status) => status === 201).length;
  expect(added).toBeLessThanOrEqual(3);
  for (let i = added; i < 3; i += 1) expect(await add()).toBe(201);
  expect(await add()).toBe(409);
});

it("deletes the private views of a deleted user and keeps the shared ones for the others", async () => {
  await identity.addUser("ken", "tier2");
  const ken = await identity.bearer("ken");
  const [hidden, shared] = [await create(ken), await create(ken, { sharing_mode: "team" })];
  expect((await ask("DELETE", "/users/ken", as.ada)).statusCode).toBe(200);
  await identity.addUser("ken", "tier2");
  const again = await identity.bearer("ken");
  expect((await ask("GET", `/views/${hidden}`, again)).statusCode).toBe(404);
  expect((await ask("PATCH", `/views/${shared}`, again, { name: "mine now" })).statusCode).toBe(403);
  expect((await ask("GET", `/views/${shared}`, as.tom)).json().created_by).toMatch(/^ken \(deleted \d+\)$/);
});
