import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/harness/callers-platform.ts";
import { ADMIN_PASSWORD as password } from "../../../testing/harness/whole-platform.ts";

let platform: CallersPlatform;
let alpha: { id: string; name: string };
let beta: typeof alpha;

beforeAll(async () => {
  platform = await startCallersPlatform();
  const profile = { asset_classes: ["it"] };
  alpha = pickName(await platform.asAdmin("POST", "/sites", { name: "Alpha", profile }));
  beta = pickName(await platform.asAdmin("POST", "/sites", { name: "Beta", profile }));
});

afterAll(() => platform.close());

const pickName = ({ id, name }: typeof alpha) => ({ id, name });

async function readAs(username: string, path: string) {
  const { token } = await platform.signIn(username);
  const { status, body } = await platform.ask("GET", `/api/v1${path}`, { authorization: `Bearer ${token}` });
  return { status, body: JSON.parse(body) };
}

it("limits a user to sites that are named by id or by name, and shows them", async () => {
  const given = { username: "of-alpha", password, role: "tier3", sites: ["Alpha"] };
  expect(await platform.asAdmin("POST", "/users", given)).toMatchObject({ sites: [alpha] });
  expect((await readAs("of-alpha", "/users/me")).body.sites).toEqual([alpha]);
  expect((await readAs("of-alpha", "/sites")).body.items.map(pickName)).toEqual([alpha]);
  expect((await readAs("of-alpha", "/system/topology")).body.sites.map(pickName)).toEqual([alpha]);
  const both = { sites: [beta.id, alpha.id] };
  expect(await platform.asAdmin("PATCH", "/users/of-alpha", both)).toMatchObject({ sites: [alpha, beta] });
  expect((await readAs("of-alpha", "/sites")).body.items.map(pickName)).toEqual([alpha, beta]);
  const all = await platform.asAdmin("PATCH", "/users/of-alpha", { sites: null });
  expect(all).not.toHaveProperty("sites");
  expect((await readAs("of-alpha", "/detections/rules")).status).toBe(200);
});

it("refuses a restricted user every route that does not support sites", async () => {
  await platform.asAdmin("POST", "/users", { username: "one-site", password, role: "admin", sites: ["Alpha"] });
  for (const path of ["/users", "/audit", "/detections/rules"]) {
    expect(await readAs("one-site", path)).toEqual({
      status: 403,
      body: { detail: "requires access to all sites" },
    });
  }
});

it("refuses an unknown site, and refuses to restrict the last administrator", async () => {
  await expect(
    platform.asAdmin("POST", "/users", { username: "nowhere", password, role: "tier1", sites: ["Gamma"] }),
  ).rejects.toThrow(/400 .*sites: site 'Gamma' does not exist/);
  await expect(platform.asAdmin("PATCH", "/users/admin", { sites: ["Alpha"] })).rejects.toThrow(/409/);
});

it("binds a key to sites, and shows them", async () => {
  const scopes = ["siem:ingest"];
  const made = await platform.asAdmin("POST", "/api-keys", { name: "bound", scopes, sites: [beta.id, "Alpha"] });
  expect(made.sites).toEqual([alpha, beta]);
  const { items } = await platform.asAdmin("GET", "/api-keys");
  expect(items).toMatchObject([{ name: "bound", sites: [alpha, beta] }]);
  const refused = platform.asAdmin("POST", "/api-keys", { name: "lost", scopes, sites: ["Gamma"] });
  await expect(refused).rejects.toThrow(/400 .*sites: site 'Gamma' does not exist/);
});

it("removes a deleted site from its users, who then see nothing", async () => {
  const { id } = await platform.asAdmin("POST", "/sites", { name: "Closed", profile: { asset_classes: ["it"] } });
  await platform.asAdmin("POST", "/users", { username: "left", password, role: "tier1", sites: [id] });
  await platform.asAdmin("DELETE", `/sites/${id}`);
  await platform.asAdmin("POST", "/sites", { name: "Closed", profile: { asset_classes: ["it"] } });
  expect((await readAs("left", "/sites")).body).toMatchObject({ items: [], total: 0 });
});

it("hides every row of every table from a session restricted to sites, except what a policy allows", async () => {
  const unprotected = await platform.query(`SELECT tablename FROM pg_tables JOIN pg_class ON relname = tablename
    WHERE relnamespace = current_schema()::regnamespace AND schemaname = current_schema() AND tablename <> 'migrations' AND NOT relrowsecurity`);
  expect(unprotected).toEqual([]);
  const open = await platform.query(
    `SELECT tablename FROM pg_policies WHERE 'soc_site' = ANY(roles) AND qual = 'true'`,
  );
  expect(open).toEqual([]);
});
