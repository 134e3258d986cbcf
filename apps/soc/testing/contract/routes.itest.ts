import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { type DocumentedRoute, PUBLIC_ROUTES, ROUTES } from "./documented-routes.ts";
import { quote } from "./platform-contract.ts";

// Who may call which route: without credentials none, and every caller with exactly the permission of the row.

let platform: ContractPlatform;
beforeAll(async () => {
  platform = await contractPlatform({ hasLogs: true });
});
afterAll(() => platform.close());

const FORGED = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.";
const isChange = (route: string) => !route.startsWith("GET ");
const fill = (route: string) => route.replaceAll(/\{\w+\}/g, NOTHING);

/** Sends the request of a row with ids of nonexistent records. */
const askAs = (headers: Record<string, string>, route: string) =>
  platform.askWith(headers, fill(route), isChange(route) ? {} : undefined);

const configOf = (route: string) => {
  const [method, path] = route.split(" ");
  const documented = `/api/v1${path}`.replaceAll(/\{(\w+)\}/g, ":$1");
  const found = platform.app.registeredRoutes.find((each) => each.method === method && each.path === documented);
  if (!found) throw new Error(`${route} is not served`);
  return found.config;
};

/** As columns of a table, because vitest truncates object fields in a title. */
const listed = (routes: readonly DocumentedRoute[]) =>
  routes.map(({ route, needs, row }) => [route, needs, row] as const);

/** A role that lacks the permission. Every role may read, so only an API key can lack a permission to read. */
const LACKING: Readonly<Record<string, string>> = {
  "role:admin": "manager",
  "alerts:write": "auditor",
  "alerts:write cases:write": "auditor",
  "cases:write": "auditor",
  "cases:delete": "tier1",
  "agents:manage": "tier1",
  "investigation:trigger": "auditor",
  "sites:manage": "tier1",
  "siem:search": "auditor",
  "detections:write": "tier1",
  "detections:read siem:search": "auditor",
  "edr:manage": "tier1",
  "soar:manage": "tier1",
  "soar:execute": "tier1",
  "playbooks:execute": "auditor",
  "cps:manage": "tier1",
  "approvals:manage": "tier1",
  "iocs:write": "auditor",
};

describe("without credentials", () => {
  it.each(listed(ROUTES))("%s, which needs %s, answers 401: %s", async (route) => {
    expect(await askAs({}, route)).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
  });
});

describe("with an invalid token", () => {
  it.each(listed(ROUTES))("%s, which needs %s, answers 401: %s", async (route) => {
    const answer = await askAs({ authorization: `Bearer ${FORGED}` }, route);
    expect(answer).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
  });
});

describe("a caller who lacks the permission gets 403", () => {
  quote("The Permission column lists the required permission; a caller lacking it gets 403.");

  const named = ROUTES.filter(({ needs }) => needs !== "authenticated");
  it.each(listed(named.filter(({ needs }) => LACKING[needs])))("%s needs %s: %s", async (route, needs) => {
    const answer = await askAs(await platform.credentials(LACKING[needs] ?? ""), route);
    expect(answer).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
  });

  it.each(listed(named.filter(({ needs }) => !LACKING[needs])))("%s needs %s: %s", async (route, needs) => {
    const { byKey, needs: declared } = configOf(route);
    expect(declared).toEqual(needs.split(" "));
    if (!byKey) return;
    const answer = await askAs(await platform.keyFor("audit:read"), route);
    expect(answer).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
  });
});

describe("a caller who has the permission is neither 401 nor 403", () => {
  it.each(listed(ROUTES))("%s with %s: %s", async (route, needs) => {
    // A key has exactly the permissions of its scopes; a user with the role admin has all of them.
    const { byKey } = configOf(route);
    const headers = byKey ? await platform.keyFor(needs) : await platform.credentials("admin");
    const { status } = await askAs(headers, route);
    expect([401, 403]).not.toContain(status);
  });
});

describe("each of two permissions is needed", () => {
  it.each([
    ["POST /alerts/{alert_id}/promote", "alerts:write"],
    ["POST /alerts/{alert_id}/promote", "cases:write"],
    ["POST /alerts/{alert_id}/case-link", "alerts:write"],
    ["POST /alerts/{alert_id}/case-link", "cases:write"],
  ])("%s with %s alone answers 403", async (route, scope) => {
    expect((await askAs(await platform.keyFor(scope), route)).status).toBe(403);
  });

  it.each(["detections:read", "siem:search"])("the run of a rule with %s alone answers 403", async (scope) => {
    const route = "POST /detections/rules/{rule_id}/run";
    const { byKey, needs } = configOf(route);
    expect(needs).toEqual(expect.arrayContaining([scope]));
    expect(byKey ? (await askAs(await platform.keyFor(scope), route)).status : 403).toBe(403);
  });
});

describe("a public route needs no credentials", () => {
  quote("All routes except GET /health and POST /api/v1/auth/token require authentication.");
  quote("4. Public routes: GET /health and POST /auth/token.");

  it.each(listed(PUBLIC_ROUTES))("%s is %s: %s", async (route) => {
    const { status } = await platform.askWith({}, route, route.startsWith("POST") ? {} : undefined);
    expect([401, 403, 404]).not.toContain(status);
  });

  it("Public routes: GET /health and POST /auth/token", () => {
    const open = platform.app.registeredRoutes.filter(({ config }) => config.needs === "public");
    const documented = open.map(({ method, path }) => `${method} ${path}`);
    expect(documented).toEqual(expect.arrayContaining(["GET /health", "POST /api/v1/auth/token"]));
    const contracted = ROUTES.map(({ route }) => configOf(route).needs);
    expect(contracted).not.toContain("public");
  });
});

describe("the routes of the document", () => {
  it(quote("A SOC platform with 70+ REST endpoints"), () => {
    expect(ROUTES.length + PUBLIC_ROUTES.length).toBeGreaterThan(70);
    expect(new Set(ROUTES.map(({ route }) => route)).size).toBe(ROUTES.length);
    for (const { route } of ROUTES) expect(configOf(route)).toBeDefined();
  });

  it(quote("The base address is {base_url}/api/v1; GET /health lives outside that prefix."), async () => {
    const outside = await platform.app.inject({ url: "/alerts", headers: await platform.credentials("admin") });
    expect(outside.statusCode).toBe(404);
    expect((await platform.ask("GET /alerts")).status).toBe(200);
    expect((await platform.app.inject("/health")).statusCode).toBe(200);
    const below = await platform.app.inject({ url: "/api/v1/health", headers: await platform.credentials("admin") });
    expect(below.statusCode).toBe(404);
  });

  it(quote("- The stable namespace is /api/v1."), () => {
    const paths = platform.app.registeredRoutes.map(({ path }) => path).filter((path) => path.startsWith("/api"));
    expect(paths.filter((path) => !path.startsWith("/api/v1/"))).toEqual([]);
  });
});
