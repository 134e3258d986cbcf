import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type SendRequest,
  startTwoSites,
  type TestSite,
  type TwoSites,
} from "../../../testing/harness/limited-callers.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";

type Row = [method: string, path: string, body?: object];
type Of = (site: string) => Row;

const LISTS: readonly string[] = [
  "/alerts?site=",
  "/alerts/summary?site=",
  "/alerts/groups?by=host&site=",
  "/edr/endpoints?site=",
  "/agents?site=",
  "/cps/devices?site=",
];

/** Requests with a site in the body. Each use creates a new record. */
const BODIES = {
  "POST /alerts": (site) => ["POST", "/alerts", { title: randomUUID(), source: "ids", site }],
  "POST /cases": (site) => ["POST", "/cases", { title: "by hand", site }],
  "POST /alerts/bulk": (site) => [
    "POST",
    "/alerts/bulk",
    { filter: { site: [site], severity: ["info"] }, expected_total: 0, assignee: "admin" },
  ],
  "POST /cps/enrolment-codes": (site) => ["POST", "/cps/enrolment-codes", { name: randomUUID(), type: "pump", site }],
} satisfies Readonly<Record<string, Of>>;

let soc: TwoSites;
let everywhere: SendRequest;
let ofAlpha: SendRequest;
let alpha: TestSite;

const encode = (text: string) => encodeURIComponent(text);
const addAlert = async (site: string) =>
  (await everywhere("POST", "/alerts", { title: randomUUID(), source: "x", site })).json();
const beat = (site?: string) => everywhere("PUT", `/edr/endpoints/${randomUUID()}`, { hostname: randomUUID(), site });

beforeAll(async () => {
  soc = await startTwoSites();
  ({ alpha } = soc);
  everywhere = await soc.addLimited("admin", undefined);
  ofAlpha = await soc.addLimited("admin", [alpha]);
  for (const site of [alpha, soc.beta]) {
    await soc.asAdmin("POST", "/alerts", { title: randomUUID(), source: "x", host: "h", site: site.name });
    await soc.asAdmin("PUT", `/edr/endpoints/${randomUUID()}`, { hostname: randomUUID(), site: site.name });
    await soc.asAdmin("POST", "/agents/agent-001/deploy", { site_id: site.id });
    await soc.query(
      `INSERT INTO devices (id, name, type, site, status, enrolled_at, last_seen)
       VALUES (gen_random_uuid(), $1, 'pump', $2, 'active', now(), now())`,
      [randomUUID(), site.id],
    );
  }
});

afterAll(() => soc.close());

const countRecords = ({ total, groups }: Record<string, unknown>) =>
  Number(total ?? (Array.isArray(groups) ? groups.length : 0));
const countOf = ({ json }: Awaited<ReturnType<SendRequest>>) => countRecords(json());

describe("a filter by site", () => {
  it.each(LISTS)("finds the same records by id and by name: %s", async (path) => {
    const answers = [];
    for (const text of [alpha.id, alpha.id.toUpperCase(), alpha.name]) {
      const answer = await everywhere("GET", `${path}${encode(text)}`);
      answers.push([answer.status, countOf(answer)]);
    }
    expect(answers).toEqual([
      [200, 1],
      [200, 1],
      [200, 1],
    ]);
  });

  it.each(LISTS)("refuses a text that is not a site: %s", async (path) => {
    for (const text of ["Mars", randomUUID(), "\0"]) {
      const answer = await everywhere("GET", `${path}${encode(text)}`);
      expect([answer.status, answer.headers["problem-field"]]).toEqual([400, "site"]);
    }
    expect((await everywhere("GET", `${path}Mars`)).json()).toEqual({ detail: "site: 'Mars' does not exist" });
  });

  it.each(LISTS.filter((path) => path !== "/agents?site="))(
    "hides other sites from a caller with one site: %s",
    async (path) => {
      for (const text of [alpha.id, alpha.name]) {
        const answer = await ofAlpha("GET", `${path}${encode(text)}`);
        expect([answer.status, countOf(answer)]).toEqual([200, 1]);
      }
      for (const text of [soc.beta.id, soc.beta.name, "Mars", randomUUID()]) {
        const { status, body } = await ofAlpha("GET", `${path}${encode(text)}`);
        const detail = `site: '${text}' is not one of your sites`;
        expect([status, JSON.parse(body)]).toEqual([400, { detail }]);
      }
    },
  );

  it("finds records that store the id of their site, or an unknown name", async () => {
    const [endpoint, alert] = [`Mars ${randomUUID()}`, `Io ${randomUUID()}`];
    await beat(endpoint);
    const byId = await addAlert(soc.beta.name);
    await soc.query("UPDATE alerts SET site = $1, filter_keys = ARRAY['site:' || $1] WHERE id = $2", [
      alert,
      byId.id as string,
    ]);
    expect(countOf(await everywhere("GET", `/edr/endpoints?site=${encode(endpoint)}`))).toBe(1);
    expect(countOf(await everywhere("GET", `/alerts?site=${encode(alert)}`))).toBe(1);
    const names = `site=${encode(soc.beta.name)}`;
    const before = Number(countOf(await everywhere("GET", `/alerts?${names}`)));
    await soc.query("UPDATE alerts SET site = $1, filter_keys = ARRAY['site:' || $1] WHERE id = $2", [
      soc.beta.id,
      byId.id as string,
    ]);
    expect(countOf(await everywhere("GET", `/alerts?${names}`))).toBe(before + 1);
  });
});

describe("a body with a site", () => {
  it.each(Object.entries<Of>(BODIES))(
    "accepts a body with the id and with the name of a site: %s",
    async (_name, of) => {
      const statuses = [];
      for (const text of [alpha.id, alpha.name]) statuses.push((await everywhere(...of(text))).status);
      expect(new Set(statuses).size).toBe(1);
      expect([200, 201]).toContain(statuses[0]);
    },
  );

  it.each(Object.entries<Of>(BODIES))("refuses a body with an unknown site: %s", async (name, of) => {
    const field = name === "POST /alerts/bulk" ? "filter.site" : "site";
    const { status, json } = await everywhere(...of("Mars"));
    expect([status, json()]).toEqual([400, { detail: `${field}: 'Mars' does not exist` }]);
  });

  it("stores the name in alerts, cases and endpoints, and the id in devices", async () => {
    expect(await addAlert(alpha.id)).toMatchObject({ site: alpha.name });
    expect((await beat(alpha.id)).json()).toMatchObject({ site: alpha.name });
    const { id } = (await everywhere("POST", "/cases", { title: "by hand", site: alpha.id })).json();
    expect(await soc.query("SELECT sites FROM cases WHERE id = $1", [String(id)])).toEqual([{ sites: [alpha.name] }]);
    const code = { name: randomUUID(), type: "pump", site: alpha.name };
    expect((await everywhere("POST", "/cps/enrolment-codes", code)).json()).toMatchObject({ site: alpha.id });
  });

  it("deploys an agent by the name of a site, and answers 404 for an unknown site", async () => {
    for (const action of ["deploy", "undeploy"]) {
      const by = (site_id: string) => everywhere("POST", `/agents/agent-002/${action}`, { site_id });
      expect((await by(alpha.name)).json().sites).toEqual(action === "deploy" ? [alpha.id] : []);
      expect((await by("Mars")).status).toBe(404);
    }
  });

  it("keeps the text of a heartbeat that names no known site", async () => {
    const name = `Mars ${randomUUID()}`;
    const { status, json } = await beat(name);
    expect([status, json().site]).toEqual([201, name]);
  });

  it.each(["POST /alerts", "POST /cases"] as const)("shows a caller with one site no other site: %s", async (name) => {
    const of = BODIES[name];
    expect((await ofAlpha(...of(alpha.id))).status).toBe(201);
    for (const text of [soc.beta.id, soc.beta.name, "Mars"]) {
      const { status, json } = await ofAlpha(...of(text));
      const detail = `site: '${text}' is not one of your sites`;
      expect([status, json()]).toEqual([400, { detail }]);
    }
  });
});

it("declares every route that accepts a site", () => {
  const undeclared = soc.app.registeredRoutes.filter(({ schema }) =>
    [schema?.querystring, schema?.body].some((part) => namesSite(part)),
  );
  const paths = new Set(undeclared.map(({ path }) => path));
  // Logs keep the text that they name.
  expect([...paths].filter((path) => !/\/siem\/ingest|\/services\/collector|_bulk$|^\/v1\/logs$/.test(path))).toEqual(
    [],
  );
});

/** Whether the schema has a site field that is not declared as one. */
function namesSite(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(([name, part]) => {
    const isField = (name === "site" || name === "site_id") && typeof part === "object";
    return (isField && !JSON.stringify(part).includes('"x-site"')) || namesSite(part);
  });
}

it("resolves the sites of the showcase in dummy mode", async () => {
  const { app, close } = await wholePlatform("dummy");
  const payload = { username: "admin", password: ADMIN_PASSWORD };
  const { access_token } = (await app.inject({ method: "POST", url: "/api/v1/auth/token", payload })).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const get = async (path: string) => (await app.inject({ url: `/api/v1${path}`, headers })).json();
  const { items: sites } = await get("/sites");
  for (const path of LISTS) {
    const counts = [];
    for (const { id, name } of sites) {
      const found = countRecords(await get(`${path}${id}`));
      expect([path, name, countRecords(await get(`${path}${encode(name)}`))]).toEqual([path, name, found]);
      counts.push(found);
    }
    expect([path, Math.max(...counts)]).not.toEqual([path, 0]);
    expect(await get(`${path}Mars`)).toEqual({ detail: "site: 'Mars' does not exist" });
  }
  await close();
});
